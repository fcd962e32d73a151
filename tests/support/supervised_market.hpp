// A market by the rules of a venue in virtual time: an engine, what leads it through the sessions,
// and its supervisor. It keeps what these two do, one line a command.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/venue/phase_clock.hpp>
#include <damrak/venue/rule_commands.hpp>
#include <damrak/venue/supervisor.hpp>
#include <damrak/venue/venue_file.hpp>

#include "support/commands.hpp"

namespace damrak::testing {

[[nodiscard]] constexpr Timestamp at(int hour, int minute = 0, int second = 0) {
    return {((std::int64_t{hour} * 60 + minute) * 60 + second) * k_second_ns};
}

class SupervisedMarket {
  public:
    /// With this many instruments, S1 and further.
    explicit SupervisedMarket(std::string_view file, std::uint32_t instruments = 1)
        : venue(std::make_shared<const venue::Venue>(venue::parse_venue(file, "test").value())) {
        EngineConfig config;
        config.maximum_instruments = instruments;
        config.maximum_participants = 4;
        engine = std::make_unique<Engine>(config);
        for (std::uint32_t id = 1; id <= instruments; ++id) {
            apply(instrument_command(id, test_stock(fmt::format("S{}", id))));
            const InstrumentState& in = instrument(id);
            const auto rules = venue::rule_commands(venue->rules_of(in.definition().symbol.view()),
                                                    in.definition(), in.rules)
                                   .value();
            for (const Command& command : rules) apply(command);
        }
        restart();
    }

    [[nodiscard]] const InstrumentState& instrument(std::uint32_t id = 1) const {
        return *engine->instrument(InstrumentId{id});
    }
    /// Only the engine stays.
    void restart() {
        const auto timetable = venue::Timetable::make(*venue, 1).value();
        clock.emplace(*venue, timetable);
        supervisor = std::make_unique<venue::Supervisor>(venue, timetable);
        supervisor->begin(*engine, now);
    }
    /// What happens until then, included.
    void go_to(Timestamp time) {
        for (;;) {
            const Timestamp next = std::max(std::min(clock->next(), supervisor->next()), now);
            if (next > time) break;
            now = next;
            for (const Command& command : supervisor->due(now)) lead(command);
            for (const auto& one : supervisor->take_refusals())
                clock->on_refused(one.instrument, one.reason, one.time);
            if (!clock->is_due(now)) continue;
            std::vector<const InstrumentState*> all;
            for (std::uint32_t id = 1; id <= engine->config().maximum_instruments; ++id)
                all.push_back(&instrument(id));
            for (const Command& command : clock->due(now, all)) lead(command);
        }
        now = time;
    }
    /// Nothing arrives for that long: the exchange is down.
    void stand_still_until(Timestamp time) { now = time; }

    void buy(std::int64_t cents, std::int64_t quantity = 100, std::uint32_t id = 1) {
        enter(Side::buy, cents, quantity, id);
    }
    void sell(std::int64_t cents, std::int64_t quantity = 100, std::uint32_t id = 1) {
        enter(Side::sell, cents, quantity, id);
    }
    void trade(std::int64_t cents, std::uint32_t id = 1) {
        buy(cents, 100, id);
        sell(cents, 100, id);
        go_to(now);
    }
    void cancel_all() {
        Command command{};
        command.kind = CommandKind::mass_cancel;
        command.participant = ParticipantId{1};
        command.flags = CommandFlags::k_both_sides;
        apply(command);
        command.participant = ParticipantId{2};
        apply(command);
        go_to(now);
    }
    void set(TradingState state, std::uint32_t id = 1) {
        Command command = instrument_command(id);
        command.kind = CommandKind::set_trading_state;
        command.trading_state = state;
        apply(command);
        go_to(now);
    }
    Reason apply(const Command& given) const {
        Command command = given;
        command.timestamp = now;
        Reason refused{};
        engine->apply(command, [&](const Event& event) {
            if (event.kind == EventKind::rejected) refused = event.reason;
            if (supervisor) supervisor->on_event(event, now, *engine);
        });
        return refused;
    }

    std::vector<std::string> told() { return std::exchange(lines_, {}); }
    /// In cents.
    [[nodiscard]] std::string band(std::uint32_t id = 1) const {
        const PriceBandDetails& is = instrument(id).rules.price_band;
        return fmt::format("{}-{}", is.lower.value / 100, is.upper.value / 100);
    }

    std::shared_ptr<const venue::Venue> venue;
    std::unique_ptr<Engine> engine;
    std::optional<venue::PhaseClock> clock;
    std::unique_ptr<venue::Supervisor> supervisor;
    Timestamp now{};

  private:
    void enter(Side side, std::int64_t cents, std::int64_t quantity, std::uint32_t id) {
        apply(order_command(id, side == Side::buy ? 1 : 2, side, cents * 100, quantity));
        go_to(now);
    }
    void lead(const Command& command) {
        const Reason refused = apply(command);
        const std::int64_t seconds = now.value / k_second_ns;
        std::string line = fmt::format("{:02}:{:02}:{:02} S{} ", seconds / 3'600, seconds / 60 % 60,
                                       seconds % 60, command.instrument.value);
        if (command.kind == CommandKind::set_price_band)
            line += fmt::format("band {}", band(command.instrument.value));
        else if (command.kind == CommandKind::set_price_limits)
            line += fmt::format("corridor {}", command.price_limits.auction_corridor.basis_points);
        else if (command.kind == CommandKind::set_trading_state)
            line += command.trading_state == TradingState::halted ? "halt" : "resume";
        else
            line += fmt::format("{}{}", command.kind == CommandKind::uncross ? "uncross " : "",
                                name(command.phase.phase));
        if (command.kind == CommandKind::set_phase && command.phase.phase == Phase::call)
            line += fmt::format(" {}{}", name(command.phase.call),
                                command.phase.restrictions != 0 ? " restricted" : "");
        if (refused != Reason::none) line += fmt::format(": {}", name(refused));
        lines_.push_back(std::move(line));
    }

    std::vector<std::string> lines_;
};

}  // namespace damrak::testing
