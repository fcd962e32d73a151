// Trades that the operator busts or corrects: docs/rule-book/busted-trades.md.
#include <cstddef>
#include <cstdint>

#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

void ReferenceEngine::change_trade(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    const ParticipantId seller = command.bust.seller;
    // Zero: a participant that was released.
    for (const ParticipantId side : {command.participant, seller})
        if (side && !knows(side)) return reject(command, Reason::unknown_participant);
    Instrument& market = instrument(command.instrument);
    if (const Reason r = check_quantity(market, command.quantity); r != Reason::none)
        return reject(command, r);
    if (command.price <= market.definition.floor()) return reject(command, Reason::invalid_price);
    const std::uint64_t trade = command.bust.trade.value;
    bool is_of_today = false;
    for (std::uint64_t n = market.settled_trades + 1; n <= market.trade_numbers; ++n)
        is_of_today |= trade == allocated_id(command.instrument, n);
    for (const ParticipantId side : {command.participant, seller})
        if (side && !state_.accounts.contains({command.instrument, side})) is_of_today = false;
    if (!is_of_today) return reject(command, Reason::unknown_trade);
    if (!market.changed_trades.contains(trade)) {
        if (market.changed_trades.size() >= 128) return reject(command, Reason::busts_full);
    } else {
        const ChangedTrade& last = market.changed_trades[trade];
        if (last.busted) return reject(command, Reason::trade_already_busted);
        if (last.price != command.price || last.quantity != command.quantity)
            return reject(command, Reason::unknown_trade);
    }
    const bool busts = command.kind == CommandKind::bust_trade;
    if (!busts && !is_sound_correction(market, command))
        return reject(command, Reason::invalid_correction);

    const Price price = busts ? command.price : command.bust.new_price;
    const Quantity quantity = busts ? command.quantity : command.bust.new_quantity;
    const ChangedTrade first{.at_first = command.quantity};
    ChangedTrade& now = market.changed_trades.try_emplace(trade, first).first->second;
    now.busted = busts;
    now.price = price;
    now.quantity = quantity;
    const Quantity more = (busts ? Quantity{} : quantity) - command.quantity;
    if (command.participant) state_.accounts[{command.instrument, command.participant}] += more;
    if (seller) state_.accounts[{command.instrument, seller}] -= more;

    Event event{};
    event.kind = busts ? EventKind::trade_busted : EventKind::trade_corrected;
    event.command = command.kind;
    event.instrument = command.instrument;
    event.reference = trade;
    event.price = price;
    event.quantity = quantity;
    if (!busts) event.remaining = command.quantity;
    if (!busts) event.displayed = Quantity{command.price.value};
    event.participant = command.participant;
    event.order_id = command.order_id;
    events_->push_back(event);
    event.side = Side::sell;
    event.flags = EventFlags::k_aggressor;
    event.participant = seller;
    event.order_id = command.new_order_id;
    events_->push_back(event);
}

bool ReferenceEngine::is_sound_correction(const Instrument& market, const Command& command) const {
    const BustDetails& wanted = command.bust;
    const auto before = market.changed_trades.find(wanted.trade.value);
    const Quantity at_first =
        before == market.changed_trades.end() ? command.quantity : before->second.at_first;
    if (wanted.new_quantity > at_first ||
        check_quantity(market, wanted.new_quantity) != Reason::none)
        return false;
    if (wanted.new_price == command.price) return wanted.new_quantity != command.quantity;
    return check_price(market, wanted.new_price, Reason::invalid_price) == Reason::none;
}

}  // namespace damrak::reference
