#include "serve_helpers.hpp"

#include <chrono>
#include <stop_token>

namespace damrak::app {

namespace {

template <class Agent>
void run(Agent& agent, const std::stop_token& stop) {
    agent.on_start();
    while (!stop.stop_requested())
        if (agent.do_work(system_time().value) == 0)
            std::this_thread::sleep_for(std::chrono::microseconds{200});
    agent.on_close();
}

}  // namespace

Timestamp system_time() {
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(
                std::chrono::system_clock::now().time_since_epoch())
                .count()};
}

JournalHelpers::JournalHelpers(journal::Journal& journal)
    : keeper_{[&journal](const std::stop_token& stop) { run(journal.keeper(), stop); }},
      syncer_{[&journal](const std::stop_token& stop) { run(journal.syncer(), stop); }} {}

}  // namespace damrak::app
