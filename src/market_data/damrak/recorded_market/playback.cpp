#include <damrak/recorded_market/playback.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace damrak::recorded_market {

namespace itch = wire::itch;

namespace {

bool is_of_orders(const itch::Message& message) {
    return std::visit(
        [](const auto& one) {
            using M = std::remove_cvref_t<decltype(one)>;
            return requires { one.order_ref; } || std::is_same_v<M, itch::CrossTrade>;
        },
        message);
}

bool is_of_state(const itch::Message& message) {
    return std::holds_alternative<itch::StockTradingAction>(message);
}

}  // namespace

/// The action for each kind of message; docs/how-to/replay-a-day.md has the same table.
struct Playback::Player {
    Playback& self;
    const Recorded& recorded;

    bool operator()(const itch::AddOrder& m) const {
        return self.add(recorded, m.order_ref, m.side, m.shares, m.price_e4);
    }
    bool operator()(const itch::AddOrderAttributed& m) const {
        return self.add(recorded, m.order_ref, m.side, m.shares, m.price_e4);
    }
    bool operator()(const itch::OrderExecuted& m) const {
        return self.execute(recorded, m.order_ref, m.executed_shares, {});
    }
    bool operator()(const itch::OrderExecutedWithPrice& m) const {
        return self.execute(recorded, m.order_ref, m.executed_shares, m.execution_price_e4);
    }
    bool operator()(const itch::OrderCancel& m) const {
        return self.reduce(recorded, m.order_ref, m.cancelled_shares);
    }
    bool operator()(const itch::OrderDelete& m) const {
        return self.reduce(recorded, m.order_ref, 0);
    }
    bool operator()(const itch::OrderReplace& m) const { return self.replace(recorded, m); }
    bool operator()(const itch::Trade& m) const {
        self.trade_unseen(recorded, m);
        return true;
    }
    bool operator()(const itch::StockTradingAction& m) const {
        return self.set_state(recorded, m.trading_state);
    }
    bool operator()(const auto& m) const {
        using M = std::remove_cvref_t<decltype(m)>;
        if constexpr (std::is_same_v<M, itch::CrossTrade> || std::is_same_v<M, itch::BrokenTrade>)
            self.drift_.add(InstrumentId{recorded.locate}, &DriftCounts::not_played);
        return true;
    }
};

Playback::Playback(RecordedMessages messages, ParticipantId participant,
                   std::uint32_t maximum_orders, std::uint32_t maximum_instruments)
    : messages_(std::move(messages)),
      participant_(participant),
      orders_(maximum_orders),
      open_(maximum_orders),
      drift_(maximum_instruments) {}

const Recorded* Playback::front() {
    front_is_resumed_ = !resumed_.empty();
    return front_is_resumed_ ? &resumed_.front() : messages_.front();
}

void Playback::pop() {
    if (front_is_resumed_)
        resumed_.pop_front();
    else
        messages_.pop();
}

std::optional<std::int64_t> Playback::next_time_ns() {
    const Recorded* const recorded = front();
    return recorded == nullptr ? std::nullopt : std::optional{recorded->time_ns};
}

bool Playback::is_over() { return front() == nullptr && asked_.empty(); }

std::optional<Due> Playback::next(std::int64_t until_ns) {
    while (!due_) {
        const Recorded* const recorded = front();
        if (recorded == nullptr || recorded->time_ns > until_ns || !play(*recorded)) break;
        drift_.add(InstrumentId{recorded->locate}, &DriftCounts::messages);
        pop();
    }
    return std::exchange(due_, std::nullopt);
}

bool Playback::play(const Recorded& recorded) {
    if (const auto held = held_.find(recorded.locate);
        held != held_.end() && (is_of_orders(recorded.message) || is_of_state(recorded.message))) {
        held->second.push_back(recorded);
        return true;
    }
    if (const auto halted = halted_.find(recorded.locate);
        halted != halted_.end() && is_of_orders(recorded.message)) {
        halted->second.push_back(recorded);
        return true;
    }
    return std::visit(Player{*this, recorded}, recorded.message);
}

