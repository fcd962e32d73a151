#include "serve/process.hpp"

#include <atomic>
#include <csignal>

#include <sys/stat.h>

namespace damrak::app {

namespace {

std::atomic<bool> g_stop_asked{false};
std::atomic<bool> g_reload_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "stored by a signal handler");

}  // namespace

void handle_signals() {
    struct sigaction action{};
    // A write that a signal interrupts is completed.
    action.sa_flags = SA_RESTART;
    action.sa_handler = [](int) { g_stop_asked.store(true); };
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
    action.sa_handler = [](int) { g_reload_asked.store(true); };
    ::sigaction(SIGHUP, &action, nullptr);
    action.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &action, nullptr);
}

bool stop_asked() { return g_stop_asked.load(std::memory_order_relaxed); }

bool reload_asked() {
    return g_reload_asked.load(std::memory_order_relaxed) && g_reload_asked.exchange(false);
}

// The group can, as far as the user who starts the program lets it.
void keep_files_private() { ::umask(::umask(S_IRWXO) | S_IRWXO); }

}  // namespace damrak::app
