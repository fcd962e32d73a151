// Commands that change the phase and the rules of an instrument.
#include <algorithm>
#include <array>
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
                     .call = static_cast<CallKind>(below(5)),
                     .cause = static_cast<HaltCause>(percent(3) ? below(8) : 0)};
    if (profile_.mix.auction != 0 && percent(20))
        command.phase.restrictions =
            static_cast<std::uint8_t>(percent(97) ? 1U << below(4) : below(256));
    if (percent(profile_.sealed))
        command.phase.sealed = static_cast<std::uint8_t>(percent(97) ? 1 : below(4));
    return command;
}

Command CommandStream::make_uncross() {
    Command command{};
    command.kind = CommandKind::uncross;
    command.instrument = any_instrument();
    command.phase.phase = percent(80) ? Phase::continuous : static_cast<Phase>(below(5));
    if (percent(profile_.sealed)) command.phase.phase = Phase::call;
    if (percent(20)) command.phase.conditions = static_cast<std::uint8_t>(below(9));
    return command;
}

/// Margins of a few ticks, so that they are often reached.
Command CommandStream::make_set_price_limits() {
    Command command{};
    command.kind = CommandKind::set_price_limits;
    command.instrument = any_instrument();
    const auto market = markets_.find(command.instrument);
    const auto tick = market == markets_.end() ? std::int64_t{100}
                                               : market->second.definition.common_tick().value;
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
        .auction_corridor = margin(),
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
    const std::int64_t tick = market->second.definition.common_tick().value;
    const std::int64_t middle = market->second.middle.value;
    const auto about = [&](std::int64_t steps) {
        const std::int64_t price = middle + steps * tick + between(0, 1);
        const bool above_zero = market->second.definition.minimum_price().value == 0;
        return Price{above_zero ? std::max<std::int64_t>(0, price) : price};
    };
    const auto wide = static_cast<std::int64_t>(profile_.price_steps);
    command.price_band = {.lower = about(between(-wide, 0)),
                          .upper = about(between(percent(5) ? -wide : 0, wide)),
                          .reference = percent(60) ? about(between(-2, 2)) : Price{}};
    if (percent(20)) {
        command.flags = CommandFlags::k_auction_collar;
        command.quantity = Quantity{between(-1, 2)};
    }
    if (percent(20)) command.flags |= CommandFlags::k_daily;
    return command;
}

