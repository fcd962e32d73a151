#include <damrak/what_if/detail/reaction.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <damrak/market_kernel/numeric.hpp>

namespace damrak::what_if {
namespace {

constexpr InstrumentId k_traded{1};

// Smaller is better, on either side.
std::int64_t rank_of(Side side, Price price) {
    return side == Side::buy ? -price.value : price.value;
}
Price price_at(Side side, std::int64_t rank) { return {side == Side::buy ? -rank : rank}; }

std::int64_t at(const std::map<std::int64_t, std::int64_t>& depth, std::int64_t rank) {
    const auto found = depth.find(rank);
    return found == depth.end() ? 0 : found->second;
}

/// The best levels, and all others down to a price.
std::map<std::int64_t, std::int64_t> recorded(const RecordedMarket& record, Side side,
                                              std::int64_t levels, std::int64_t worst) {
    std::map<std::int64_t, std::int64_t> depth;
    if (!record.instrument()) return depth;
    const auto& books = record.books();
    books.book(record.instrument()).book.for_each_order(books.store(), side, [&](OrderIndex index) {
        const Order& order = books.store().order(index);
        const std::int64_t rank = rank_of(side, books.price_of(order));
        const bool is_new = !depth.contains(rank);
        if (is_new && std::ssize(depth) >= levels && rank > worst) return false;
        depth[rank] += order.quantity.value;
        return true;
    });
    return depth;
}

}  // namespace

void Reaction::on_event(const Event& event, const CommandStamp& /*stamp*/) {
    if (event.participant != self_) return;
    const bool goes_on = event.remaining.value > 0;
    switch (event.kind) {
        case EventKind::accepted:
            ++counts_.orders;
            counts_.added += event.quantity.value;
            break;
        case EventKind::cancelled:
        case EventKind::expired:
            counts_.cancelled += event.quantity.value;
            break;
        case EventKind::executed:
            counts_.filled += event.quantity.value;
            break;
        default:
            return;
    }
    if (!goes_on)
        orders_.erase(event.order_id.value);
    else if (event.kind == EventKind::accepted)
        orders_[event.order_id.value] = {event.side, event.price, event.remaining};
    else
        orders_[event.order_id.value].open = event.remaining;
}

void Reaction::answer(market_kernel::Market& market, const RecordedMarket& record) {
    if (market.latest(k_traded).trading_state == TradingState::halted) return;
    for (const Side side : {Side::buy, Side::sell}) answer(market, record, side);
}

void Reaction::answer(market_kernel::Market& market, const RecordedMarket& record, Side side) {
    std::int64_t worst = std::numeric_limits<std::int64_t>::min();
    for (const auto& [id, own] : orders_)
        if (own.side == side) worst = std::max(worst, rank_of(side, own.price));
    const Depth wanted = recorded(record, side, is_.levels, worst);
    if (!wanted.empty()) worst = std::max(worst, wanted.rbegin()->first);
    const Depth there = replayed(market.engine(), side, worst);

    std::vector<std::int64_t> ranks;
    for (const auto& [rank, quantity] : wanted) ranks.push_back(rank);
    for (const auto& [id, own] : orders_)
        if (own.side == side) ranks.push_back(rank_of(side, own.price));
    std::ranges::sort(ranks);
    ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());

    const double share = 1 - market_kernel::exponential_of(-static_cast<double>(is_.interval_ns) /
                                                           static_cast<double>(is_.recovery_ns));
    for (const std::int64_t rank : ranks) {
        const std::int64_t lack = at(wanted, rank) - at(there, rank);
        const auto key = std::pair{side, rank};
        if (lack == 0) {
            owed_.erase(key);
            continue;
        }
        double& owed = owed_[key];
        owed += (static_cast<double>(lack) - owed) * share;
        const auto whole = static_cast<std::int64_t>(std::round(owed));
        owed -= static_cast<double>(whole);
        if (whole > 0) add(market, side, price_at(side, rank), whole);
        if (whole < 0) cancel(market, side, price_at(side, rank), -whole);
    }
}

// Of all but own participants.
Reaction::Depth Reaction::replayed(const Engine& engine, Side side, std::int64_t worst) const {
    Depth depth;
    const InstrumentState& in = *engine.instrument(k_traded);
    in.book.for_each_order(engine.store(), side, [&](OrderIndex index) {
        const Order& order = engine.store().order(index);
        const std::int64_t rank = rank_of(side, in.price_of(order.tick));
        if (rank > worst) return false;
        const bool counts = !order.terms().undisplayed() &&
                            engine.accounts().account(order.account).participant >= background_;
        if (counts) depth[rank] += order.quantity.value;
        return true;
    });
    return depth;
}

// Not at a price at which it would trade.
void Reaction::add(market_kernel::Market& market, Side side, Price price, std::int64_t quantity) {
    const views::PublicChange& top = market.latest(k_traded);
    if (side == Side::buy ? top.has_ask() && price >= top.ask : top.has_bid() && price <= top.bid)
        return;
    Command command{};
    command.kind = CommandKind::new_order;
    command.side = side;
    command.flags = CommandFlags::k_post_only;
    command.instrument = k_traded;
    command.participant = self_;
    command.client_order_id = {++numbers_};
    command.price = price;
    command.quantity = {quantity};
    market.submit(command);
}

// The newest orders at the price first.
void Reaction::cancel(market_kernel::Market& market, Side side, Price price,
                      std::int64_t quantity) {
    std::vector<std::pair<std::uint64_t, Quantity>> asked;
    for (auto i = orders_.rbegin(); i != orders_.rend() && quantity > 0; ++i) {
        const Own& own = i->second;
        if (own.side != side || own.price != price) continue;
        const std::int64_t less = std::min(quantity, own.open.value);
        asked.emplace_back(i->first, Quantity{less});
        quantity -= less;
    }
    for (const auto& [id, less] : asked) {
        Command command{};
        command.kind = CommandKind::cancel_order;
        command.instrument = k_traded;
        command.participant = self_;
        command.order_id = {id};
        command.quantity = less;
        market.submit(command);
    }
}

}  // namespace damrak::what_if
