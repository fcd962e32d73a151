// Shortens a failing list of commands: drops commands, then simplifies their fields, as long as the
// list still fails. Order ids are adapted: if an earlier command is dropped, a cancel or replace
// still refers to the same order. Each attempt runs in its own process, so that an assertion in the
// subject is a failure like any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <damrak/domain/command.hpp>

#include "support/command_stream.hpp"
#include "support/differential/subject.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::differential {

/// A command, and the step whose order it refers to (k_absolute: none).
struct Step {
    static constexpr std::size_t k_absolute = SIZE_MAX;
    Command command{};
    std::size_t serial = 0;  ///< identifies the step for `origin`
    std::size_t origin = k_absolute;
};

struct Failure {
    std::vector<Command> commands;
    std::string finding;
};

/// The first `count` commands that a stream makes.
[[nodiscard]] std::vector<Step> record(CommandStream stream, std::size_t count);

/// The commands of the list with the ids that their orders get in it.
[[nodiscard]] std::vector<Command> resolve(const reference::Settings& settings,
                                           const std::vector<Step>& steps);

/// Runs a whole stream in a separate process. A failure is reported, and shrunk first by default.
[[nodiscard]] std::optional<Failure> run_stream(const StreamProfile& profile, std::uint64_t seed,
                                                std::size_t count, const SubjectFactory& factory,
                                                bool shrinking = true);

/// Runs these commands in this process and returns the failure, if any.
[[nodiscard]] std::optional<std::string> run_commands(const reference::Settings& settings,
                                                      const std::vector<Command>& commands,
                                                      const SubjectFactory& factory);

[[nodiscard]] Failure shrink(const reference::Settings& settings, std::vector<Step> steps,
                             const SubjectFactory& factory);

/// The commands, one per line, and the finding.
[[nodiscard]] std::string describe(const Failure& failure);

}  // namespace damrak::differential
