#include <damrak/market_stream/detail/market_state.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

#include <damrak/wire/itch/walk.hpp>

namespace damrak::market_stream {

namespace {

template <class T>
void append_bounded(std::deque<T>& to, T value, std::size_t most) {
    if (to.size() == most) to.pop_front();
    to.push_back(std::move(value));
}

void add_to_candle(archive::Candle& candle, const Trade& trade) {
    if (candle.trades == 0) candle.open_e4 = candle.low_e4 = trade.price_e4;
    candle.high_e4 = std::max(candle.high_e4, trade.price_e4);
    candle.low_e4 = std::min(candle.low_e4, trade.price_e4);
    candle.close_e4 = trade.price_e4;
    candle.quantity += trade.quantity;
    candle.turnover_e4 += trade.price_e4 * trade.quantity;
    ++candle.trades;
}

void add_to_statistics(Statistics& to, const Trade& trade) {
    if (!to.open_e4) to.open_e4 = to.low_e4 = trade.price_e4;
    to.high_e4 = std::max(to.high_e4, trade.price_e4);
    to.low_e4 = std::min(to.low_e4, trade.price_e4);
    to.last_e4 = trade.price_e4;
    to.volume += trade.quantity;
    to.turnover_e4 += trade.price_e4 * trade.quantity;
    ++to.trades;
}

// The first messages, of a given number.
std::span<const std::byte> first_of(std::span<const std::byte> frames, std::uint64_t messages) {
    std::size_t bytes = 0;
    for (; messages > 0 && bytes < frames.size(); --messages)
        bytes += wire::itch::k_frame_header_length + load_be<std::uint16_t>(frames.data() + bytes);
    return frames.first(bytes);
}

}  // namespace

std::string_view name(DisplayedState state) {
    switch (state) {
        case DisplayedState::trading:
            return "trading";
        case DisplayedState::halted:
            return "halted";
        case DisplayedState::call:
            return "call";
    }
    return {};
}

MarketState::MarketState() : market_(std::make_unique<Market>(order_flow::BrokenTrades{})) {}

/// Tells the tape which message comes before the flow takes it.
struct MarketState::Visitor {
    Market& market;
    void on(const auto& message) {
        Tape& tape = market.books.observer();
        ++tape.sequence;
        tape.locate = message.stock_locate;
        if constexpr (requires { message.match_number; }) tape.match_number = message.match_number;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(message)>,
                                     wire::itch::BrokenTrade>)
            tape.bust(market.flow.instrument(message.stock_locate), message.match_number);
        if constexpr (requires { market.flow.on(message); })
            static_cast<void>(market.flow.on(message));
    }
};

void MarketState::on_messages(std::uint64_t first, std::span<const std::byte> frames) {
    market_->books.observer().sequence = first - 1;
    Visitor visitor{*market_};
    const auto walked = wire::itch::walk(frames, visitor);
    market_->sequence = first - 1 + walked.messages;
}

bool MarketState::has_to_recount() const {
    return market_->flow.broken().size() > market_->known_broken;
}

void MarketState::recount(feed::FeedReader from, std::span<std::byte> memory) {
    MarketState again;
    again.market_ = std::make_unique<Market>(market_->flow.broken());
    while (again.sequence() < sequence()) {
        const std::uint64_t first = from.next();
        again.on_messages(first, first_of(from.read(memory), sequence() - first + 1));
        if (again.sequence() < first) return;  // unreadable, although it was read before
    }
    std::vector<Instrument>& counted = again.market_->books.observer().instruments;
    for (std::size_t i = 0; i < counted.size(); ++i) {
        const Instrument& told = instruments()[i];
        counted[i].trades = told.trades;
        counted[i].told = told.told;
        counted[i].busts = told.busts;
        counted[i].busted = told.busted;
        counted[i].recounts = told.recounts + 1;
    }
    market_ = std::move(again.market_);
}

const Instrument* MarketState::find(std::string_view symbol) const {
    const auto all = instruments();
    const auto found = std::ranges::find(all, symbol, &Instrument::symbol);
    return found == all.end() ? nullptr : &*found;
}

void MarketState::levels(const Instrument& of, Side side, std::size_t most,
                         std::vector<archive::BookLevel>& into) const {
    into.clear();
    if (market_->flow.marks().are_told()) {
        std::vector<archive::BookOrder> all;
        orders(of, side, most, std::numeric_limits<std::size_t>::max(), all);
        into = archive::Book::levels(all);
        return;
    }
    const order_flow::BuiltBook& built = market_->books.book(of.id);
    built.book.for_each_level(market_->books.store(), side, [&](const DepthLevel& level) {
        into.push_back({static_cast<std::uint32_t>(built.scale.price_of(level.tick).value),
                        static_cast<std::uint64_t>(level.quantity.value), level.orders});
        return into.size() < most;
    });
}

