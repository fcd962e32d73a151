#include <damrak/base/nap.hpp>

#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <damrak/base/helper_pacing.hpp>

namespace damrak {

namespace {

// The kernel compares and waits on the value itself.
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

// NOLINTBEGIN(*-vararg): syscall() has no other form.
void wait_while_zero(std::atomic<std::uint32_t>& value, std::chrono::milliseconds most) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(most);
    const timespec limit{.tv_sec = seconds.count(),
                         .tv_nsec = std::chrono::nanoseconds{most - seconds}.count()};
    static_cast<void>(::syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, 0, &limit, nullptr, 0));
}

void wake_one(std::atomic<std::uint32_t>& value) {
    static_cast<void>(::syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0));
}
// NOLINTEND(*-vararg)

}  // namespace

void Nap::wake() {
    ended_.store(1);
    wake_one(ended_);
}

bool Nap::sleep(std::chrono::milliseconds most) {
    naps_.store(true);
    bool called = was_called();
    if (!called) {
        wait_while_zero(ended_, most);
        called = was_called();
    }
    // The nap was ended from outside, and the caller may say so only now. At worst the next nap
    // ends at once.
    if (!naps_.exchange(false)) ended_.store(0);
    sleep_helper(std::chrono::microseconds{0});
    return called;
}

}  // namespace damrak
