#include <damrak/archive/detail/dbn_orders.hpp>

#include <algorithm>

#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

std::uint64_t time_of(const wire::dbn::MboRecord& event) {
    return event.header.event_ns != wire::dbn::k_no_time ? event.header.event_ns
                                                         : event.received_ns;
}

bool has_side(const wire::dbn::MboRecord& event) { return event.side == 'A' || event.side == 'B'; }

}  // namespace

// A new day begins with the orders that the one before left, which were entered earlier.
DbnOrders::Result DbnOrders::move_to(std::uint64_t time_ns) {
    return days_->move_to(time_ns, [this] {
        std::vector<Orders::const_iterator> left;
        for (auto order = open_.cbegin(); order != open_.cend(); ++order) left.push_back(order);
        std::ranges::sort(left, {}, [](const auto& order) { return order->second.rank; });
        for (const auto& order : left) put(order->first, order->second, true);
    });
}

DbnOrders::Result DbnOrders::on(const Event& event) {
    if (time_of(event) == wire::dbn::k_no_time) {
        days_->drop("records without a time");
        return {};
    }
    if ((event.flags & wire::dbn::k_snapshot) != 0) {
        snapshot_.push_back(event);
        return {};
    }
    if (event.action == 'F' && trade_ && trade_->header.instrument == event.header.instrument) {
        fills_.push_back(event);
        return {};
    }
    end_trade(&event);
    if (auto moved = move_to(time_of(event)); !moved) return moved;
    is_snapshot_ = true;
    for (const Event& before : std::exchange(snapshot_, {})) apply(before);
    is_snapshot_ = false;
    apply(event);
    if ((event.flags & wire::dbn::k_last) != 0 && is_crossed(event.header.instrument))
        days_->note_crossed();
    return {};
}

DbnOrders::Result DbnOrders::end() {
    end_trade(nullptr);
    if (snapshot_.empty()) return {};
    const auto latest =
        std::ranges::max(snapshot_, {}, [](const Event& event) { return time_of(event); });
    if (auto moved = move_to(time_of(latest)); !moved) return moved;
    is_snapshot_ = true;
    for (const Event& event : snapshot_) apply(event);
    return {};
}

void DbnOrders::apply(const Event& event) {
    if (days_->instrument(event.header.instrument) == nullptr) return;
    const auto known = open_.find({event.header.instrument, event.order});
    switch (event.action) {
        case 'A':
            return add(event);
        case 'M':
            return modify(event);
        case 'C':
            if (known != open_.end())
                return take(known, std::min(event.size, known->second.shares));
            days_->set_flag(DayDepth::k_messages_alone);
            return days_->drop("cancels of orders that were not added");
        case 'R':
            return clear(event.header.instrument);
        case 'T':
        case 'F':
            return note_fill(event);
        case 'N':
            return days_->drop("records without an action");
        default:
            return days_->drop("records with an unknown action");
    }
}

// Numbers that mark anonymous quantity, or that another instrument uses, are replaced.
std::uint64_t DbnOrders::reference_for(std::uint64_t order) {
    constexpr std::uint64_t k_renamed = std::uint64_t{1} << 62U;
    if (order < k_renamed && references_.insert(order).second) return order;
    const std::uint64_t reference = k_renamed | ++renamed_;
    references_.insert(reference);
    return reference;
}

void DbnOrders::put(const Key& key, const Open& open, bool is_revealed) {
    const DbnInstrument& of = *days_->instrument(key.first);
    itch::AddOrder add;
    if (is_revealed) add.tracking_number = itch::k_made_by_view;
    add.order_ref = open.reference;
    add.side = open.side;
    add.shares = open.shares;
    add.stock = of.stock;
    add.price_e4 = open.price_e4;
    days_->add(of, add);
}

void DbnOrders::add(const Event& event) {
    const Key key{event.header.instrument, event.order};
    if (const auto known = open_.find(key); known != open_.end()) {
        days_->drop("orders that were added again while they rested");
        take(known, known->second.shares);
    }
    if (!has_side(event) || event.size == 0)
        return days_->drop("orders without a side or a quantity");
    const auto price = days_->price(event.price_e9);
    if (!price) return;
    Open open{.reference = reference_for(event.order),
              .rank = ++ranks_,
              .side = event.side == 'B' ? Side::buy : Side::sell,
              .price_e4 = *price,
              .shares = event.size};
    put(key, open, is_snapshot_);
    count(key, open, open.shares);
    open_.emplace(key, std::move(open));
}

// A smaller size at the same price keeps its priority; every other change of price and size is a
// replacement, under the same reference.
void DbnOrders::modify(const Event& event) {
    const auto known = open_.find({event.header.instrument, event.order});
    if (known == open_.end()) return add(event);
    Open& open = known->second;
    const bool is_same_side = event.side == (open.side == Side::buy ? 'B' : 'A');
    const auto price = days_->price(event.price_e9);
    if (!price || !is_same_side || event.size == 0) {
        take(known, open.shares);
        if (price && event.size > 0) add(event);
        return;
    }
    if (*price == open.price_e4 && event.size <= open.shares)
        return take(known, open.shares - event.size);
    if (execute(known, open.shares) == 0) return add(event);
    const DbnInstrument& of = *days_->instrument(event.header.instrument);
    itch::OrderReplace replace;
    replace.order_ref = replace.new_order_ref = open.reference;
    replace.shares = event.size;
    replace.price_e4 = *price;
    days_->add(of, replace);
    count(known->first, open, -std::int64_t{open.shares});
    open.rank = ++ranks_;
    open.price_e4 = *price;
    open.shares = event.size;
    count(known->first, open, open.shares);
}

