// A command script through the matching engine, alone or by the rules and the timetable of a venue:
// what the exchange would do at those times, with the events of every command.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <damrak/script/command_script.hpp>
#include <damrak/venue/venue_run.hpp>

namespace damrak::script {

/// Of an engine for scripts: commands give the ids of orders.
[[nodiscard]] EngineConfig script_config();

class ScriptRun {
  public:
    /// An event of a run, with what caused it.
    struct Told {
        std::uint32_t line = 0;  ///< zero: a command of the venue, or an order that expired
        const Command* command = nullptr;
        const Event* event = nullptr;  ///< null: the line shows the book of command->instrument
    };

    /// By the rules of a venue, or null. The seed is that of random ends.
    explicit ScriptRun(std::shared_ptr<const venue::Venue> venue, std::uint64_t seed = 1);

    /// Applies all steps. The error is a rule that an instrument cannot have.
    [[nodiscard]] std::expected<void, std::string> run(
        std::span<const ScriptStep> steps, const std::function<void(const Told&)>& tell);
    [[nodiscard]] const Engine& engine() const { return run_.engine(); }

  private:
    venue::VenueRun run_;
    const std::function<void(const Told&)>* tell_ = nullptr;
    const ScriptStep* step_ = nullptr;  ///< whose command is applied
};

}  // namespace damrak::script
