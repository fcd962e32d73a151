#include <damrak/sim/detail/demo_traders.hpp>

#include <algorithm>

namespace damrak::sim::detail {

using client::News;
using client::OrderEntry;
using client::OwnOrder;

namespace {

constexpr std::int64_t k_ms = 1'000'000;
constexpr std::int64_t k_lots_a_unit = 400;  ///< position per unit by which a maker leans

std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }

}  // namespace

void DemoTrader::hear(const News& news) {
    if (news.kind != News::Kind::filled) return;
    for (std::size_t i = 0; i < positions_.size(); ++i)
        if (prices_->instrument(i).id == news.order.instrument)
            positions_[i] +=
                static_cast<std::int64_t>(news.quantity) * (news.order.side == Side::buy ? 1 : -1);
}

bool DemoTrader::spend(std::int64_t now_ns) {
    if (!budget_.allows(now_ns)) return false;
    budget_.take();
    return true;
}

MarketMaker::MarketMaker(std::string_view name, const ReferencePrices& prices, std::uint64_t seed,
                         const Style& style)
    : DemoTrader(name, prices, seed, 60), style_(style), books_(prices.size()) {}

void MarketMaker::act(std::int64_t now_ns, OrderEntry& entry) {
    first_ = (first_ + 1) % books_.size();
    for (std::size_t n = 0; n < books_.size(); ++n) {
        const std::size_t i = (first_ + n) % books_.size();
        aim(i);
        // The side that moves away goes first, and the other waits for it, so that the maker's
        // quotes never cross.
        const Side first = books_[i].asks_first ? Side::sell : Side::buy;
        if (bring(i, first, now_ns, entry)) bring(i, opposite(first), now_ns, entry);
    }
}

// Sets the target middle of the quotes.
void MarketMaker::aim(std::size_t i) {
    const auto unit = static_cast<std::int64_t>(prices().unit_e2(i));
    const auto lot = static_cast<std::int64_t>(prices().instrument(i).lot);
    const std::int64_t lean =
        std::clamp(-position(i) / lot / k_lots_a_unit, -k_most_lean, k_most_lean);
    const std::int64_t wanted = static_cast<std::int64_t>(prices().now_e2(i)) + lean * unit;
    Book& book = books_[i];
    const auto middle = static_cast<std::int64_t>(book.middle_e2);
    if (middle != 0 && std::abs(wanted - middle) < std::int64_t{style_.patience} * unit) return;
    if (wanted != middle) book.asks_first = wanted > middle;
    book.middle_e2 = static_cast<std::uint64_t>(wanted);
}

// True if every quote of the side is in place, or will be once pending requests are done.
bool MarketMaker::bring(std::size_t i, Side side, std::int64_t now_ns, OrderEntry& entry) {
    bool all = true;
    for (std::size_t k = 0; k < k_quotes; ++k) all = bring(i, side, k, now_ns, entry) && all;
    return all;
}

bool MarketMaker::bring(std::size_t i, Side side, std::size_t k, std::int64_t now_ns,
                        OrderEntry& entry) {
    const std::uint64_t away = prices().unit_e2(i) * (style_.half_spread + k * style_.spacing);
    const std::uint64_t middle_e2 = books_[i].middle_e2;
    const std::uint64_t wanted_e2 = side == Side::buy ? middle_e2 - away : middle_e2 + away;
    Quote& quote = books_[i].sides[index_of(side)][k];
    const auto found = entry.orders().find(quote.number);
    if (found == entry.orders().end()) {
        if (!spend(now_ns)) return false;
        quote = {entry.enter(prices().instrument(i).id, side, lots(i, style_.most_lots), wanted_e2),
                 wanted_e2};
        return true;
    }
    if (quote.price_e2 == wanted_e2) return true;
    // One request at a time: a modify changes the order's id.
    const OwnOrder& order = found->second;
    if (order.state != OwnOrder::State::open) return false;
    if (order.price_e2 != quote.price_e2 && entry.pending() > 0) return false;
    if (!spend(now_ns)) return false;
    quote.price_e2 = wanted_e2;
    return entry.modify(quote.number, lots(i, style_.most_lots), wanted_e2);
}

void NoiseTrader::act(std::int64_t now_ns, OrderEntry& entry) {
    constexpr std::size_t k_most_resting = 12;
    if (now_ns < next_ns_ || entry.pending() > 0) return;
    next_ns_ = now_ns + (100 + random().below(500)) * k_ms;
    if (!spend(now_ns)) return;
    if (entry.orders().size() >= k_most_resting) {
        entry.cancel(entry.orders().begin()->first);
        return;
    }
    const std::size_t i = random().below(static_cast<std::uint32_t>(prices().size()));
    const Side side = random().coin() ? Side::buy : Side::sell;
    const InstrumentId id = prices().instrument(i).id;
    if (random().below(100) < 45) {
        entry.enter(id, side, lots(i, 150), 0);
        return;
    }
    const std::uint64_t away = prices().unit_e2(i) * (random().below(12) + 1);
    const std::uint64_t middle_e2 = prices().now_e2(i);
    const std::uint64_t price_e2 = side == Side::buy ? middle_e2 - away : middle_e2 + away;
    // Avoids self-trades: cancels its own order that would trade.
    for (const auto& [number, order] : entry.orders()) {
        const bool crosses =
            side == Side::buy ? order.price_e2 <= price_e2 : order.price_e2 >= price_e2;
        if (order.instrument == id && order.side != side && crosses) {
            entry.cancel(number);
            return;
        }
    }
    entry.enter(id, side, lots(i, 200), price_e2);
}

void TrendFollower::act(std::int64_t now_ns, OrderEntry& entry) {
    constexpr std::int64_t k_most_lots = 2'000;
    if (now_ns < next_ns_ || entry.pending() > 0) return;
    next_ns_ = now_ns + (500 + random().below(1'000)) * k_ms;
    const std::size_t i = random().below(static_cast<std::uint32_t>(prices().size()));
    const auto moved = static_cast<std::int64_t>(prices().now_e2(i)) -
                       static_cast<std::int64_t>(prices().before_e2(i));
    if (std::abs(moved) < 2 * static_cast<std::int64_t>(prices().unit_e2(i))) return;
    const auto most = k_most_lots * static_cast<std::int64_t>(prices().instrument(i).lot);
    const bool up = moved > 0;
    if ((up ? position(i) : -position(i)) >= most || !spend(now_ns)) return;
    entry.enter(prices().instrument(i).id, up ? Side::buy : Side::sell, lots(i, 100), 0);
}

}  // namespace damrak::sim::detail
