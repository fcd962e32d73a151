#include <damrak/base/helper_pacing.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <damrak/base/detail/helper_turns.hpp>

namespace damrak {

namespace {

/// The first version of the struct of sched_setattr(2). C libraries lack it, or define it in a way
/// that conflicts with the kernel's header.
struct SchedulingAttributes {
    std::uint32_t size;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t niceness;
    std::uint32_t priority;
    std::uint64_t runtime_ns;  ///< without a deadline policy: length of the time slice
    std::uint64_t deadline_ns;
    std::uint64_t period_ns;
};
static_assert(sizeof(SchedulingAttributes) == 48);

/// Pacing state of a helper thread.
struct PacedThread {
    HelperShare share;
    std::uint32_t policy;
    std::int64_t awake_ns;  ///< when the current piece of work began
};
thread_local std::optional<PacedThread> t_paced;

constexpr std::size_t k_niceness_end = 20;

/// Separate for each core and niceness, so that a helper does not wait behind helpers with a
/// smaller share.
std::array<std::array<HelperTurns, k_niceness_end>, 256> s_turns;

HelperTurns& turns_of(int niceness) {
    const auto core = static_cast<unsigned>(::sched_getcpu());
    return s_turns[core % s_turns.size()][static_cast<unsigned>(niceness)];
}

std::int64_t steady_ns() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds{1};
}

// A waking SCHED_BATCH thread does not preempt a running one; a waking SCHED_OTHER thread does.
void ask_for(const HelperShare& share, std::uint32_t policy) {
    SchedulingAttributes wanted{};
    wanted.size = sizeof wanted;
    wanted.policy = policy;
    static const int given = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::getpid()));
    wanted.niceness = std::min(given + share.niceness, static_cast<int>(k_niceness_end) - 1);
    wanted.runtime_ns = 100'000;
    ::syscall(SYS_sched_setattr, 0, &wanted, 0U);
    t_paced = {.share = share, .policy = policy, .awake_ns = steady_ns()};
}

void change_to(std::uint32_t policy) {
    if (t_paced && t_paced->policy != policy) ask_for(t_paced->share, policy);
}

}  // namespace

void set_helper_share(const HelperShare& share) {
    ::prctl(PR_SET_TIMERSLACK, 1UL);  // else the kernel wakes all threads of a core together
    ask_for(share, SCHED_BATCH);
}

void pause_helper() {
    if (!t_paced) return;
    const std::int64_t now_ns = steady_ns();
    const auto [niceness, rests] = t_paced->share;
    const std::int64_t piece_ns = now_ns - t_paced->awake_ns;
    const std::int64_t turn_ns = turns_of(niceness).next_turn(now_ns, piece_ns, rests);
    change_to(SCHED_OTHER);
    using Clock = std::chrono::steady_clock;
    std::this_thread::sleep_until(Clock::time_point{std::chrono::nanoseconds{turn_ns}});
    t_paced->awake_ns = steady_ns();
}

void sleep_helper(std::chrono::microseconds pause) {
    change_to(SCHED_BATCH);
    std::this_thread::sleep_for(pause);
    if (t_paced) t_paced->awake_ns = steady_ns();
}

}  // namespace damrak
