#include <damrak/replay/market_statistics.hpp>

#include <algorithm>
#include <numeric>

#include <damrak/base/time_units.hpp>

namespace damrak::replay {

namespace {

std::int64_t sum_of_best(const BookStore& store, const OrderBook& book, Side side, int levels) {
    std::int64_t sum = 0;
    if (levels <= 0) return sum;
    book.for_each_level(store, side, [&](const DepthLevel& level) {
        sum += level.quantity.value;
        return --levels > 0;
    });
    return sum;
}

std::optional<Price> price_at(Side side, PriceKey key, const order_flow::PriceScale& scale) {
    if (key == k_no_price) return std::nullopt;
    return scale.price_of(tick_of(side, key));
}

}  // namespace

std::uint64_t InstrumentStatistics::messages() const {
    return std::accumulate(std::begin(changes), std::end(changes), std::uint64_t{0}) +
           traded.hidden.trades + traded.crosses.trades;
}

std::optional<Coverage> InstrumentStatistics::coverage() const {
    if (open.total_ns() == 0) return std::nullopt;
    const auto all = static_cast<double>(open.total_ns());
    const auto summary = spread.summary();
    const std::int64_t two_sided_ns = summary ? summary->time_ns : 0;
    return Coverage{.two_sided = static_cast<double>(two_sided_ns) / all,
                    .crossed = static_cast<double>(crossed.total_ns()) / all};
}

void MarketStatistics::declare(InstrumentId, std::string_view symbol) {
    instruments_.emplace_back().symbol = symbol;
    spreads_.emplace_back();
}

void MarketStatistics::note_price(const order_flow::At& at, InstrumentStatistics& instrument,
                                  Price price, std::optional<Side> aggressor) {
    if (!instrument.first_trade) {
        instrument.first_trade = instrument.low_trade = instrument.high_trade = price;
    }
    instrument.last_trade = price;
    instrument.low_trade = std::min(instrument.low_trade, price);
    instrument.high_trade = std::max(instrument.high_trade, price);
    if (instrument.series && aggressor) instrument.series->on_trade(at.time_ns, price, *aggressor);
}

void MarketStatistics::executed(const order_flow::At& at, Price price, Quantity quantity,
                                Side aggressor) {
    InstrumentStatistics& instrument = instruments_[at.instrument.value - 1];
    if (settings_.series && !instrument.series && series_ < k_most_series) {
        ++series_;
        instrument.series = std::make_unique<DaySeries>(instrument.symbol, settings_.depth_levels);
    }
    instrument.traded.displayed.add(quantity);
    note_price(at, instrument, price, aggressor);
}

void MarketStatistics::traded(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                              Quantity quantity, std::optional<Side> aggressor) {
    note_time(at.time_ns);
    InstrumentStatistics& instrument = instruments_[at.instrument.value - 1];
    measures::Traded& all = instrument.traded;
    (kind == order_flow::TradeKind::hidden ? all.hidden : all.crosses).add(quantity);
    if (quantity.value > 0) note_price(at, instrument, price, aggressor);
}

void MarketStatistics::changed(const order_flow::At& at, order_flow::Change change,
                               const BookStore& store, const order_flow::BuiltBook& built) {
    note_time(at.time_ns);
    most_orders_ = std::max(most_orders_, store.order_pool.used());
    InstrumentStatistics& instrument = instruments_[at.instrument.value - 1];
    if (change != order_flow::Change::concealed)
        ++instrument.changes[static_cast<std::size_t>(change)];
    const PriceKey bid_key = built.book.side(Side::buy).best_key();
    const PriceKey ask_key = built.book.side(Side::sell).best_key();
    if (bid_key != instrument.bid_key || ask_key != instrument.ask_key) {
        instrument.bid_key = bid_key;
        instrument.ask_key = ask_key;
        on_top(at, instrument, built.scale);
    }
    if (const std::int64_t second = at.time_ns / k_second_ns; second != instrument.depth_second) {
        instrument.depth_second = second;
        if (!closed_) sample_depth(at, instrument, store, built.book);
    }
    if (instrument.series && instrument.series->wants_depth(at.time_ns)) {
        const int levels = settings_.depth_levels;
        instrument.series->on_depth(at.time_ns, {sum_of_best(store, built.book, Side::buy, levels)},
                                    {sum_of_best(store, built.book, Side::sell, levels)});
    }
}

void MarketStatistics::on_top(const order_flow::At& at, InstrumentStatistics& instrument,
                              const order_flow::PriceScale& scale) {
    const auto bid = price_at(Side::buy, instrument.bid_key, scale);
    const auto ask = price_at(Side::sell, instrument.ask_key, scale);
    auto& spread = spreads_[at.instrument.value - 1];
    spread = bid && ask ? std::optional{(*ask - *bid).value} : std::nullopt;
    instrument.seen = true;
    count_from(at.time_ns, at.instrument.value - 1);
    if (instrument.series) instrument.series->on_top(at.time_ns, bid, ask);
}

// Prices may cross while orders do not trade, before an auction, or if a recording lacks the
// message that removed one of them. Such a time has no spread.
void MarketStatistics::count_from(std::int64_t time_ns, std::size_t index) {
    InstrumentStatistics& instrument = instruments_[index];
    const auto& spread = spreads_[index];
    const bool open = !closed_ && !instrument.halted;
    const bool crossed = spread.value_or(0) < 0;
    instrument.spread.update(time_ns, open && !crossed ? spread : std::nullopt);
    instrument.crossed.update(time_ns, open && crossed);
    instrument.open.update(time_ns, open && instrument.seen);
}

void MarketStatistics::sample_depth(const order_flow::At&, InstrumentStatistics& instrument,
                                    const BookStore& store, const OrderBook& book) const {
    ++instrument.depth.count;
    instrument.depth.bid_sum += sum_of_best(store, book, Side::buy, settings_.depth_levels);
    instrument.depth.ask_sum += sum_of_best(store, book, Side::sell, settings_.depth_levels);
}

void MarketStatistics::phase(const order_flow::At& at, order_flow::StateChange phase) {
    note_time(at.time_ns);
    if (at.instrument) {
        InstrumentStatistics& instrument = instruments_[at.instrument.value - 1];
        instrument.halted = phase != order_flow::StateChange::trading;
        count_from(at.time_ns, at.instrument.value - 1);
        return;
    }
    closed_ = phase == order_flow::StateChange::closed;
    for (std::size_t i = 0; i < instruments_.size(); ++i) {
        InstrumentStatistics& instrument = instruments_[i];
        if (phase == order_flow::StateChange::opened) {
            instrument.spread.restart(at.time_ns);
            instrument.open.restart(at.time_ns);
            instrument.crossed.restart(at.time_ns);
            instrument.depth = {};
        }
        count_from(at.time_ns, i);
    }
}

void MarketStatistics::finish() {
    closed_ = true;
    for (std::size_t i = 0; i < instruments_.size(); ++i) count_from(last_ns_, i);
}

}  // namespace damrak::replay
