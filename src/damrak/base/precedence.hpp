// Who goes first where there are fewer cores than threads that want one. For the calling thread,
// and for threads that help, as all of it calls the system; no rights are needed. Where the system
// does not know a request it is ignored, as nothing depends on it but time. sched(7) and, for
// slices, Linux 6.12.
#pragma once

#include <cstdint>

namespace damrak {

/// This thread's work can wait a little: when it wakes up and no core is free, it waits for the
/// system's next tick instead of taking one from a thread that runs; it has a low priority; and
/// once it has run for a tenth of a millisecond it is interrupted for whoever wakes up. `niceness`,
/// see nice(2), is what it gets of a core that another thread never leaves: a tenth with 10, a
/// quarter with 5.
void give_way(int niceness = 10);

/// How soon a thread that gives way has a core again that another one never leaves.
enum class Resume : std::uint8_t {
    at_a_tick,  ///< of the system, some hundred times a second: the fewest interruptions
    at_once,    ///< for who falls behind at that pace, as far as its niceness goes
};

/// Between two pieces of such work: sleeps for a moment, some hundred microseconds with what the
/// system adds. A thread that only yields is often picked again. A system call more where `resume`
/// differs from the last time; of a thread that never gave way it changes nothing.
void let_others_run(Resume resume = Resume::at_a_tick);

}  // namespace damrak