void DbnOrders::clear(std::uint32_t instrument) {
    for (auto next = open_.lower_bound({instrument, 0});
         next != open_.end() && next->first.first == instrument;) {
        const auto order = next++;
        take(order, order->second.shares);
    }
}

std::uint32_t DbnOrders::execute(Orders::iterator order, std::uint32_t shares) {
    Open& open = order->second;
    const DbnInstrument& of = *days_->instrument(order->first.first);
    while (shares > 0 && !open.fills.empty()) {
        Fill& fill = open.fills.front();
        const std::uint32_t executed = std::min(fill.shares, shares);
        const auto put_execution = [&](auto message) {
            message.order_ref = open.reference;
            message.executed_shares = executed;
            message.match_number = days_->next_match();
            days_->add(of, message);
        };
        if (fill.is_printable && fill.price_e4 == open.price_e4) {
            put_execution(itch::OrderExecuted{});
        } else {
            itch::OrderExecutedWithPrice message;
            message.printable = fill.is_printable;
            message.execution_price_e4 = fill.price_e4;
            put_execution(message);
        }
        count(order->first, open, -std::int64_t{executed});
        open.shares -= executed;
        shares -= executed;
        fill.shares -= executed;
        if (fill.shares == 0) open.fills.erase(open.fills.begin());
    }
    const bool is_gone = open.shares == 0;
    if (is_gone) {
        references_.erase(open.reference);
        open_.erase(order);
    }
    return is_gone ? 0 : shares;
}

void DbnOrders::take(Orders::iterator order, std::uint32_t shares) {
    const std::uint32_t cancelled = execute(order, shares);
    if (cancelled == 0) return;
    Open& open = order->second;
    const DbnInstrument& of = *days_->instrument(order->first.first);
    count(order->first, open, -std::int64_t{cancelled});
    if (cancelled < open.shares) {
        itch::OrderCancel message;
        message.order_ref = open.reference;
        message.cancelled_shares = cancelled;
        days_->add(of, message);
        open.shares -= cancelled;
        return;
    }
    itch::OrderDelete message;
    message.order_ref = open.reference;
    days_->add(of, message);
    references_.erase(open.reference);
    open_.erase(order);
}

void DbnOrders::count(const Key& key, const Open& open, std::int64_t shares) {
    Sides& sides = sides_[key.first];
    const auto change = [&](auto& levels) {
        std::uint64_t& total = levels[open.price_e4];
        total += static_cast<std::uint64_t>(shares);
        if (total == 0) levels.erase(open.price_e4);
    };
    if (open.side == Side::buy)
        change(sides.bids);
    else
        change(sides.asks);
}

bool DbnOrders::is_crossed(std::uint32_t instrument) const {
    const auto found = sides_.find(instrument);
    if (found == sides_.end()) return false;
    const auto& [bids, asks] = found->second;
    return !bids.empty() && !asks.empty() && bids.begin()->first > asks.begin()->first;
}

// A fill without a trade before it is a trade of its own.
void DbnOrders::note_fill(const Event& event) {
    trade_ = event;
    if (event.action == 'T') return;
    fills_.push_back(event);
    if (has_side(event)) trade_->side = event.side == 'B' ? 'A' : 'B';
}

DbnOrders::Orders::iterator DbnOrders::filled_by(const Event* next) {
    if (next == nullptr || fills_.size() != 1) return open_.end();
    const Event& fill = fills_.front();
    const auto order = open_.find({fill.header.instrument, fill.order});
    const bool is_about_it =
        order != open_.end() && next->header.instrument == fill.header.instrument &&
        next->order == fill.order && fill.size == trade_->size && fill.size <= order->second.shares;
    if (!is_about_it) return open_.end();
    const bool removes =
        next->action == 'C' ? next->size >= fill.size
                            : next->action == 'M' && next->size <= order->second.shares - fill.size;
    return removes ? order : open_.end();
}

void DbnOrders::end_trade(const Event* next) {
    if (!trade_) return;
    const auto only = filled_by(next);
    const Event trade = *std::exchange(trade_, std::nullopt);
    const auto fills = std::exchange(fills_, {});
    if (trade.size == 0) return days_->drop("trades without a quantity");
    const auto price = days_->price(trade.price_e9);
    if (!price) return;
    const DbnInstrument& of = *days_->instrument(trade.header.instrument);
    if (only != open_.end()) {
        only->second.fills.push_back({trade.size, *price, true});
        return;
    }
    std::optional<Side> resting;
    if (has_side(trade)) resting = trade.side == 'B' ? Side::sell : Side::buy;
    if (resting && !fills.empty())
        days_->trade_displayed(of, *resting, *price, trade.size);
    else
        days_->trade_hidden(of, resting, *price, trade.size);
    for (const Event& fill : fills) {
        const auto order = open_.find({fill.header.instrument, fill.order});
        if (order != open_.end())
            order->second.fills.push_back({fill.size, *price, false});
        else
            days_->drop("fills of orders that were not added");
    }
}

}  // namespace damrak::archive
