#include <damrak/replay/rematch.hpp>

#include <algorithm>
#include <numeric>

namespace damrak::replay {

namespace {

Quantity open(const Order* order) { return order == nullptr ? Quantity{0} : order->quantity; }

}  // namespace

std::uint64_t RematchReport::all_rejected() const {
    return std::accumulate(rejected.begin(), rejected.end(), std::uint64_t{0});
}

void Rematch::Result::on_event(const Event& event) {
    if (event.kind == EventKind::executed && !has_flag(event, EventFlags::k_aggressor))
        fills.push_back({event.order_id, event.price, event.quantity});
    if (event.kind == EventKind::rejected) rejected = event.reason;
}

Rematch::Rematch(const RematchCapacity& capacity, const StatisticsSettings& settings)
    : books_{order_flow::BookBuilder<MarketStatistics>::k_first_capacity,
             MarketStatistics{settings}},
      engine_{detail::engine_config(capacity)} {}

InstrumentId Rematch::declare(std::string_view symbol) {
    const InstrumentId id = books_.declare(symbol);
    pending_.emplace_back();
    submit(detail::instrument_command(id, symbol), 0);
    return id;
}

void Rematch::submit(Command command, std::int64_t time_ns) {
    last_ns_ = std::max(last_ns_, time_ns);
    command.timestamp = Timestamp{last_ns_};
    result_.fills.clear();
    result_.rejected = Reason::none;
    ++report_.commands;
    engine_.apply(command, [this](const Event& event) { result_.on_event(event); });
    if (result_.rejected != Reason::none)
        ++report_.rejected[static_cast<std::size_t>(result_.rejected)];
}

bool Rematch::on_add(const order_flow::At& at, OrderId id, Side side, Price price,
                     Quantity quantity) {
    // What the view reveals between the executions of one incoming order does not end it.
    if (at.by_view)
        revealed_.insert(id.value);
    else
        match_pending(at.instrument);
    const bool known = find(at.instrument, id) != nullptr;
    const bool sound = books_.on_add(at, id, side, price, quantity);
    if (known || find(at.instrument, id) == nullptr) return sound;
    submit(detail::order_command(at.instrument, id, side, price, quantity), at.time_ns);
    report_.unrecorded += result_.fills.size();
    return sound;
}

bool Rematch::on_execute(const order_flow::At& at, OrderId id, Quantity quantity) {
    const Order* order = find(at.instrument, id);
    if (order == nullptr || quantity.value <= 0) return books_.on_execute(at, id, quantity);
    detail::Incoming& pending = pending_[at.instrument.value - 1];
    const Side side = order->terms().side();
    if (!pending.takes(at, side)) match_pending(at.instrument);
    pending.add(at, side, {id, price_of(*order), std::min(quantity, order->quantity)});
    pending.knows_priority = pending.knows_priority && knows_priority_of(*order);
    return books_.on_execute(at, id, quantity);
}

void Rematch::match_pending(InstrumentId instrument) {
    detail::Incoming& pending = pending_[instrument.value - 1];
    if (pending.fills.empty()) return;
    const order_flow::At at{pending.time_ns, instrument};
    submit(pending.order(instrument, OrderId{detail::k_incoming_ids + ++last_aggressor_}),
           at.time_ns);
    compare(at, pending);
    pending.fills.clear();
    pending.knows_priority = true;
}

bool Rematch::knows_priority_of(const Order& order) const {
    if (revealed_.empty()) return true;
    const BookStore& store = books_.store();
    for (const Order* one = &order;; one = &store.order(one->previous)) {
        if (revealed_.contains(one->id.value)) return false;
        if (one->previous == 0) return true;
    }
}

void Rematch::compare(const order_flow::At& at, const detail::Incoming& incoming) {
    const std::vector<Fill>& recorded = incoming.fills;
    const std::vector<Fill>& matched = result_.fills;
    ++report_.aggressors;
    report_.recorded += recorded.size();
    report_.recorded_volume += detail::volume_of(recorded);
    report_.matched += matched.size();
    report_.matched_volume += detail::volume_of(matched);
    bool all_equal = recorded.size() == matched.size();
    bool all_orders_equal = all_equal;
    const auto note = [&](std::optional<Disagreement>& first, std::size_t i) {
        if (first) return;
        const auto fill = [i](const std::vector<Fill>& fills) {
            return i < fills.size() ? std::optional{fills[i]} : std::nullopt;
        };
        first = Disagreement{at.time_ns,
                             books_.observer().instruments()[at.instrument.value - 1].symbol,
                             fill(recorded), fill(matched)};
    };
    for (std::size_t i = 0; i < std::max(recorded.size(), matched.size()); ++i) {
        const bool equal = i < recorded.size() && i < matched.size() &&
                           recorded[i].price == matched[i].price &&
                           recorded[i].quantity == matched[i].quantity;
        const bool same_order = equal && recorded[i].order == matched[i].order;
        report_.equal_price_and_size += equal ? 1 : 0;
        if (!incoming.knows_priority)
            report_.order_not_known += i < recorded.size() ? 1U : 0U;
        else
            report_.equal_order += same_order ? 1 : 0;
        all_equal = all_equal && equal;
        all_orders_equal = all_orders_equal && same_order;
        if (!equal) note(report_.first_price_or_size, i);
        if (equal && !same_order && incoming.knows_priority) note(report_.first_order, i);
    }
    report_.aggressors_equal += all_equal ? 1 : 0;
    if (!all_orders_equal)
        for (const Fill& fill : recorded) report_.repaired += follow(at, fill.order) ? 1U : 0U;
}

// Quantity that the recording no longer has must not stay in the engine.
bool Rematch::follow(const order_flow::At& at, OrderId id) {
    const Order* order = find_in_engine(at.instrument, id);
    if (order == nullptr) return false;
    const Quantity excess = order->quantity - open(find(at.instrument, id));
    if (excess.value <= 0) return false;
    submit(detail::cancel_command(at.instrument, order->terms().side(), id, excess), at.time_ns);
    return true;
}

const Order* Rematch::find_in_engine(InstrumentId instrument, OrderId id) const {
    const OrderIndex index = engine_.store().find(instrument, id);
    return index == 0 ? nullptr : &engine_.store().order(index);
}

void Rematch::note_divergence(InstrumentId instrument, OrderId id) {
    const Order* recorded = find(instrument, id);
    if (recorded == nullptr) return;  // an anomaly of the recording
    report_.diverged += open(find_in_engine(instrument, id)) != open(recorded) ? 1U : 0U;
}

bool Rematch::on_execute_at(const order_flow::At& at, OrderId id, Quantity quantity, Price price,
                            bool printable) {
    match_pending(at.instrument);
    note_divergence(at.instrument, id);
    ++report_.left_out_at_other_price;
    const bool sound = books_.on_execute_at(at, id, quantity, price, printable);
    (void)follow(at, id);
    return sound;
}

bool Rematch::on_reduce(const order_flow::At& at, OrderId id, Quantity quantity) {
    if (!at.by_view) match_pending(at.instrument);
    note_divergence(at.instrument, id);
    const bool sound = books_.on_reduce(at, id, quantity);
    (void)follow(at, id);
    return sound;
}

bool Rematch::on_remove(const order_flow::At& at, OrderId id) {
    match_pending(at.instrument);
    note_divergence(at.instrument, id);
    const bool sound = books_.on_remove(at, id);
    (void)follow(at, id);
    return sound;
}

bool Rematch::on_replace(const order_flow::At& at, OrderId id, OrderId fresh, Price price,
                         Quantity quantity) {
    match_pending(at.instrument);
    note_divergence(at.instrument, id);
    const Order* old = find(at.instrument, id);
    const Side side = old == nullptr ? Side::buy : old->terms().side();
    const bool sound = books_.on_replace(at, id, fresh, price, quantity);
    if (old == nullptr) return sound;
    if (find(at.instrument, fresh) == nullptr) {
        (void)follow(at, id);
        return sound;
    }
    if (find_in_engine(at.instrument, id) == nullptr) {
        submit(detail::order_command(at.instrument, fresh, side, price, quantity), at.time_ns);
    } else {
        submit(detail::replace_command(at.instrument, side, id, fresh, price, quantity),
               at.time_ns);
    }
    report_.unrecorded += result_.fills.size();
    return sound;
}

bool Rematch::on_trade(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                       Quantity quantity, std::optional<Side> aggressor) {
    ++(kind == order_flow::TradeKind::hidden ? report_.left_out_hidden : report_.left_out_crosses);
    return books_.on_trade(at, kind, price, quantity, aggressor);
}

void Rematch::finish() {
    for (std::size_t i = 0; i < pending_.size(); ++i)
        match_pending(InstrumentId{static_cast<std::uint32_t>(i + 1)});
    books_.observer().finish();
}

}  // namespace damrak::replay
