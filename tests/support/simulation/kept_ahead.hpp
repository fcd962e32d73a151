// What simulated processes of any door have in common: the sequencer, which is the journal's thread
// as well, so that the next segment is there before a command wants it; who hears it, and may be
// ended between two of its steps; and an exchange small enough for thousands of worlds.
#pragma once

#include <functional>

#include <damrak/sequencer/sequencer.hpp>

namespace damrak::simulation {

template <class Listener>
class KeptAhead : public sequencer::Sequencer<Listener> {
  public:
    using Base = sequencer::Sequencer<Listener>;
    using Base::Base;

    [[nodiscard]] bool submit(const Command& command, const Origin& origin, Timestamp now) {
        keep_ahead();
        return Base::submit(command, origin, now);
    }
    [[nodiscard]] bool do_work(Timestamp now) {
        keep_ahead();
        return Base::do_work(now);
    }
    std::function<void()> keep_ahead{};
};

/// Passes on to the process's doors; its `place_` comes before each, where the process may end.
template <class Process>
struct Relay {
    Process* process = nullptr;

    void on_kept() const {
        process->place_();
        process->doors_.on_kept();
    }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) const {
        process->place_();
        process->doors_.on_event(event, origin, stamp);
    }
    void on_command_end(const Origin& origin) const { process->doors_.on_command_end(origin); }
    void on_replayed(const Event& event) const { process->doors_.on_replayed(event); }
};

[[nodiscard]] inline EngineConfig small_engine() {
    return {.maximum_instruments = 4,
            .maximum_participants = 40,
            .maximum_orders = 4'000,
            .maximum_extensions = 100,
            .maximum_accounts = 200,
            .maximum_levels = 500,
            .maximum_ladder_nodes = 500};
}

}  // namespace damrak::simulation
