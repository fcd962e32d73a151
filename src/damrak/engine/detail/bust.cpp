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

// Takes the trade out of the position of one side.
void undo(EngineState& engine, const Command& command, Side side) {
    const bool buy = side == Side::buy;
    const ParticipantId participant = buy ? command.participant : command.bust.seller;
    if (participant)
        engine.accounts.trade(engine.accounts.find(participant, command.instrument), side,
                              -command.quantity);
    const EventFlags::Bits flags = buy ? EventFlags::Bits{0} : EventFlags::k_aggressor;
    engine.emit({.kind = EventKind::trade_busted,
                 .command = engine.progress.command,
                 .side = side,
                 .flags = flags,
                 .instrument = command.instrument,
                 .participant = participant,
                 .order_id = buy ? command.order_id : command.new_order_id,
                 .reference = command.bust.trade.value,
                 .price = command.price,
                 .quantity = command.quantity});
}

}  // namespace

Reason bust_trade(EngineState& engine, const Command& command) {
    if (engine.bounded()) return Reason::unknown_command;
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (!is_known(engine, command.participant) || !is_known(engine, command.bust.seller))
        return Reason::unknown_participant;
    if (const Reason reason = in->check_quantity(command.quantity); reason != Reason::none)
        return reason;
    if (command.price.value <= 0) return Reason::invalid_price;
    if (!is_of_today(*in, command.bust.trade) ||
        !has_account(engine, command.participant, command.instrument) ||
        !has_account(engine, command.bust.seller, command.instrument))
        return Reason::unknown_trade;
    if (engine.busted_trades.contains(command.bust.trade)) return Reason::trade_already_busted;
    if (engine.busted_trades.full()) return Reason::busts_full;
    engine.busted_trades.add(command.bust.trade);
    undo(engine, command, Side::buy);
    undo(engine, command, Side::sell);
    return Reason::none;
}

void settle_trades(EngineState& engine, const Command& end_day) {
    const CommandInSteps* const in_steps = engine.progress.in_steps;
    if (in_steps != nullptr && in_steps->step != CommandInSteps::Step::orders) return;
    const InstrumentId only = in_steps != nullptr ? in_steps->instrument : end_day.instrument;
    for (InstrumentState& in : engine.instruments) {
        if (!in.exists() || (only && in.id() != only)) continue;
        engine.busted_trades.remove_if([&](TradeId trade) { return is_of_today(in, trade); });
        in.settled_trades = in.trade_number;
    }
}

}  // namespace damrak::detail
