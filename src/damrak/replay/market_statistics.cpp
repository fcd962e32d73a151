#include <damrak/replay/market_statistics.hpp>

#include <algorithm>
#include <numeric>

namespace damrak::replay {

namespace {

constexpr std::int64_t k_second_ns = 1'000'000'000;

std::int64_t sum_of_best(const BookStore& store, const OrderBook& book, Side side, int levels) {
    std::int64_t sum = 0;
    if (levels <= 0) return sum;
    book.for_each_level(store, side, [&](const DepthLevel& level) {
        sum += level.quantity.value;
        return --levels > 0;
    });
    return sum;
}

std::optional<Price> price_at(Side side, PriceKey key, const PriceScale& scale) {
    if (key == k_no_price) return std::nullopt;
    return scale.price_of(tick_of(side, key));
}

void add(TradeCount& count, Quantity quantity) {
    ++count.trades;
    count.volume += static_cast<std::uint64_t>(quantity.value);
}

}  // namespace

std::uint64_t InstrumentStatistics::messages() const {
    return std::accumulate(std::begin(changes), std::end(changes), std::uint64_t{0}) +
           hidden.trades + crosses.trades;
}

void MarketStatistics::declare(InstrumentId, std::string_view symbol) {
    instruments_.emplace_back().symbol = symbol;
    spreads_.emplace_back();
}

void MarketStatistics::note_price(const At& at, InstrumentStatistics& instrument, Price price,
                                  std::optional<Side> aggressor) {
    if (!instrument.first_trade) {
        instrument.first_trade = instrument.low_trade = instrument.high_trade = price;
    }
    instrument.last_trade = price;
    instrument.low_trade = std::min(instrument.low_trade, price);
    instrument.high_trade = std::max(instrument.high_trade, price);
    if (instrument.series && aggressor) instrument.series->on_trade(at.time_ns, price, *aggressor);
}

void MarketStatistics::executed(const At& at, Price price, Quantity quantity, Side aggressor) {
    InstrumentStatistics& instrument = instruments_[at.instrument.value - 1];
    if (settings_.series && !instrument.series && series_ < k_most_series) {
        ++series_;
        instrument.series = std::make_unique<DaySeries>(instrument.symbol, settings_.depth_levels);
    }
    add(instrument.displayed, quantity);
    note_price(at, instrument, price, aggressor);
}

void MarketStatistics::traded(const At& at, TradeKind kind, Price price, Quantity quantity,
                              std::optional<Side> aggressor) {
    note_time(at.time_ns);
    InstrumentStatistics& instrument = instruments_[at.instrument.value - 1];
    add(kind == TradeKind::hidden ? instrument.hidden : instrument.crosses, quantity);
    if (quantity.value > 0) note_price(at, instrument, price, aggressor);
}

void MarketStatistics::changed(const At& at, Change change, const BookStore& store,
                               const BuiltBook& built) {
    note_time(at.time_ns);
    most_orders_ = std::max(most_orders_, store.order_pool.used());
    InstrumentStatistics& instrument = instruments_[at.instrument.value - 1];
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

void MarketStatistics::on_top(const At& at, InstrumentStatistics& instrument,
                              const PriceScale& scale) {
    const auto bid = price_at(Side::buy, instrument.bid_key, scale);
    const auto ask = price_at(Side::sell, instrument.ask_key, scale);
    auto& spread = spreads_[at.instrument.value - 1];
    // Crossed prices stand only while orders do not trade, before an auction: that is no spread.
    spread = bid && ask && *ask >= *bid ? std::optional{(*ask - *bid).value} : std::nullopt;
    if (!closed_ && !instrument.halted) instrument.spread.update(at.time_ns, spread);
    if (instrument.series) instrument.series->on_top(at.time_ns, bid, ask);
}

void MarketStatistics::sample_depth(const At&, InstrumentStatistics& instrument,
                                    const BookStore& store, const OrderBook& book) const {
    ++instrument.depth.count;
    instrument.depth.bid_sum += sum_of_best(store, book, Side::buy, settings_.depth_levels);
    instrument.depth.ask_sum += sum_of_best(store, book, Side::sell, settings_.depth_levels);
}

void MarketStatistics::phase(const At& at, Phase phase) {
    note_time(at.time_ns);
    if (at.instrument) {
        InstrumentStatistics& instrument = instruments_[at.instrument.value - 1];
        instrument.halted = phase != Phase::trading;
        const auto& spread = spreads_[at.instrument.value - 1];
        instrument.spread.update(at.time_ns, instrument.halted || closed_ ? std::nullopt : spread);
        return;
    }
    closed_ = phase == Phase::closed;
    for (std::size_t i = 0; i < instruments_.size(); ++i) {
        InstrumentStatistics& instrument = instruments_[i];
        if (phase == Phase::opened) {
            instrument.spread.restart(at.time_ns);
            instrument.depth = {};
        }
        instrument.spread.update(at.time_ns,
                                 closed_ || instrument.halted ? std::nullopt : spreads_[i]);
    }
}

void MarketStatistics::finish() {
    for (InstrumentStatistics& instrument : instruments_)
        instrument.spread.update(last_ns_, std::nullopt);
}

}  // namespace damrak::replay
