// Who goes first where there are fewer cores than threads that want one. For the calling thread,
// and for threads that help, as all of it calls the system; no rights are needed. Where the system
// does not know a request it is ignored, as nothing depends on it but time. sched(7) and, for
// slices, Linux 6.12.
#pragma once

#include <chrono>

namespace damrak {

/// CPU share that a helper gets on a busy core.
struct HelpersShare {
    /// 0 to 19, see nice(2), added to that of the process: a tenth with 10, a quarter with 5, a
    /// third with 3.
    int niceness;
    int rests;  ///< between two pieces, for so many times as long as the piece took
};
/// For those whom a thread that trades can come to wait for, and be it in the kernel: they pause,
/// but nobody keeps them from going on.
inline constexpr HelpersShare k_no_less{.niceness = 0, .rests = 3};
inline constexpr HelpersShare k_tenth{.niceness = 10, .rests = 3};
inline constexpr HelpersShare k_quarter{.niceness = 5, .rests = 3};
inline constexpr HelpersShare k_third{.niceness = 3, .rests = 2};

/// This thread's work can wait a little: it has a low priority, and once it has run for a tenth of
/// a millisecond it is interrupted for whoever wakes up. Again for another share.
void give_way(const HelpersShare& share = k_tenth);

/// Of a thread that gives way, between two pieces of its work: sleeps until it is its turn among
/// those of its niceness who help on this core, see turnstile.hpp, and has the core back at once as
/// far as its niceness goes. A thread that only yields is often picked again, and one that waits
/// for a tick gathers what it is owed and then keeps the core for milliseconds. Any other thread
/// goes on without a pause.
void let_others_run();

/// Of a thread that gives way and has nothing to do: sleeps for `pause`. When it wakes up and no
/// core is free, it waits for the system's next tick, some hundred times a second, instead of
/// taking one from a thread that runs.
void rest(std::chrono::microseconds pause);

}  // namespace damrak
