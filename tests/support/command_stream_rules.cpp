// Commands that change the phase and the rules of an instrument.
#include <algorithm>
#include <cstdint>

#include "support/command_stream.hpp"

namespace damrak {

/// Mostly towards a call, which an uncross then ends.
Command CommandStream::make_set_phase() {
    Command command{};
    command.kind = CommandKind::set_phase;
    command.instrument = any_instrument();
    command.phase = {.phase = percent(65) ? Phase::call : static_cast<Phase>(below(5)),
                     .auction = static_cast<AuctionRule>(below(5)),
                     .call = static_cast<CallKind>(below(5))};
    return command;
}

Command CommandStream::make_uncross() {
    Command command{};
    command.kind = CommandKind::uncross;
    command.instrument = any_instrument();
    command.phase.phase = percent(80) ? Phase::continuous : static_cast<Phase>(below(5));
    return command;
}

/// Margins of a few ticks, so that they are often reached.
Command CommandStream::make_set_price_limits() {
    Command command{};
    command.kind = CommandKind::set_price_limits;
    command.instrument = any_instrument();
    const auto market = markets_.find(command.instrument);
    const auto tick = market == markets_.end() ? std::int64_t{100}
                                               : market->second.definition.smallest_tick().value;
    const auto margin = [&]() -> PriceLimitDetails::Margin {
        if (percent(40)) return {};
        const std::int64_t ticks =
            tick * between(0, 2 * std::int64_t{profile_.price_steps}) + between(0, 1);
        return {.basis_points = percent(50) ? below(12) : 0,
                .at_least = static_cast<std::uint32_t>(ticks)};
    };
    command.price_limits = {
        .dynamic_corridor = margin(),
        .static_corridor = margin(),
        .market_collar = margin(),
        .entry_limit = margin(),
        .on_breach = static_cast<OnBreach>(below(percent(3) ? 4 : 3)),
        .on_own_cross = static_cast<OnOwnCross>(below(percent(3) ? 4 : 3)),
        .refuse_reached_stops = static_cast<std::uint8_t>(below(2)),
    };
    if (percent(3)) command.price_limits.entry_limit.basis_points = 10'001;
    return command;
}

Command CommandStream::make_set_price_band() {
    Command command{};
    command.kind = CommandKind::set_price_band;
    command.instrument = any_instrument();
    const auto market = markets_.find(command.instrument);
    if (market == markets_.end() || percent(25)) return command;
    const std::int64_t tick = market->second.definition.smallest_tick().value;
    const std::int64_t middle = market->second.middle.value;
    const auto about = [&](std::int64_t steps) {
        return Price{std::max<std::int64_t>(0, middle + steps * tick + between(0, 1))};
    };
    const auto wide = static_cast<std::int64_t>(profile_.price_steps);
    command.price_band = {.lower = about(between(-wide, 0)),
                          .upper = about(between(percent(5) ? -wide : 0, wide)),
                          .reference = percent(60) ? about(between(-2, 2)) : Price{}};
    return command;
}

}  // namespace damrak