/// The policies of venues, and any steps; rarely ones that do not fit together.
Command CommandStream::make_set_allocation() {
    using enum AllocationStep;
    using Steps = std::array<AllocationStep, 5>;
    constexpr auto k_policies = std::to_array<Steps>({
        {none},
        {pro_rata},
        {top, pro_rata},
        {top, lead_makers, split, pro_rata, leveling},
        {top, lead_makers, split, pro_rata},
        {top, lead_makers, pro_rata},
        {top, lead_makers},
        {lead_makers},
        {size},
        {same_broker},
        {split, size},
        {same_broker, top, pro_rata, leveling},
    });
    Command command{};
    command.kind = CommandKind::set_allocation;
    command.instrument = any_instrument();
    const auto market = markets_.find(command.instrument);
    const std::int64_t lot =
        market == markets_.end() ? 1 : market->second.definition.lot_size.value;
    AllocationDetails rules{.steps = k_policies.at(below(k_policies.size()))};
    if (percent(10))
        for (AllocationStep& step : rules.steps) step = static_cast<AllocationStep>(below(9));
    const bool splits = std::ranges::find(rules.steps, split) != rules.steps.end();
    if (splits || percent(5)) rules.split_basis_points = static_cast<std::uint16_t>(below(10'010));
    rules.split_rounding = static_cast<std::uint8_t>(percent(97) ? below(3) : below(5));
    if (percent(50)) rules.top_minimum = Quantity{lot * between(0, 6)};
    if (percent(50)) rules.top_maximum = Quantity{rules.top_minimum.value + between(-1, 9 * lot)};
    if (percent(50)) rules.pro_rata_minimum = Quantity{lot * between(0, 3)};
    command.allocation = rules;
    return command;
}

Command CommandStream::make_set_lead_maker() {
    Command command{};
    command.kind = CommandKind::set_lead_maker;
    command.instrument = any_instrument();
    command.participant = ParticipantId{1 + below(profile_.participants)};
    command.lead_maker.basis_points =
        static_cast<std::uint16_t>(percent(20) ? 0 : below(percent(95) ? 6'000 : 11'000));
    return command;
}

void CommandStream::remember_trade(const Event& event) {
    constexpr std::size_t k_most_trades = 20;
    std::deque<Trade>& trades = markets_.at(event.instrument).trades;
    if (trades.empty() || trades.back().id != event.trade_id()) trades.push_back({});
    if (trades.size() > k_most_trades) trades.pop_front();
    Trade& trade = trades.back();
    trade.id = event.trade_id();
    trade.price = event.price;
    trade.quantity = event.quantity;
    const bool buy = event.side == Side::buy;
    (buy ? trade.buyer : trade.seller) = event.participant;
    (buy ? trade.buy : trade.sell) = event.order_id;
}

void CommandStream::note_correction(const Event& event) {
    for (Trade& trade : markets_.at(event.instrument).trades) {
        if (trade.id != event.trade_id()) continue;
        trade.price = event.price;
        trade.quantity = event.quantity;
    }
}

/// Of a trade that took place, perhaps before, and sometimes of none.
Command CommandStream::make_bust_trade() {
    Command command{};
    command.kind = CommandKind::bust_trade;
    command.instrument = any_instrument();
    const auto market = markets_.find(command.instrument);
    if (market == markets_.end() || market->second.trades.empty()) return command;
    const auto& trades = market->second.trades;
    const Trade& trade = trades[below(static_cast<std::uint32_t>(trades.size()))];
    command.participant = trade.buyer;
    command.order_id = trade.buy;
    command.new_order_id = trade.sell;
    command.price = trade.price;
    command.quantity = trade.quantity;
    command.bust = {.trade = trade.id, .seller = trade.seller};
    if (percent(10)) command.bust.trade.value += static_cast<std::uint64_t>(between(-40, 40));
    if (percent(8)) command.bust.seller = ParticipantId{below(profile_.participants + 2)};
    return command;
}

/// Of any trade to other terms, most of which are sound.
Command CommandStream::make_correct_trade() {
    Command command = make_bust_trade();
    command.kind = CommandKind::correct_trade;
    const auto market = markets_.find(command.instrument);
    if (market == markets_.end()) return command;
    const InstrumentDefinition& definition = market->second.definition;
    command.bust.new_price = command.price;
    if (percent(60))
        command.bust.new_price += Price{definition.common_tick().value * between(-3, 3)};
    if (percent(5)) command.bust.new_price = Price{between(-1, 1)};
    command.bust.new_quantity = command.quantity;
    if (percent(60))
        command.bust.new_quantity += Quantity{definition.lot_size.value * between(-3, 2)};
    if (percent(5)) command.bust.new_quantity = Quantity{between(-1, 1)};
    return command;
}

/// Around the middle, or both sides near the last ones of the participant; sometimes crossed.
Command CommandStream::make_quote() {
    Command command{};
    command.kind = CommandKind::quote;
    command.instrument = any_instrument();
    command.participant = ParticipantId{1 + below(profile_.participants)};
    const auto market = markets_.find(command.instrument);
    if (market == markets_.end()) return command;
    command.order_id = fresh_id();
    command.new_order_id = fresh_id();
    command.quote = QuoteDetails{};
    if (!percent(12)) {
        command.price = price_near(market->second, between(-3, 1));
        command.quantity = any_quantity(market->second);
    }
    if (!percent(12)) {
        command.quote.ask_price = price_near(market->second, between(percent(5) ? -3 : 0, 4));
        command.quote.ask_quantity = any_quantity(market->second);
    }
    if (percent(profile_.mix.self_trade_prevention))
        command.self_trade_prevention = static_cast<SelfTradePrevention>(between(1, 5));
    if (percent(1)) spoil_number(command.quote.ask_price.value);
    if (percent(1)) spoil_number(command.quote.ask_quantity.value);
    return command;
}

Command CommandStream::make_set_quote_protection() {
    Command command{};
    command.kind = CommandKind::set_quote_protection;
    command.instrument = any_instrument();
    command.participant = ParticipantId{1 + below(profile_.participants)};
    command.quote_protection = QuoteProtectionDetails{};
    if (percent(15)) return command;
    const auto market = markets_.find(command.instrument);
    const std::int64_t lot =
        market == markets_.end() ? 1 : market->second.definition.lot_size.value;
    command.quote_protection = {.maximum = Quantity{lot * between(percent(5) ? -1 : 1, 30)},
                                .window = between(percent(3) ? -1 : 1, 20'000)};
    return command;
}

}  // namespace damrak
