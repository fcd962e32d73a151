// Keeps helper threads out of the way of trading threads when there are fewer cores than busy
// threads. Each call concerns the calling thread, costs system calls and needs no rights. A kernel
// that does not know a request ignores it: only timing depends on it. See sched(7); time slices
// need Linux 6.12.
#pragma once

#include <chrono>

namespace damrak {

/// CPU share that a helper gets on a busy core.
struct HelperShare {
    /// Added to the niceness of the process, 0 to 19, see nice(2): 10 gives a tenth, 5 a quarter,
    /// 3 a third.
    int niceness;
    int rests;  ///< pause between two pieces of work, as a multiple of the last piece's duration
};
/// For helpers that a trading thread may wait for, if only in the kernel: they pause, but keep
/// their priority.
inline constexpr HelperShare k_no_less{.niceness = 0, .rests = 3};
inline constexpr HelperShare k_tenth{.niceness = 10, .rests = 3};
inline constexpr HelperShare k_quarter{.niceness = 5, .rests = 3};
inline constexpr HelperShare k_third{.niceness = 3, .rests = 2};

/// Makes this thread a helper: low priority, and any thread that wakes up preempts it once it has
/// run for a tenth of a millisecond. May be called again with another share.
void set_helper_share(const HelperShare& share = k_tenth);

/// Called by a helper between two pieces of work: sleeps until its turn among the helpers of the
/// same niceness on this core (helper_turns.hpp). It then gets the core back as fast as its
/// niceness allows; a yield would often pick it again at once, and waiting for a scheduler tick
/// would accumulate credit and take the core for milliseconds. Other threads return at once.
void pause_helper();

/// Called by a helper that has nothing to do: sleeps for `pause`. If no core is free when it wakes
/// up, it waits for the next scheduler tick and preempts nobody.
void sleep_helper(std::chrono::microseconds pause);

}  // namespace damrak
