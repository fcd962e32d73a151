// The engine with somebody who takes all events of a command, for the tests that need no slices.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

    /// True under the rules of version 1 alone: work is left for a continuation.
    bool apply(const Command& command) {
        Engine::apply(command, [this](const Event& event) { sink_->on_event(event); });
        return left_work();
    }
    /// `f(i, work is left)` after each.
    template <class F>
    void apply(std::span<const Command> commands, F&& f) {
        apply_queued(commands, [&](std::size_t i, const Slice& slice) {
            for (const Event& event : slice) sink_->on_event(event);
            if (!slice.more) f(i, left_work());
        });
    }

  private:
    Sink* sink_;
};

}  // namespace damrak
