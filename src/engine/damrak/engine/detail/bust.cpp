#include <damrak/engine/detail/bust.hpp>

namespace damrak::detail {

namespace {

bool is_of_today(const InstrumentState& in, TradeId trade) {
    return trade.value > allocated_id(in.id(), in.settled_trades) &&
           trade.value <= allocated_id(in.id(), in.trade_number);
}

// A side without a participant is that of one that was released.
bool is_known(const EngineState& engine, ParticipantId participant) {
    return !participant || engine.accounts.is_valid(participant);
}
bool has_account(const EngineState& engine, ParticipantId participant, InstrumentId instrument) {
    return !participant || engine.accounts.find(participant, instrument) != 0;
}

Reason check_trade(const EngineState& engine, const Command& command) {
    const InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (!is_known(engine, command.participant) || !is_known(engine, command.bust.seller))
        return Reason::unknown_participant;
    if (const Reason reason = in->check_quantity(command.quantity); reason != Reason::none)
        return reason;
    if (command.price <= in->definition().floor()) return Reason::invalid_price;
    if (!is_of_today(*in, command.bust.trade) ||
        !has_account(engine, command.participant, command.instrument) ||
        !has_account(engine, command.bust.seller, command.instrument))
        return Reason::unknown_trade;
    const ChangedTrade* const changed = engine.changed_trades.find(command.bust.trade.value);
    if (changed == nullptr)
        return engine.changed_trades.full(command.instrument) ? Reason::busts_full : Reason::none;
    if (changed->quantity == Quantity{}) return Reason::trade_already_busted;
    const bool is_same = changed->price == command.price && changed->quantity == command.quantity;
    return is_same ? Reason::none : Reason::unknown_trade;
}

Quantity traded_at_first(const EngineState& engine, const Command& command) {
    const ChangedTrade* const changed = engine.changed_trades.find(command.bust.trade.value);
    return changed == nullptr ? command.quantity : changed->traded;
}

bool is_sound(const EngineState& engine, const Command& command) {
    const InstrumentState& in = *engine.find_instrument(command.instrument);
    const auto& [trade, seller, price, quantity] = command.bust;
    if (quantity > traded_at_first(engine, command) || in.check_quantity(quantity) != Reason::none)
        return false;
    // The price of an auction may be between two ticks.
    if (price == command.price) return quantity != command.quantity;
    Tick tick = 0;
    return in.check_price(price, Reason::invalid_price, tick) == Reason::none;
}

// Moves the position of one side to what the trade is from now on.
void change_side(EngineState& engine, const Command& command, const ChangedTrade& to, Side side) {
    const bool buy = side == Side::buy;
    const bool busts = command.kind == CommandKind::bust_trade;
    const ParticipantId participant = buy ? command.participant : command.bust.seller;
    if (participant)
        engine.accounts.trade(engine.accounts.find(participant, command.instrument), side,
                              to.quantity - command.quantity);
    engine.emit({.kind = busts ? EventKind::trade_busted : EventKind::trade_corrected,
                 .command = engine.progress.command,
                 .side = side,
                 .flags = buy ? EventFlags::Bits{0} : EventFlags::k_aggressor,
                 .instrument = command.instrument,
                 .participant = participant,
                 .order_id = buy ? command.order_id : command.new_order_id,
                 .reference = command.bust.trade.value,
                 .price = to.price,
                 .quantity = busts ? command.quantity : to.quantity,
                 .remaining = busts ? Quantity{} : command.quantity,
                 .displayed = {busts ? 0 : command.price.value}});
}

void change(EngineState& engine, const Command& command, Price price, Quantity quantity) {
    const ChangedTrade to{.trade = command.bust.trade,
                          .traded = traded_at_first(engine, command),
                          .price = price,
                          .quantity = quantity};
    engine.changed_trades.set(to);
    change_side(engine, command, to, Side::buy);
    change_side(engine, command, to, Side::sell);
}

}  // namespace

Reason bust_trade(EngineState& engine, const Command& command) {
    if (const Reason reason = check_trade(engine, command); reason != Reason::none) return reason;
    change(engine, command, command.price, Quantity{});
    return Reason::none;
}

Reason correct_trade(EngineState& engine, const Command& command) {
    if (const Reason reason = check_trade(engine, command); reason != Reason::none) return reason;
    if (!is_sound(engine, command)) return Reason::invalid_correction;
    change(engine, command, command.bust.new_price, command.bust.new_quantity);
    return Reason::none;
}

void settle_trades(EngineState& engine, const Command& end_day) {
    const CommandInSteps* const in_steps = engine.progress.in_steps;
    if (in_steps != nullptr && in_steps->step != CommandInSteps::Step::orders) return;
    const InstrumentId only = in_steps != nullptr ? in_steps->instrument : end_day.instrument;
    for (InstrumentState& in : engine.instruments) {
        if (!in.exists() || (only && in.id() != only)) continue;
        engine.changed_trades.remove_if(
            [&](const ChangedTrade& one) { return is_of_today(in, one.trade); });
        if (in.daily != DailyBand::none && !in.untraded_today()) in.daily = DailyBand::past;
        in.settled_trades = in.trade_number;
    }
}

}  // namespace damrak::detail
