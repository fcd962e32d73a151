#include <damrak/base/nap.hpp>

#include <ctime>

#include <linux/futex.h>
#include <linux/membarrier.h>
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

// A full memory barrier in every thread of the process, see membarrier(2); since Linux 4.14. False:
// the kernel has none.
bool pass_barrier_everywhere() {
    static const bool is_registered =
        ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    return is_registered && ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}
// NOLINTEND(*-vararg)

}  // namespace

void Nap::wake() {
    ended_.store(1);
    wake_one(ended_);
}

// A caller makes work visible, then loads `called_`; the sleeper clears `called_`, then looks for
// work. Both need a barrier in between, or the caller may see an old call and the sleeper no work.
// The sleeper passes one for both, so that calls stay cheap.
bool Nap::may_sleep() {
    if (!was_called() && is_settled_) return true;
    is_settled_ = pass_barrier_everywhere();
    return false;
}

bool Nap::sleep(std::chrono::milliseconds most) {
    naps_.store(true);
    bool called = was_called();
    if (!called) {
        wait_while_zero(ended_, most);
        called = was_called();
    }
    // A caller that ended the nap may say so only after this: then one later nap ends at once.
    naps_.store(false);
    ended_.store(0);
    sleep_helper(std::chrono::microseconds{0});
    return called;
}

}  // namespace damrak