void MarketState::orders(const Instrument& of, Side side, std::size_t most_levels, std::size_t most,
                         std::vector<archive::BookOrder>& into) const {
    into.clear();
    std::size_t levels = 0;
    const order_flow::BuiltBook& built = market_->books.book(of.id);
    const BookStore& store = market_->books.store();
    built.book.for_each_order(store, side, [&](OrderIndex index) {
        const Order& order = store.order(index);
        const auto price = static_cast<std::uint32_t>(built.scale.price_of(order.tick).value);
        const bool is_new_level = into.empty() || into.back().price_e4 != price;
        if (is_new_level && ++levels > most_levels) return false;
        into.push_back({order.id.value, price, static_cast<std::uint32_t>(order.quantity.value)});
        return into.size() < most;
    });
}

void MarketState::Tape::declare(InstrumentId id, std::string_view symbol) {
    Instrument& fresh = instruments.emplace_back();
    fresh.id = id;
    fresh.symbol = symbol;
    fresh.locate = locate;
}

void MarketState::Tape::changed(const order_flow::At& at, order_flow::Change change,
                                const BookStore& /*store*/,
                                const order_flow::BuiltBook& /*built*/) {
    using order_flow::Change;
    time_ns = at.time_ns;
    Instrument& of = instruments[at.instrument.value - 1];
    ++of.book_changes;
    if (change == Change::added || change == Change::replaced)
        ++of.statistics.orders;
    else if (change == Change::executed)
        ++of.statistics.executions;
    else if (change != Change::concealed)
        ++of.statistics.cancels;
}

void MarketState::Tape::traded(const order_flow::At& at, order_flow::TradeKind /*kind*/,
                               Price price, Quantity quantity, std::optional<Side> taker) {
    if (quantity.value > 0) add_trade(at, price, quantity, taker);
}

void MarketState::Tape::phase(const order_flow::At& at, order_flow::StateChange phase) {
    time_ns = at.time_ns;
    if (at.instrument.value == 0) return;
    Instrument& of = instruments[at.instrument.value - 1];
    of.auction.reset();
    DisplayedState& state = of.state;
    if (phase == order_flow::StateChange::halted) state = DisplayedState::halted;
    if (phase == order_flow::StateChange::quoting) state = DisplayedState::call;
    if (phase == order_flow::StateChange::trading) state = DisplayedState::trading;
}

void MarketState::Tape::indicative(const order_flow::At& at, const order_flow::Indicative& value) {
    time_ns = at.time_ns;
    instruments[at.instrument.value - 1].auction = value;
}

// Candles and statistics have the trade until they are counted again.
void MarketState::Tape::bust(InstrumentId id, std::uint64_t busted_number) {
    if (id.value == 0 || id.value > instruments.size()) return;
    Instrument& of = instruments[id.value - 1];
    const auto found = std::ranges::find(of.trades, busted_number, &Trade::match_number);
    if (found == of.trades.end()) return;
    found->quantity = 0;
    append_bounded(of.busted, *found, Instrument::k_kept_busts);
    ++of.busts;
}

void MarketState::Tape::add_trade(const order_flow::At& at, Price price, Quantity quantity,
                                  std::optional<Side> taker) {
    time_ns = at.time_ns;
    Instrument& of = instruments[at.instrument.value - 1];
    const Trade trade{.sequence = sequence,
                      .time_ns = at.time_ns,
                      .price_e4 = static_cast<std::uint32_t>(price.value),
                      .quantity = static_cast<std::uint64_t>(quantity.value),
                      .aggressor = taker,
                      .match_number = match_number};
    ++of.told;
    add_to_statistics(of.statistics, trade);
    for (std::size_t i = 0; i < k_candle_seconds.size(); ++i) {
        const std::int64_t length_ns = std::int64_t{1'000'000'000} * k_candle_seconds[i];
        const std::int64_t begin_ns = at.time_ns - at.time_ns % length_ns;
        auto& candles = of.candles[i];
        if (candles.empty() || candles.back().begin_ns != begin_ns)
            append_bounded(candles, {.begin_ns = begin_ns}, Instrument::k_kept_candles);
        add_to_candle(candles.back(), trade);
    }
    append_bounded(of.trades, trade, Instrument::k_kept_trades);
}

}  // namespace damrak::market_stream
