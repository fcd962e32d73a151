// Section 12 of the rule book: trades of a recording.
#include <optional>
#include <vector>

#include "support/reference/meeting.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

Reason ReferenceEngine::check_recorded_trade(const Command& command) {
    if (!knows(command.instrument)) return Reason::unknown_instrument;
    if ((command.flags & ~CommandFlags::k_print_rest) != 0) return Reason::invalid_flags;
    if (!is_valid(command.side)) return Reason::invalid_side;
    if (command.order_id)
        if (const Reason r = check_target(command); r != Reason::none && r != Reason::unknown_order)
            return r;
    if (!knows(command.participant)) return Reason::unknown_participant;
    if (state_.participants[command.participant].state == ParticipantState::blocked)
        return Reason::participant_blocked;
    Instrument& market = instrument(command.instrument);
    if (const Reason r = check_phase(market, command); r != Reason::none) return r;
    if (const Reason r = check_quantity(market, command.quantity); r != Reason::none) return r;
    if (const Reason r = check_price(market, command.price, Reason::invalid_price);
        r != Reason::none)
        return r;
    if (const auto target = find(market, command.order_id))
        return target->at->place != Place::book || target->at->held ? Reason::invalid_state
                                                                    : Reason::none;
    const bool has_account = state_.accounts.contains({command.instrument, command.participant});
    return !has_account && state_.accounts.size() >= settings_.maximum_accounts
               ? Reason::accounts_full
               : Reason::none;
}

void ReferenceEngine::recorded_trade(const Command& command) {
    if (const Reason r = check_recorded_trade(command); r != Reason::none)
        return reject(command, r);
    Instrument& market = instrument(command.instrument);
    market.had_orders = true;
    state_.accounts.try_emplace({command.instrument, command.participant});
    Order tape;
    tape.instrument = command.instrument;
    tape.participant = command.participant;
    const auto found = find(market, command.order_id);
    tape.side = opposite(found ? found->at->side : command.side);
    tape.type = OrderType::market;
    tape.time_in_force = TimeInForce::ioc;
    tape.open = command.quantity;
    while (tape.open.value > 0) {
        const auto target = find(market, command.order_id);
        if (found && !target) break;
        if (const auto ahead = first_ahead(command, tape, target ? &*target->at : nullptr))
            trade(tape, *ahead->queue, ahead->at);
        else if (target)
            trade(tape, *target->queue, target->at, command.price);
        else
            break;
        remove_empty_levels(market);
    }
    if (tape.open.value > 0 && has_flag(command, CommandFlags::k_print_rest))
        print_rest(tape, command.price);
    cascade(command.instrument);
}

/// The first order in priority that belongs to another participant, up to the order of the
/// recording.
std::optional<Found> ReferenceEngine::first_ahead(const Command& command, const Order& tape,
                                                  const Order* target) {
    const Side side = opposite(tape.side);
    const BestFirst better{side};
    for (auto& [price, level] : instrument(tape.instrument).levels(side)) {
        if (target != nullptr ? better(target->price, price) : !better(price, command.price))
            return std::nullopt;
        std::vector<Found> places;
        for (auto at = level.displayed.begin(); at != level.displayed.end(); ++at)
            places.push_back({&level.displayed, at});
        auto hidden = level.hidden.begin();
        auto aside = level.aside.begin();
        while (hidden != level.hidden.end() || aside != level.aside.end()) {
            const bool none_hidden = hidden == level.hidden.end();
            if (none_hidden || (aside != level.aside.end() && aside->arrival < hidden->arrival))
                places.push_back({&level.aside, aside++});
            else
                places.push_back({&level.hidden, hidden++});
        }
        for (const Found& place : places) {
            if (&*place.at == target) return std::nullopt;
            if (place.at->participant != tape.participant && tape.open >= need(*place.at))
                return place;
        }
    }
    return std::nullopt;
}

void ReferenceEngine::print_rest(Order& tape, Price price) {
    Instrument& market = instrument(tape.instrument);
    Event event{};
    event.kind = EventKind::executed;
    event.reference = allocated_id(tape.instrument, ++market.trade_numbers);
    event.quantity = tape.open;
    event.price = price;
    tape.open = Quantity{0};
    Order unseen;
    unseen.instrument = tape.instrument;
    unseen.participant = tape.participant;
    unseen.side = opposite(tape.side);
    unseen.hidden = true;
    emit(event, unseen);
    event.flags = EventFlags::k_aggressor;
    emit(event, tape);
    note_trade(market, price);
}

}  // namespace damrak::reference
