#include "support/command_stream.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

namespace damrak {

namespace {

// The command of a quote has its ask there.
Price stop_price_of(const Command& command) {
    return command.kind == CommandKind::quote ? Price{} : command.order.stop_price;
}

constexpr std::size_t k_remembered = 64;  ///< ids of closed orders, to be used again

}  // namespace

CommandStream::CommandStream(const StreamProfile& profile, std::uint64_t seed)
    : profile_{profile}, settings_{profile.settings}, random_{seed} {
    settings_.ids_in_commands = random_.coin();
    settings_.ids_apart = !settings_.ids_in_commands && seed % 2 == 1;
    for (std::uint32_t i = 1; i <= profile.instruments; ++i)
        queued_.push_back(make_add_instrument(InstrumentId{i}));
    if (profile.combined_lot != 0)
        for (std::uint32_t i = k_first_combination; i <= profile.instruments; ++i) {
            queued_.push_back(make_set_combination());
            queued_.back().instrument = InstrumentId{i};
        }
    for (std::uint32_t i = 0; i < profile.participants && profile.tight_limits; ++i)
        queued_.push_back(make_set_limits());
}

std::int64_t CommandStream::between(std::int64_t low, std::int64_t high) {
    return low + below(static_cast<std::uint32_t>(high - low + 1));
}

Command CommandStream::next() {
    now_ += between(0, 1000);
    Command command{};
    if (!queued_.empty()) {
        command = queued_.front();
        queued_.pop_front();
    } else if (!resumptions_.empty() && percent(10)) {
        command = resumptions_.front();
        resumptions_.pop_front();
    } else {
        drift_markets();
        command = make(choose_kind());
        if (percent(profile_.wrong)) spoil(command);
    }
    command.timestamp = Timestamp{now_};
    if (percent(20)) command.client_order_id = ClientOrderId{++client_ids_};
    return command;
}

CommandKind CommandStream::choose_kind() {
    const CommandWeights& w = profile_.weights;
    // Below the target few orders are removed, above it many.
    const std::uint32_t leaving =
        open_.size() > profile_.open_target ? 3 * w.cancel_order : w.cancel_order / 2 + 1;
    const auto weights = std::to_array<std::pair<CommandKind, std::uint32_t>>({
        {CommandKind::new_order, w.new_order},
        {CommandKind::cancel_order, leaving},
        {CommandKind::replace_order, w.replace_order},
        {CommandKind::mass_cancel, w.mass_cancel},
        {CommandKind::query_order, w.query_order},
        {CommandKind::add_instrument, w.add_instrument},
        {CommandKind::add_tick_band, w.add_tick_band},
        {CommandKind::set_trading_state, w.set_trading_state},
        {CommandKind::set_limits, w.set_limits},
        {CommandKind::set_participant_state, w.set_participant_state},
        {CommandKind::tick, w.tick},
        {CommandKind::end_day, w.end_day},
        {CommandKind::recorded_trade, w.recorded_trade},
        {CommandKind::set_phase, w.set_phase},
        {CommandKind::uncross, w.uncross},
        {CommandKind::set_price_limits, w.set_price_limits},
        {CommandKind::set_price_band, w.set_price_band},
        {CommandKind::set_allocation, w.set_allocation},
        {CommandKind::set_lead_maker, w.set_lead_maker},
        {CommandKind::bust_trade, w.bust_trade},
        {CommandKind::correct_trade, w.correct_trade},
        {CommandKind::quote, w.quote},
        {CommandKind::set_quote_protection, w.set_quote_protection},
        {CommandKind::set_combination, w.set_combination},
    });
    std::uint32_t sum = 0;
    for (const auto& [kind, weight] : weights) sum += weight;
    std::uint32_t drawn = below(sum);
    for (const auto& [kind, weight] : weights) {
        if (drawn < weight) return kind;
        drawn -= weight;
    }
    return CommandKind::new_order;
}

Command CommandStream::make(CommandKind kind) {
    Command command{};
    command.kind = kind;
    switch (kind) {
        case CommandKind::new_order:
            return make_new_order();
        case CommandKind::cancel_order:
            return make_cancel();
        case CommandKind::replace_order:
            return make_replace();
        case CommandKind::mass_cancel:
            return make_mass_cancel();
        case CommandKind::query_order:
            return make_query();
        case CommandKind::recorded_trade:
            return make_recorded_trade();
        case CommandKind::add_instrument:
            return make_add_instrument(InstrumentId{1 + below(settings_.maximum_instruments)});
        case CommandKind::add_tick_band:
            return make_add_tick_band();
        case CommandKind::set_limits:
            return make_set_limits();
        case CommandKind::set_phase:
            return make_set_phase();
        case CommandKind::uncross:
            return make_uncross();
        case CommandKind::set_price_limits:
            return make_set_price_limits();
        case CommandKind::set_price_band:
            return make_set_price_band();
        case CommandKind::set_allocation:
            return make_set_allocation();
        case CommandKind::set_lead_maker:
            return make_set_lead_maker();
        case CommandKind::bust_trade:
            return make_bust_trade();
        case CommandKind::correct_trade:
            return make_correct_trade();
        case CommandKind::quote:
            return make_quote();
        case CommandKind::set_quote_protection:
            return make_set_quote_protection();
        case CommandKind::set_combination:
            return make_set_combination();
        case CommandKind::set_trading_state:
            command.instrument = any_instrument();
            command.trading_state = percent(25) ? TradingState::halted : TradingState::trading;
            if (percent(20)) command.flags = CommandFlags::k_market_wide;
            return command;
        case CommandKind::set_participant_state:
            command.participant = ParticipantId{1 + below(profile_.participants)};
            command.participant_state = static_cast<ParticipantState>(percent(30) ? 1 : 0);
            return command;
        case CommandKind::end_day:
            if (percent(70)) command.instrument = any_instrument();
            if (percent(50)) command.flags = CommandFlags::k_all_of_anonymous;
            return command;
        default:  // of the exchange itself
            return command;
    }
}

Command CommandStream::make_mass_cancel() {
    Command command{};
    command.kind = CommandKind::mass_cancel;
    if (percent(70)) command.instrument = any_instrument();
    if (percent(80)) command.participant = ParticipantId{1 + below(profile_.participants)};
    command.side = static_cast<Side>(below(2));
    if (percent(50)) command.flags = CommandFlags::k_both_sides;
    return command;
}

Command CommandStream::make_query() {
    Command command = make_cancel();
    command.kind = CommandKind::query_order;
    command.quantity = {};
    return command;
}

/// Ticks, lots and decimals differ from instrument to instrument.
Command CommandStream::make_add_instrument(InstrumentId id) {
    constexpr auto k_ticks = std::to_array<std::int64_t>({100, 1, 25, 10'000, 7});
    constexpr auto k_lots = std::to_array<std::int64_t>({1, 1, 10, 100, 3});
    Command command{};
    command.kind = CommandKind::add_instrument;
    command.instrument = id;
    command.definition = InstrumentDetails{};
    command.definition.symbol = Symbol::of("SYMBOL");
    command.definition.tick_size = Price{k_ticks.at(below(k_ticks.size()))};
    command.definition.lot_size = Quantity{k_lots.at(below(k_lots.size()))};
    command.definition.price_decimals = 4;
    command.definition.maximum_price = k_published_maximum_price;
    command.definition.maximum_quantity = k_published_maximum_quantity;
    if (profile_.extreme && percent(60)) {
        command.definition.unpublished = 1;
        const std::int64_t quantity = std::int64_t{1} << between(20, 36);
        command.definition.maximum_quantity = Quantity{quantity};
        command.definition.maximum_price = Price{k_largest_number / quantity};
    }
    if (profile_.combined_lot != 0) define_combined(id, command.definition);
    if (profile_.below_zero && percent(90)) {
        command.definition.unpublished = percent(97) ? 1 : 0;
        command.definition.minimum_price =
            Price{-command.definition.tick_size.value * between(1, 400)};
        if (percent(3)) ++command.definition.minimum_price.value;
    }
    return command;
}

/// A band that begins close to current prices, so that there are orders on both sides of it.
Command CommandStream::make_add_tick_band() {
    Command command{};
    command.kind = CommandKind::add_tick_band;
    command.instrument = any_instrument();
    const auto market = markets_.find(command.instrument);
    TickBand band{Price{10'000}, Price{100}};
    if (market != markets_.end()) {
        const std::int64_t tick = market->second.definition.common_tick().value;
        const std::int64_t wider = tick * between(1, 4);
        const std::int64_t start = market->second.middle.value + between(-3, 3) * tick;
        band = {Price{start - start % wider}, Price{wider}};
    }
    command.tick_band = band;
    return command;
}

Command CommandStream::make_set_limits() {
    Command command{};
    command.kind = CommandKind::set_limits;
    command.participant = ParticipantId{1 + below(profile_.participants)};
    command.limits = LimitDetails{};
    const InstrumentId id = any_instrument();
    const auto market = markets_.find(id);
    const std::int64_t lot =
        market == markets_.end() ? 1 : market->second.definition.lot_size.value;
    const std::int64_t price =
        market == markets_.end() ? 10'000 : 1 + std::abs(market->second.middle.value);
    const std::int64_t usual = lot * profile_.lots;
    if (percent(50)) command.limits.order_quantity = Quantity{usual * between(1, 8)};
    if (percent(50)) command.limits.order_notional = usual * price * between(1, 6);
    if (percent(50)) command.limits.open_orders = between(0, 60);
    if (percent(50)) command.limits.open_notional = usual * price * between(1, 40);
    if (percent(50)) command.limits.position = Quantity{usual * between(0, 40)};
    return command;
}

InstrumentId CommandStream::any_instrument() {
    if (markets_.empty()) return InstrumentId{1};
    return std::next(markets_.begin(), below(static_cast<std::uint32_t>(markets_.size())))->first;
}

const CommandStream::OpenOrder* CommandStream::any_order() {
    if (open_.empty()) return nullptr;
    return &open_[below(static_cast<std::uint32_t>(open_.size()))];
}

/// Prices drift; now and then one runs away, so that stops trigger each other.
void CommandStream::drift_markets() {
    for (auto& [id, market] : markets_) {
        if (market.drift_left == 0 && below(1000) < profile_.swing) {
            market.drift = below(2) == 0 ? -1 : 1;
            market.drift_left = 5 + below(25);
        }
        const bool runs = market.drift_left > 0;
        if (runs) --market.drift_left;
        if (!runs && below(1000) >= 15) continue;
        const std::int64_t steps = runs ? market.drift : between(-1, 1);
        const Price moved = price_near(market, steps);
        const std::int64_t margin =
            (profile_.price_steps + 2) * market.definition.tick_size_at(moved).value;
        const Price lowest = market.definition.floor() + Price{margin};
        if (moved > lowest && moved.value < market.definition.maximum_price.value - margin)
            market.middle = moved;
    }
    follow_legs();
}

void CommandStream::observe(const Command& command, const std::vector<Event>& events) {
    for (const Event& event : events) learn(command, event);
}

void CommandStream::learn(const Command& command, const Event& event) {
    OpenOrder* const order = open_order(event.instrument, event.order_id);
    switch (event.kind) {
        case EventKind::accepted:
            open_.push_back({.instrument = event.instrument,
                             .id = event.order_id,
                             .participant = event.participant,
                             .side = event.side,
                             .type = event.order_type,
                             .price = event.price,
                             .stop_price = stop_price_of(command),
                             .remaining = event.remaining});
            break;
        case EventKind::replaced:
            if (order == nullptr) break;
            order->id = event.new_order_id();
            order->price = event.price;
            order->stop_price = stop_price_of(command);
            order->remaining = event.remaining;
            break;
        case EventKind::triggered:
            if (order == nullptr) break;
            order->type = event.order_type;
            if (!has_flag(event, EventFlags::k_waiting)) order->stop_price = {};
            break;
        case EventKind::executed:
            remember_trade(event);
            [[fallthrough]];
        case EventKind::cancelled:
        case EventKind::expired:
            if (order != nullptr) order->remaining = event.remaining;
            if (event.remaining.value == 0) forget(event.instrument, event.order_id);
            break;
        case EventKind::trade_corrected:
            if (percent(80)) note_correction(event);
            break;
        case EventKind::instrument_added: {
            Market market;
            market.definition.tick_bands[0] = {command.definition.minimum_price,
                                               command.definition.tick_size};
            market.definition.lot_size = command.definition.lot_size;
            market.definition.maximum_price = command.definition.maximum_price;
            market.definition.maximum_quantity = command.definition.maximum_quantity;
            const std::int64_t ticks =
                market.definition.maximum_price.value / command.definition.tick_size.value;
            const std::int64_t middle = between(profile_.extreme ? 1 : 20, 200);
            market.middle = Price{std::min(middle, ticks) * command.definition.tick_size.value};
            if (market.definition.minimum_price().value < 0)
                market.middle = Price{between(-10, 10) * command.definition.tick_size.value};
            markets_[event.instrument] = market;
            if (profile_.extreme || (profile_.combined_lot == 0 && percent(30)))
                queued_.push_back(make_add_tick_band());
            break;
        }
        case EventKind::combination_set:
            markets_.at(event.instrument).combination = command.combination;
            break;
        case EventKind::tick_band_added:
            static_cast<void>(markets_.at(event.instrument).definition.add_band(command.tick_band));
            break;
        default:
            break;
    }
}

CommandStream::OpenOrder* CommandStream::open_order(InstrumentId instrument, OrderId id) {
    const auto found = std::ranges::find_if(open_, [&](const OpenOrder& order) {
        return order.id == id && order.instrument == instrument;
    });
    return found == open_.end() ? nullptr : &*found;
}

void CommandStream::forget(InstrumentId instrument, OrderId id) {
    OpenOrder* const order = open_order(instrument, id);
    if (order == nullptr) return;
    *order = open_.back();
    open_.pop_back();
    if (gone_.size() < k_remembered)
        gone_.push_back(id);
    else
        gone_[below(k_remembered)] = id;
}

}  // namespace damrak