void Playback::hold(InstrumentId instrument) {
    held_.try_emplace(static_cast<std::uint16_t>(instrument.value));
}

void Playback::release(InstrumentId instrument) {
    const auto held = held_.find(static_cast<std::uint16_t>(instrument.value));
    if (held == held_.end()) return;
    std::ranges::move(held->second, std::back_inserter(resumed_));
    held_.erase(held);
}

bool Playback::is_halted(InstrumentId instrument) const {
    return halted_.contains(static_cast<std::uint16_t>(instrument.value));
}

Playback::Asked Playback::asking(const Recorded& recorded, CommandKind kind) const {
    Asked asked;
    asked.due.sequence = recorded.sequence;
    asked.due.time_ns = recorded.time_ns;
    asked.due.command.kind = kind;
    asked.due.command.instrument = InstrumentId{recorded.locate};
    asked.due.command.participant = participant_;
    if (recorded.made_by_view) asked.due.command.new_order_id = feed::Recording::k_made_by_view;
    return asked;
}

void Playback::ask(Asked asked) {
    due_ = asked.due;
    asked_.push_back(std::move(asked));
}

bool Playback::has_way(const Recorded& recorded, Side side, std::uint32_t price_e4) {
    const InstrumentId instrument{recorded.locate};
    for (const Asked& asked : asked_) {
        if (asked.due.command.kind != CommandKind::recorded_trade || !asked.ends_order) continue;
        const Played& order = orders_[asked.order];
        if (asked.due.command.instrument == instrument && order.side != side &&
            Leftovers::crosses(order.side, order.price_e4, price_e4))
            return false;
    }
    const OrderId leftover = leftovers_.take_crossed(instrument, side, price_e4);
    if (!leftover) return true;
    Asked asked = asking(recorded, CommandKind::cancel_order);
    asked.due.command.order_id = leftover;
    ask(asked);
    return false;
}

bool Playback::add(const Recorded& recorded, std::uint64_t reference, Side side,
                   std::uint32_t shares, std::uint32_t price_e4) {
    const InstrumentId instrument{recorded.locate};
    if (orders_.full() || orders_.find(OrderId{reference}) != 0) {
        drift_.add(instrument, &DriftCounts::differences);
        drift_.add(instrument, &DriftCounts::refused);
        return true;
    }
    if (!has_way(recorded, side, price_e4)) return false;
    Asked asked = asking(recorded, CommandKind::new_order);
    asked.due.command.side = side;
    asked.due.command.self_trade_prevention = SelfTradePrevention::skip_own;
    asked.due.command.client_order_id = ClientOrderId{reference};
    asked.due.command.price = Price{price_e4};
    asked.due.command.quantity = Quantity{shares};
    asked.expected = shares;
    asked.order = orders_.take();
    orders_[asked.order] = {.id = OrderId{reference},
                            .engine_id = {},
                            .price_e4 = price_e4,
                            .shares = shares,
                            .side = side,
                            .standing = Standing::asked};
    orders_.file(asked.order);
    ask(asked);
    return true;
}

bool Playback::execute(const Recorded& recorded, std::uint64_t reference, std::uint32_t shares,
                       std::optional<std::uint32_t> price_e4) {
    Asked asked = asking(recorded, CommandKind::recorded_trade);
    asked.order = orders_.find(OrderId{reference});
    if (asked.order == 0) {
        drift_.add(InstrumentId{recorded.locate}, &DriftCounts::differences);
        return true;
    }
    Played& order = orders_[asked.order];
    if (order.standing == Standing::asked) return false;
    order.shares -= std::min(order.shares, shares);
    asked.ends_order = order.shares == 0;
    asked.expected = shares;
    if (order.standing == Standing::open) asked.due.command.order_id = order.engine_id;
    if (asked.ends_order) order.standing = Standing::asked;
    asked.due.command.side = order.side;
    asked.due.command.quantity = Quantity{shares};
    asked.due.command.price = Price{price_e4.value_or(order.price_e4)};
    ask(asked);
    return true;
}

