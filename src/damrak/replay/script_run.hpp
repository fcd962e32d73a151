// A command script through the matching engine, alone or by the rules and the timetable of a venue:
// what the exchange would do at those times, with the events of every command.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/replay/command_script.hpp>
#include <damrak/venue/phase_clock.hpp>
#include <damrak/venue/supervisor.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::replay {

class ScriptRun {
  public:
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
    [[nodiscard]] const Engine& engine() const { return engine_; }

  private:
    void apply(const Command& command, std::uint32_t line);
    void apply_at(const Command& command, Timestamp time);
    void go_on_until(Timestamp time);
    void lead(Timestamp time);
    void obey_supervisor(Timestamp time);
    [[nodiscard]] std::expected<void, std::string> set_rules(const Command& added);

    Engine engine_;
    std::shared_ptr<const venue::Venue> venue_;
    std::optional<venue::PhaseClock> clock_;
    std::unique_ptr<venue::Supervisor> supervisor_;
    Timestamp now_{};
    const std::function<void(const Told&)>* tell_ = nullptr;
};

}  // namespace damrak::replay
