// A command script through the matching engine, alone or by the rules and the timetable of a venue:
// what the exchange would do at those times, with the events of every command.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/replay/command_script.hpp>
#include <damrak/venue/phase_clock.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::replay {

class ScriptRun {
  public:
    struct Told {
        std::uint32_t line = 0;  ///< zero: a command of the venue, or an order that expired
        const Command* command = nullptr;
        const Event* event = nullptr;  ///< null: the line shows the book of command->instrument
    };

    /// `venue`, if any, must outlive it. The seed is that of random ends.
    explicit ScriptRun(const venue::Venue* venue, std::uint64_t seed = 1);

    /// Applies all steps. The error is a rule that an instrument cannot have.
    [[nodiscard]] std::expected<void, std::string> run(
        std::span<const ScriptStep> steps, const std::function<void(const Told&)>& tell);
    [[nodiscard]] const Engine& engine() const { return engine_; }

  private:
    void apply(const Command& command, std::uint32_t line);
    void apply_at(const Command& command, Timestamp time);
    void go_on_until(Timestamp time);
    void lead(Timestamp time);
    [[nodiscard]] std::expected<void, std::string> set_rules(const Command& added);

    Engine engine_;
    const venue::Venue* venue_;
    std::optional<venue::PhaseClock> clock_;
    Timestamp now_{};
    const std::function<void(const Told&)>* tell_ = nullptr;
};

}  // namespace damrak::replay
