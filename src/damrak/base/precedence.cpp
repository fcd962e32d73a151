#include <damrak/base/precedence.hpp>

#include <chrono>
#include <cstdint>
#include <thread>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace damrak {

namespace {

/// As sched_setattr(2) has it, first version: a C library either has no such type or one that is in
/// the way of the kernel's header.
struct SchedulingAttributes {
    std::uint32_t size;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t niceness;
    std::uint32_t priority;
    std::uint64_t runtime_ns;  ///< where there are no deadlines, the length of a slice
    std::uint64_t deadline_ns;
    std::uint64_t period_ns;
};
static_assert(sizeof(SchedulingAttributes) == 48);

}  // namespace

void give_way() {
    SchedulingAttributes wanted{};
    wanted.size = sizeof wanted;
    wanted.policy = SCHED_BATCH;
    wanted.niceness = 10;
    wanted.runtime_ns = 100'000;
    ::syscall(SYS_sched_setattr, 0, &wanted, 0U);
}

void let_others_run() {
    constexpr std::chrono::microseconds k_moment{50};
    std::this_thread::sleep_for(k_moment);
}

}  // namespace damrak
