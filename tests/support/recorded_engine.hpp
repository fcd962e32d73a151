// The engine with a sink that keeps the events, compiled once for all tests that use it.
#pragma once

#include <vector>

#include <damrak/engine/engine.hpp>

namespace damrak {

struct EventRecorder {
    std::vector<Event> events;
    void on_event(const Event& event) { events.push_back(event); }
};

extern template class Engine<EventRecorder>;

}  // namespace damrak
