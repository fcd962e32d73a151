// Handles the exchange's answers to a playback, and counts how they differ from the recording.
#include <damrak/recorded_market/playback.hpp>

namespace damrak::recorded_market {

void Playback::note_trade(const Event& event) {
    if (!has_flag(event, EventFlags::k_aggressor)) {
        resting_ = event;
        return;
    }
    if ((resting_.participant == participant_) != (event.participant == participant_))
        drift_.add(event.instrument, &DriftCounts::taken,
                   static_cast<std::uint64_t>(event.quantity.value));
}

// Where it rested is not known, so it trades as if it came now: at the client's price.
void Playback::note_reveal(const Event& event, const Asked& asked) {
    const Command& command = asked.due.command;
    if (command.kind == CommandKind::new_order &&
        command.new_order_id == feed::Recording::k_made_by_view &&
        event.kind == EventKind::executed && has_flag(event, EventFlags::k_aggressor))
        drift_.add(event.instrument, &DriftCounts::revealed,
                   static_cast<std::uint64_t>(event.quantity.value));
}

void Playback::on_event(const Event& event, const Origin& origin) {
    if (event.kind == EventKind::executed) note_trade(event);
    if (!is_own(origin) || asked_.empty()) return;
    Asked& asked = asked_.front();
    note_reveal(event, asked);
    Played& order = orders_[asked.order];
    const OrderId own = asked.order != 0 ? order.engine_id : asked.due.command.order_id;
    if (event.kind == EventKind::rejected) {
        asked.refused = event.reason;
    } else if (event.kind == EventKind::executed && !has_flag(event, EventFlags::k_aggressor) &&
               event.participant != participant_) {
        asked.taken += event.quantity;
    } else if (event.kind == EventKind::accepted) {
        order.engine_id = event.order_id;
        asked.displayed = event.displayed;
    } else if (!own || event.order_id != own) {
        return;  // of a waiting order that the command released
    } else if (event.kind == EventKind::executed || event.kind == EventKind::cancelled) {
        asked.done += event.quantity;
        asked.left = event.remaining;
        asked.displayed = event.displayed;
    } else {
        if (event.kind == EventKind::replaced) order.engine_id = event.new_order_id();
        asked.displayed = event.displayed;
    }
}

void Playback::on_command_end(const Origin& origin) {
    if (!is_own(origin) || asked_.empty()) return;
    const Asked asked = asked_.front();
    asked_.pop_front();
    settle(asked);
}

void Playback::settle(const Asked& asked) {
    switch (asked.due.command.kind) {
        case CommandKind::new_order:
        case CommandKind::replace_order:
            return settle_entry(asked);
        case CommandKind::cancel_order:
            return settle_cancel(asked);
        case CommandKind::recorded_trade:
            return settle_trade(asked);
        default:
            if (asked.refused != Reason::none)
                drift_.add(asked.due.command.instrument, &DriftCounts::refused);
    }
}

void Playback::settle_entry(const Asked& asked) {
    const InstrumentId instrument = asked.due.command.instrument;
    const bool refused = asked.refused != Reason::none;
    Played& order = orders_[asked.order];
    order.standing = refused ? Standing::gone : Standing::open;
    if (refused)
        open_.clear(asked.order);
    else
        open_.set(asked.order, {instrument, order.id, order.engine_id});
    if (refused || asked.displayed != Quantity{asked.expected})
        drift_.add(instrument, &DriftCounts::differences);
    if (refused && asked.refused != Reason::unknown_order)
        drift_.add(instrument, &DriftCounts::refused);
}

void Playback::settle_cancel(const Asked& asked) {
    if (asked.order == 0)
        return drift_.add(asked.due.command.instrument, &DriftCounts::withdrawn,
                          static_cast<std::uint64_t>(asked.done.value));
    if (asked.done != Quantity{asked.expected})
        drift_.add(asked.due.command.instrument, &DriftCounts::differences);
    if (asked.ends_order) return forget(asked.order);
    orders_[asked.order].standing = asked.refused == Reason::none ? Standing::open : Standing::gone;
}

void Playback::settle_trade(const Asked& asked) {
    const Command& command = asked.due.command;
    const Quantity left = command.quantity - asked.done - asked.taken;
    const bool printed = has_flag(command, CommandFlags::k_print_rest);
    if (printed ? asked.taken.value > 0 : asked.done != command.quantity)
        drift_.add(command.instrument, &DriftCounts::differences);
    if (asked.refused != Reason::none) drift_.add(command.instrument, &DriftCounts::refused);
    if (left.value > 0 && (!printed || asked.refused != Reason::none)) {
        drift_.add(command.instrument, &DriftCounts::missed_trades);
        drift_.add(command.instrument, &DriftCounts::missed_quantity,
                   static_cast<std::uint64_t>(left.value));
    }
    if (!asked.ends_order) return;
    const Played& order = orders_[asked.order];
    const bool rests = asked.done.value == 0 || asked.left.value > 0;
    if (command.order_id && asked.refused == Reason::none && rests)
        leftovers_.add(command.instrument, order.side, order.price_e4, order.engine_id);
    forget(asked.order);
}

}  // namespace damrak::recorded_market
