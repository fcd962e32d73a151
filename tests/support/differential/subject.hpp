// Interface of the matching engine under the differential test: the real one, or, in tests of the
// test itself, the model with a planted fault.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>

#include "support/reference/reference_engine.hpp"

namespace damrak::differential {

class Subject {
  public:
    Subject() = default;
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;
    virtual ~Subject() = default;

    /// Replaces the contents of `events` by the events of the command.
    virtual void apply(const Command& command, std::vector<Event>& events) = 0;
    /// The same for commands that are already queued, as in a replay.
    virtual void apply_queued(std::span<const Command> commands) {
        std::vector<Event> events;
        for (const Command& command : commands) apply(command, events);
    }
    [[nodiscard]] virtual std::uint64_t state_hash() const = 0;
    /// Slow; ends the process if the state is invalid.
    virtual void check_invariants() const = 0;
};

using SubjectFactory = std::function<std::unique_ptr<Subject>(const reference::Settings& settings)>;

}  // namespace damrak::differential
