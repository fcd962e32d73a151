#include <damrak/client/itch/feed_books.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <damrak/base/byte_order.hpp>
#include <damrak/wire/itch/visit.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::client {

namespace {

std::string text_of(Price price_e4) {
    constexpr double k_unit = 10'000;
    const bool is_in_cents = price_e4.value % 100 == 0;
    return fmt::format("{:.{}f}", static_cast<double>(price_e4.value) / k_unit,
                       is_in_cents ? 2 : 4);
}

std::string text_of(const order_flow::Indicative& value) {
    if (value.price.value == 0) return "auction without a price yet";
    std::string text = fmt::format("auction {} at {}", value.paired, text_of(value.price));
    if (value.side)
        text += fmt::format(", {} more to {}", value.imbalance,
                            *value.side == Side::buy ? "buy" : "sell");
    return text;
}

}  // namespace

std::string state_text(const FeedInstrument& of) {
    if (!of.halted && !of.collects) return {};
    std::string text = "halted";
    if (!of.halted) text = of.indicative ? text_of(*of.indicative) : "orders are collected";
    if (of.halt.cause().empty()) return text;
    text += fmt::format(" ({}", of.halt.cause());
    if (const auto& collar = of.halt.collar())
        text += fmt::format(", from {} to {}", text_of(collar->lower), text_of(collar->upper));
    return text + ')';
}

FeedBooks::FeedBooks() : market_(std::make_unique<Market>()) {}

void FeedBooks::on_session(const SessionName& session) {
    market_ = std::make_unique<Market>();
    session_ = session;
    sequence_ = 0;
    whole_ = true;
    ended_ = false;
}

void FeedBooks::on_message(std::uint64_t number, std::span<const std::byte> message) {
    if (number == 0) {
        whole_ = false;
    } else {
        sequence_ = number;
    }
    if (!wire::itch::visit(message, market_->flow)) [[unlikely]]
        ++faults_;
}

void FeedBooks::on_messages(std::uint64_t first, std::span<const std::byte> frames) {
    sequence_ = first - 1;
    while (!frames.empty()) {
        const auto walked = wire::itch::walk(frames, market_->flow);
        frames = frames.subspan(walked.consumed_bytes);
        sequence_ += walked.messages;
        if (frames.empty() || walked.end == wire::itch::WalkEnd::stopped) continue;
        // Not a message of ITCH, but it has a number.
        constexpr std::size_t k_header = wire::itch::k_frame_header_length;
        if (frames.size() < k_header) return;
        const std::size_t length = k_header + load_be<std::uint16_t>(frames.data());
        frames = frames.subspan(std::min(length, frames.size()));
        ++sequence_;
        ++faults_;
    }
}

void FeedBooks::on_joined(std::uint64_t next) {
    sequence_ = next - 1;
    whole_ = true;
}

const FeedInstrument* FeedBooks::find(std::string_view symbol) const {
    const auto all = instruments();
    const auto found = std::ranges::find(all, symbol, &FeedInstrument::symbol);
    return found == all.end() ? nullptr : &*found;
}

const FeedInstrument* FeedBooks::find(std::uint16_t locate) const {
    const InstrumentId id = market_->flow.instrument(locate);
    return id.value == 0 ? nullptr : &instruments()[id.value - 1];
}

std::vector<BookLevel> FeedBooks::levels(const FeedInstrument& of, Side side,
                                         std::size_t depth) const {
    std::vector<BookLevel> found;
    const order_flow::BuiltBook& built = market_->books.book(of.id);
    built.book.for_each_level(market_->books.store(), side, [&](const DepthLevel& level) {
        found.push_back({built.scale.price_of(level.tick), level.quantity, level.orders});
        return found.size() != depth;
    });
    return found;
}

std::vector<BookOrder> FeedBooks::orders(const FeedInstrument& of, Side side,
                                         std::size_t depth) const {
    std::vector<BookOrder> found;
    const order_flow::BuiltBook& built = market_->books.book(of.id);
    const BookStore& store = market_->books.store();
    built.book.for_each_order(store, side, [&](OrderIndex index) {
        const Order& order = store.order(index);
        found.push_back({order.id.value, built.scale.price_of(order.tick), order.quantity});
        return found.size() != depth;
    });
    return found;
}

std::optional<BookLevel> FeedBooks::best(const FeedInstrument& of, Side side) const {
    std::optional<BookLevel> found;
    const order_flow::BuiltBook& built = market_->books.book(of.id);
    built.book.for_each_level(market_->books.store(), side, [&](const DepthLevel& level) {
        found = {built.scale.price_of(level.tick), level.quantity, level.orders};
        return false;
    });
    return found;
}

void FeedBooks::Tape::declare(InstrumentId id, std::string_view symbol) {
    FeedInstrument& fresh = instruments.emplace_back();
    fresh.id = id;
    fresh.symbol = symbol;
}

void FeedBooks::Tape::executed(const order_flow::At& at, Price price, Quantity quantity,
                               Side taker) {
    note(at, price, quantity, taker);
}

void FeedBooks::Tape::changed(const order_flow::At& at, order_flow::Change /*change*/,
                              const BookStore& /*store*/, const order_flow::BuiltBook& /*built*/) {
    time_ns = at.time_ns;
    ++instruments[at.instrument.value - 1].changes;
}

void FeedBooks::Tape::traded(const order_flow::At& at, order_flow::TradeKind /*kind*/, Price price,
                             Quantity quantity, std::optional<Side> taker) {
    time_ns = at.time_ns;
    if (quantity.value == 0) return;  // an auction in which nothing traded
    note(at, price, quantity, taker);
    ++instruments[at.instrument.value - 1].changes;
}

void FeedBooks::Tape::phase(const order_flow::At& at, order_flow::StateChange phase) {
    time_ns = at.time_ns;
    if (at.instrument.value == 0) return;
    FeedInstrument& of = instruments[at.instrument.value - 1];
    const bool halted = phase == order_flow::StateChange::halted;
    const bool collects = phase == order_flow::StateChange::quoting;
    of.changes += halted != of.halted || collects != of.collects ? 1 : 0;
    of.halted = halted;
    of.collects = collects;
    of.indicative.reset();
}

void FeedBooks::Tape::indicative(const order_flow::At& at, const order_flow::Indicative& value) {
    time_ns = at.time_ns;
    FeedInstrument& of = instruments[at.instrument.value - 1];
    of.indicative = value;
    ++of.changes;
}

void FeedBooks::Tape::note(const order_flow::At& at, Price price, Quantity quantity,
                           std::optional<Side> taker) {
    FeedInstrument& of = instruments[at.instrument.value - 1];
    of.last_trade = {at.time_ns, price, quantity, taker};
    ++of.trades;
    of.traded += quantity.value;
}

}  // namespace damrak::client
