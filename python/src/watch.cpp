#include "watch.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include <signal.h>

namespace nb = nanobind;

namespace damrak::python {

namespace {

std::atomic<unsigned> unlocked{0};
std::atomic<bool> is_ending{false};

// Python tells only its main thread of Ctrl-C. While calls are under way, a handler in front of
// Python's counts the interrupts, so that a call in another thread ends too.
std::atomic<unsigned> interrupts{0};
std::mutex mutex;
unsigned watches = 0;
struct sigaction before{};

void on_interrupt(int signal, siginfo_t* info, void* context) {
    interrupts.fetch_add(1);
    if ((before.sa_flags & SA_SIGINFO) != 0)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(signal);
}

// A handler of the program's own may do without an exception: in the main thread it has been asked,
// for others Python's usual one is the only one known to raise.
bool ends_calls() {
    const nb::module_ threads = nb::module_::import_("threading");
    if (threads.attr("current_thread")().is(threads.attr("main_thread")())) return false;
    const nb::module_ signals = nb::module_::import_("signal");
    return signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"));
}

}  // namespace

Unlocked::Unlocked() {
    unlocked.fetch_add(1);
    if (is_ending.load()) {
        unlocked.fetch_sub(1);
        PyErr_SetString(PyExc_RuntimeError, "the interpreter is ending");
        throw nb::python_error{};
    }
    state_ = PyEval_SaveThread();
}

Unlocked::~Unlocked() {
    PyEval_RestoreThread(state_);
    unlocked.fetch_sub(1);
}

void end_calls() {
    is_ending.store(true);
    PyThreadState* const state = PyEval_SaveThread();
    while (unlocked.load() > 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    PyEval_RestoreThread(state);
}

Watch::Watch(nb::object progress) : progress_(std::move(progress)), interrupts_(interrupts.load()) {
    const std::scoped_lock lock{mutex};
    if (watches++ > 0) return;
    struct sigaction present{};
    ::sigaction(SIGINT, nullptr, &present);
    if ((present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == on_interrupt) return;
    before = present;
    const bool is_handled = (before.sa_flags & SA_SIGINFO) != 0 ||
                            (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN);
    if (!is_handled) return;  // the process ends, or wants no interrupts
    struct sigaction counting = before;
    counting.sa_flags |= SA_SIGINFO;
    counting.sa_sigaction = on_interrupt;
    ::sigaction(SIGINT, &counting, nullptr);
}

Watch::~Watch() {
    const std::scoped_lock lock{mutex};
    if (--watches > 0) return;
    struct sigaction now{};
    ::sigaction(SIGINT, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_interrupt)
        ::sigaction(SIGINT, &before, nullptr);
}

void Watch::look_at_python(std::uint64_t done) {
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error{};
    if (is_ending.load()) {
        PyErr_SetString(PyExc_RuntimeError, "the interpreter is ending");
        throw nb::python_error{};
    }
    if (const unsigned now = interrupts.load(); now != interrupts_) {
        interrupts_ = now;
        if (ends_calls()) {
            PyErr_SetNone(PyExc_KeyboardInterrupt);
            throw nb::python_error{};
        }
    }
    if (!progress_.is_none()) progress_(done);
}

void wait_for(const nb::callable& step, nb::object progress) {
    constexpr std::chrono::milliseconds k_pause{5};
    Watch watch{std::move(progress)};
    for (nb::object done = step(); !done.is_none(); done = step()) {
        const auto count = nb::cast<std::uint64_t>(done);
        const Unlocked unlocked;
        std::this_thread::sleep_for(k_pause);
        watch.look(count);
    }
}

}  // namespace damrak::python
