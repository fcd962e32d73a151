// One run of the differential test: each command goes to the subject and to the reference model,
// and all results are checked. `finish` replays the commands into a second subject and compares
// state hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>

#include "support/differential/event_audit.hpp"
#include "support/differential/subject.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::differential {

class Comparison {
  public:
    Comparison(const reference::Settings& settings, SubjectFactory factory);

    /// Returns a description of the first difference, or nothing.
    [[nodiscard]] std::optional<std::string> step(const Command& command);
    [[nodiscard]] std::optional<std::string> finish();

    /// Events of the model for the last command.
    [[nodiscard]] const std::vector<Event>& events() const { return expected_; }
    [[nodiscard]] const reference::ReferenceEngine& model() const { return model_; }

  private:
    using Finding = std::optional<std::string>;

    [[nodiscard]] Finding compare_events() const;
    [[nodiscard]] Finding compare_hash(std::uint64_t before, std::uint64_t after) const;
    [[nodiscard]] Finding check_now_and_then();

    reference::Settings settings_;
    SubjectFactory factory_;
    std::unique_ptr<Subject> subject_;
    reference::ReferenceEngine model_;
    EventAudit audit_;
    std::vector<Event> expected_;
    std::vector<Event> actual_;
    std::vector<Command> commands_;
    std::vector<std::pair<std::size_t, std::uint64_t>> checkpoints_;
};

}  // namespace damrak::differential
