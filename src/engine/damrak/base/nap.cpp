#include <damrak/base/nap.hpp>

#include <cstdint>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/helper_pacing.hpp>

namespace damrak {

Nap::Nap() : ended_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) { DAMRAK_ASSERT(ended_ >= 0); }

Nap::~Nap() { ::close(ended_); }

void Nap::wake() const {
    const std::uint64_t once = 1;
    static_cast<void>(::write(ended_, &once, sizeof once));
}

bool Nap::sleep(std::chrono::milliseconds most) {
    naps_.store(true);
    bool called = was_called();
    if (!called) {
        pollfd one{.fd = ended_, .events = POLLIN, .revents = 0};
        static_cast<void>(::poll(&one, 1, static_cast<int>(most.count())));
        called = was_called();
    }
    // The nap was ended from outside, and the caller may write only now. At worst the next nap ends
    // at once.
    if (!naps_.exchange(false)) {
        std::uint64_t times = 0;
        static_cast<void>(::read(ended_, &times, sizeof times));
    }
    sleep_helper(std::chrono::microseconds{0});
    return called;
}

}  // namespace damrak
