// The engine with a collector of all events of a command, for tests that do not need slices.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

struct EventRecorder {
    std::vector<Event> events;
    void on_event(const Event& event) { events.push_back(event); }
};

template <class Sink>
class EngineInto : public Engine {
  public:
    EngineInto(const EngineConfig& config, Sink& sink) : Engine(config), sink_(&sink) {}

    void apply(const Command& command) {
        for (Slice slice = Engine::apply(command);; slice = resume()) {
            DAMRAK_ASSERT(slice.count <= config().maximum_events);
            for (const Event& event : slice) sink_->on_event(event);
            if (!slice.more) return;
        }
    }
    /// Calls `f(i)` after each command.
    template <class F>
    void apply(std::span<const Command> commands, F&& f) {
        apply_queued(commands, [&](std::size_t i, const Slice& slice) {
            for (const Event& event : slice) sink_->on_event(event);
            if (!slice.more) f(i);
        });
    }

  private:
    Sink* sink_;
};

}  // namespace damrak
