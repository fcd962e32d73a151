// What calls without the interpreter's lock need: Ctrl-C ends them, progress is told, and the
// interpreter does not end under them.
#pragma once

#include <chrono>
#include <cstdint>

#include <nanobind/nanobind.h>

namespace damrak::python {

/// Releases the interpreter's lock for its lifetime, in which the interpreter does not end: a thread
/// that asks for the lock after that would take the process with it. Throws if it is ending.
class Unlocked {
  public:
    Unlocked();
    ~Unlocked();
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    PyThreadState* state_;
};

/// From now on no call begins, those with a Watch end, and this waits for all. Called at exit.
void end_calls();

/// Call it often from work that has released the interpreter's lock: it takes the lock every 50 ms.
/// Throws what a signal handler or `progress` raised.
class Watch {
  public:
    /// `progress` is called with a count, or is None.
    explicit Watch(nanobind::object progress);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    void look(std::uint64_t done) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds{50}) return;
        last_ = now;
        look_at_python(done);
    }

  private:
    void look_at_python(std::uint64_t done);

    nanobind::object progress_;
    unsigned interrupts_;  ///< as many as there were before
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Calls `step` every few milliseconds until it gives None; what it gives before is the count for
/// `progress`. The interpreter's lock is free between the calls.
void wait_for(const nanobind::callable& step, nanobind::object progress);

}  // namespace damrak::python
