// Who goes first where there are fewer cores than threads that want one. Set-up only, for the
// calling thread; no rights are needed. Where the system does not know a request it is ignored, as
// nothing depends on it but time. sched(7) and, for slices, Linux 6.12.
#pragma once

namespace damrak {

/// This thread's work can wait a little: when it wakes up and no core is free, it waits for the
/// system's next tick instead of taking one from a thread that runs; it has a low priority; and
/// once it has run for a tenth of a millisecond it is interrupted for whoever wakes up.
void give_way();

/// Between two pieces of such work, each shorter than that: sleeps for a moment, some hundred
/// microseconds with what the system adds. A thread that only yields is often picked again.
void let_others_run();

}  // namespace damrak
