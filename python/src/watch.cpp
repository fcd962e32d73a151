#include "watch.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include <signal.h>

namespace nb = nanobind;

namespace damrak::python {

namespace {

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

}  // namespace

Watch::Watch(nb::object progress) : progress_(std::move(progress)), interrupts_(interrupts.load()) {
    const std::scoped_lock lock{mutex};
    if (watches++ > 0) return;
    ::sigaction(SIGINT, nullptr, &before);
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
    if (interrupts.load() != interrupts_) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw nb::python_error{};
    }
    if (!progress_.is_none()) progress_(done);
}

}  // namespace damrak::python
