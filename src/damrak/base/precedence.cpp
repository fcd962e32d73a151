#include <damrak/base/precedence.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
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

/// Of a thread that gives way.
struct Precedence {
    int niceness;
    Resume resume;
};
thread_local std::optional<Precedence> t_precedence;

void ask_for(const Precedence& precedence) {
    SchedulingAttributes wanted{};
    wanted.size = sizeof wanted;
    wanted.policy = precedence.resume == Resume::at_a_tick ? SCHED_BATCH : SCHED_OTHER;
    wanted.niceness = precedence.niceness;
    wanted.runtime_ns = 100'000;
    ::syscall(SYS_sched_setattr, 0, &wanted, 0U);
    t_precedence = precedence;
}

}  // namespace

void give_way(int niceness) { ask_for({.niceness = niceness, .resume = Resume::at_a_tick}); }

void let_others_run(Resume resume) {
    if (t_precedence && t_precedence->resume != resume)
        ask_for({.niceness = t_precedence->niceness, .resume = resume});
    constexpr std::chrono::microseconds k_moment{50};
    std::this_thread::sleep_for(k_moment);
}

}  // namespace damrak
