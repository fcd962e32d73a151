#include <damrak/engine/detail/recorded_trade.hpp>

#include <algorithm>
#include <limits>

#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/checks.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/matching.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

namespace {

// The order of another participant that trades before the target or, without a target, the first
// one within the limit; zero if there is none. Restarts at the best price for each trade, which
// skips few orders: a recording trades in priority order.
OrderIndex first_ahead(const EngineState& engine, const Incoming& tape, OrderIndex target) {
    const OrderBook& book = tape.in->book;
    const Side side = tape.resting_side();
    const auto open = [&] { return tape.open; };
    OrderIndex found = 0;
    const auto look = [&](OrderIndex index) {
        const bool own = engine.store.order(index).account == tape.account;
        if (own && index != target) return true;
        found = own ? 0 : index;
        return false;
    };
    auto at = book.side(side).best();
    AsideOrders::Place behind;
    for (;;) {
        const OrderIndex aside = book.aside(side).first(engine.store, behind, tape.open);
        const PriceKey key = std::min(at.key, aside_key(engine, aside));
        if (key > tape.limit_key) return 0;
        const LevelIndex hidden = at.key == key ? engine.store.level(at.level).companion : 0;
        if (at.key == key && !for_each_in_queue(engine.store, at.level, look)) return found;
        if (!for_each_undisplayed(engine, book, side, key, hidden, open, look)) return found;
        if (at.key == key) at = book.side(side).next(engine.store.nodes, key);
        behind = {key, std::numeric_limits<std::uint64_t>::max()};
    }
}

void trade_as_recorded(EngineState& engine, Incoming& tape, OrderIndex target) {
    const Order& order = engine.store.order(target);
    const Quantity fill = std::min(tape.open, order.quantity);
    if (order.terms().has(OrderAttributes::k_aside))
        trade_with<true, true>(engine, tape, target, fill, tape.tick);
    else
        trade_with<false, true>(engine, tape, target, fill, tape.tick);
}

// Prints a trade of the recording with an order that it does not show.
void print_rest(EngineState& engine, Incoming& tape) {
    InstrumentState& in = *tape.in;
    const std::uint64_t id = allocated_id(in.id(), ++in.trade_number);
    const auto side_of_trade = [&](OrderAttributes terms, EventFlags::Bits flags) {
        engine.emit(make_event(EventHead::of(EventKind::executed, CommandKind::recorded_trade,
                                             terms, Reason::none, flags),
                               {.instrument = in.id(),
                                .participant = tape.participant,
                                .order_id = {},
                                .reference = id,
                                .price = in.price_of(tape.tick),
                                .quantity = tape.open}));
    };
    side_of_trade(
        {tape.resting_side(), OrderType::limit, TimeInForce::day, SelfTradePrevention::none},
        EventFlags::k_hidden);
    side_of_trade(tape.terms, EventFlags::k_aggressor);
    tape.open = Quantity{0};
    note_trade(engine, in, tape.tick);
}

void play(EngineState& engine, Incoming tape, const Command& command) {
    while (tape.open.value > 0) {
        if (engine.events_left() < k_event_margin) {
            engine.progress.suspended.order = tape;
            engine.progress.suspended.command = command;
            return engine.suspend(Work::recorded, *tape.in);
        }
        const OrderIndex target =
            tape.entry_id ? engine.store.find(command.instrument, tape.entry_id) : 0;
        if (tape.entry_id && target == 0) break;
        if (const OrderIndex ahead = first_ahead(engine, tape, target); ahead != 0)
            trade(engine, tape, ahead);
        else if (target != 0)
            trade_as_recorded(engine, tape, target);
        else
            break;
    }
    if (tape.open.value > 0 && has_flag(command, CommandFlags::k_print_rest))
        print_rest(engine, tape);
    cascade(engine, *tape.in);
}

Reason check(const EngineState& engine, const Command& command, InstrumentState& in,
             OrderIdMap::Key key, OrderIndex& target, Tick& tick) {
    if ((command.flags & ~CommandFlags::k_print_rest) != 0) return Reason::invalid_flags;
    if (!is_valid(command.side)) return Reason::invalid_side;
    if (command.order_id)
        if (const Reason reason = find_own(engine, command, key, target);
            reason != Reason::none && reason != Reason::unknown_order)
            return reason;
    if (const Reason reason = check_standing(engine, command, in); reason != Reason::none)
        return reason;
    if (const Reason reason = in.check_quantity(command.quantity); reason != Reason::none)
        return reason;
    return in.check_price(command.price, Reason::invalid_price, tick);
}

}  // namespace

Reason recorded_trade(EngineState& engine, const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    OrderIndex target = 0;
    Tick tick = 0;
    if (const Reason reason = check(engine, command, *in, key, target, tick);
        reason != Reason::none)
        return reason;

    Side resting = command.side;
    AccountIndex account = 0;
    PriceKey limit = price_key(resting, tick) - 1;
    if (target != 0) {
        const Order& order = engine.store.order(target);
        const OrderAttributes terms = order.terms();
        if (terms.waiting() || terms.has(OrderAttributes::k_held)) return Reason::invalid_state;
        resting = terms.side();
        account = order.account;
        limit = price_key(resting, order.tick);
    } else {
        account = find_account(engine, *in, command.participant);
        if (account == 0 && engine.accounts.full()) return Reason::accounts_full;
        const bool is_short =
            account == 0 && engine.accounts.available() < engine.kept_free.accounts;
        if (const Reason reason = check_share(engine, command.participant, is_short);
            reason != Reason::none)
            return reason;
    }
    if (account == 0) {
        in->ever_used = true;
        account = engine.accounts.open(command.participant, command.instrument);
    }
    Incoming tape{
        in,
        {},
        {opposite(resting), OrderType::market, TimeInForce::ioc, SelfTradePrevention::none},
        account,
        command.participant,
        command.quantity};
    if (target != 0) tape.entry_id = command.order_id;
    tape.tick = tick;
    tape.limit_key = limit;
    play(engine, tape, command);
    return Reason::none;
}

void go_on_with_recorded_trade(EngineState& engine) {
    play(engine, engine.progress.suspended.order, Command{engine.progress.suspended.command});
}

}  // namespace damrak::detail