// Cancels `shares` of the order, or all of it for zero.
bool Playback::reduce(const Recorded& recorded, std::uint64_t reference, std::uint32_t shares) {
    Asked asked = asking(recorded, CommandKind::cancel_order);
    asked.order = orders_.find(OrderId{reference});
    if (asked.order == 0) {
        drift_.add(InstrumentId{recorded.locate}, &DriftCounts::differences);
        return true;
    }
    Played& order = orders_[asked.order];
    if (order.standing == Standing::asked) return false;
    asked.ends_order = shares == 0 || shares >= order.shares;
    asked.expected = asked.ends_order ? order.shares : shares;
    if (order.standing == Standing::gone) {
        drift_.add(InstrumentId{recorded.locate}, &DriftCounts::differences);
        if (asked.ends_order) forget(asked.order);
        return true;
    }
    order.shares -= asked.expected;
    asked.due.command.order_id = order.engine_id;
    asked.due.command.quantity = Quantity{asked.ends_order ? 0 : shares};
    order.standing = Standing::asked;
    ask(asked);
    return true;
}

bool Playback::replace(const Recorded& recorded, const itch::OrderReplace& message) {
    Asked asked = asking(recorded, CommandKind::replace_order);
    asked.order = orders_.find(OrderId{message.order_ref});
    const bool has_new_id = message.new_order_ref != message.order_ref;
    if (asked.order == 0 || (has_new_id && orders_.find(OrderId{message.new_order_ref}) != 0)) {
        drift_.add(InstrumentId{recorded.locate}, &DriftCounts::differences);
        return true;
    }
    Played& order = orders_[asked.order];
    if (order.standing == Standing::asked) return false;
    if (order.standing == Standing::open && !has_way(recorded, order.side, message.price_e4))
        return false;
    if (has_new_id) orders_.change_id(asked.order, OrderId{message.new_order_ref});
    order.shares = message.shares;
    order.price_e4 = message.price_e4;
    if (order.standing == Standing::gone) {
        drift_.add(InstrumentId{recorded.locate}, &DriftCounts::differences);
        return true;
    }
    order.standing = Standing::asked;
    asked.expected = message.shares;
    asked.due.command.order_id = order.engine_id;
    asked.due.command.client_order_id = ClientOrderId{message.new_order_ref};
    asked.due.command.flags = CommandFlags::k_lose_priority;
    asked.due.command.price = Price{message.price_e4};
    asked.due.command.quantity = Quantity{message.shares};
    ask(asked);
    return true;
}

void Playback::trade_unseen(const Recorded& recorded, const itch::Trade& message) {
    Asked asked = asking(recorded, CommandKind::recorded_trade);
    asked.due.command.side = message.side;
    asked.due.command.quantity = Quantity{message.shares};
    asked.due.command.price = Price{message.price_e4};
    asked.due.command.flags = CommandFlags::k_print_rest;
    ask(asked);
}

// Halts the instrument until it trades again: orders of the meantime, as in a quoting period, wait.
bool Playback::set_state(const Recorded& recorded, char state) {
    const bool halts = state == 'H' || state == 'P';
    const auto halted = halted_.find(recorded.locate);
    const bool resumes = state == 'T' && halted != halted_.end();
    if (!resumes && (!halts || halted != halted_.end())) return true;
    if (halts) {
        halted_.try_emplace(recorded.locate);
    } else {
        std::ranges::move(halted->second, std::back_inserter(resumed_));
        halted_.erase(halted);
    }
    Asked asked = asking(recorded, CommandKind::set_trading_state);
    asked.due.command.participant = {};
    asked.due.command.trading_state = halts ? TradingState::halted : TradingState::trading;
    ask(asked);
    return true;
}

void Playback::forget(std::uint32_t order) {
    open_.clear(order);
    orders_.unfile(order);
    orders_.give_back(order);
}

}  // namespace damrak::recorded_market
