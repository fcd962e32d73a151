#include <damrak/generator/flow.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/random.hpp>
#include <damrak/generator/detail/flow_book.hpp>
#include <damrak/generator/detail/flow_draws.hpp>
#include <damrak/generator/detail/price_path.hpp>

namespace damrak::generator {
namespace {

constexpr std::uint32_t k_flow_symbols_max = 1'000'000;
constexpr std::uint64_t k_live_orders_max = 100'000'000;

// The mix of messages, in thousandths; passive adds and cancels share the first part.
constexpr std::uint32_t k_passive_or_cancel = 875;
constexpr std::uint32_t k_up_to_replace = 975;
constexpr std::uint32_t k_up_to_ioc = 995;

constexpr std::uint32_t k_stay_on_symbol = 500;  // thousandths
constexpr std::uint32_t k_recent_orders = 64;    // half of the cancels hit one of these

std::uint8_t bit_of(Side side) { return std::to_underlying(side); }
Side side_of(bool bit) { return bit ? Side::sell : Side::buy; }

struct FlowSymbol {
    detail::FlowBook book;
    detail::PricePath path;
    std::uint32_t live_orders_target;
    std::uint64_t messages = 0;
};

}  // namespace

class OrderFlow::Generator {
  public:
    explicit Generator(const FlowOptions& options);

    const FlowStep* next();
    [[nodiscard]] const std::vector<FlowSymbol>& symbols() const { return symbols_; }

  private:
    void draw_symbol();
    void draw_message();
    void place_passive(bool prefill);
    void cancel_one();
    void replace_one();
    void place_ioc();
    void place_crossing();

    FlowSymbol& current() { return symbols_[symbol_]; }
    std::uint64_t draw_id();
    detail::FlowBook::Place draw_live_order();
    std::int32_t draw_passive_price(Side side);
    std::int32_t touch_or_fair(Side side);
    std::int32_t behind_touch(Side side, std::int32_t price_ticks);
    void submit(const FlowOrder& order);

    FlowOptions options_;
    RandomStream random_;
    std::vector<std::uint32_t> thresholds_;
    std::vector<FlowSymbol> symbols_;
    bool pulls_stale_quotes_;  // cancels quotes far from the fair price first
    bool hits_stale_quotes_;   // passive orders trade with them instead of staying behind the touch
    FlowStep step_;
    std::uint32_t symbol_ = 0;
    bool prefilling_ = true;
    std::uint64_t messages_ = 0;
    std::uint64_t ids_ = 0;
    std::uint64_t references_ = 0;
    std::uint64_t trades_ = 0;
};

OrderFlow::Generator::Generator(const FlowOptions& options)
    : options_(options),
      random_(options.seed),
      thresholds_(detail::zipf_thresholds(options.symbols)),
      pulls_stale_quotes_(options.shape == FlowShape::swinging ||
                          options.shape == FlowShape::crash),
      hits_stale_quotes_(options.shape == FlowShape::crash) {
    symbols_.reserve(options.symbols);
    std::uint32_t previous = 0;
    for (std::uint32_t i = 0; i < options.symbols; ++i) {
        const double share = (thresholds_[i] - previous) / 4294967295.0;
        previous = thresholds_[i];
        const auto expected =
            static_cast<std::uint64_t>(share * static_cast<double>(options.messages));
        const std::uint64_t target = options.live_orders / options.symbols +
                                     (i < options.live_orders % options.symbols ? 1 : 0);
        symbols_.push_back(
            {{}, detail::PricePath(options.shape, expected), static_cast<std::uint32_t>(target)});
    }
}

const FlowStep* OrderFlow::Generator::next() {
    step_.events.clear();
    while (prefilling_) {
        if (current().book.live().size() < current().live_orders_target) {
            place_passive(true);
            return &step_;
        }
        if (symbol_ + 1 < symbols_.size()) {
            ++symbol_;
        } else {
            prefilling_ = false;
            symbol_ = 0;
        }
    }
    if (messages_ == options_.messages) return nullptr;
    ++messages_;
    draw_symbol();
    ++current().messages;
    current().path.advance(current().messages, random_);
    draw_message();
    return &step_;
}

void OrderFlow::Generator::draw_symbol() {
    if (random_.below(1000) < k_stay_on_symbol) return;
    const auto point = static_cast<std::uint32_t>(random_.next() >> 32);
    const auto found = std::ranges::lower_bound(thresholds_, point);
    const auto index = static_cast<std::size_t>(found - thresholds_.begin());
    symbol_ = static_cast<std::uint32_t>(std::min(index, symbols_.size() - 1));
}

void OrderFlow::Generator::draw_message() {
    const std::uint32_t kind = random_.below(1000);
    const bool empty = current().book.live().empty();
    if (kind < k_passive_or_cancel || empty) {
        // The further the book is from its target size, the more adds outweigh cancels, or the
        // reverse.
        const auto live = static_cast<std::int64_t>(current().book.live().size());
        const std::int64_t target = current().live_orders_target;
        const std::int64_t add_share =
            std::clamp<std::int64_t>(500 - (live - target) * 2000 / target, 50, 950);
        if (empty || random_.below(1000) < static_cast<std::uint32_t>(add_share)) {
            place_passive(false);
        } else {
            cancel_one();
        }
    } else if (kind < k_up_to_replace) {
        replace_one();
    } else if (kind < k_up_to_ioc) {
        place_ioc();
    } else {
        place_crossing();
    }
}

void OrderFlow::Generator::place_passive(bool prefill) {
    const Side side = side_of(random_.coin());
    std::int32_t price = draw_passive_price(side);
    if (prefill || !hits_stale_quotes_) price = behind_touch(side, price);
    const std::uint32_t quantity = detail::draw_quantity(random_);
    submit({.op = Nw1Op::add,
            .side = side,
            .prefill = prefill,
            .symbol = symbol_,
            .quantity = quantity,
            .order_id = draw_id(),
            .price_ticks = price});
}

void OrderFlow::Generator::cancel_one() {
    const auto place = draw_live_order();
    const detail::FlowBookOrder order = *place;
    step_.order = {.op = Nw1Op::cancel,
                   .side = order.side,
                   .symbol = symbol_,
                   .order_id = order.order_id,
                   .price_ticks = order.price_ticks,
                   .target_age = current().messages - order.placed_at};
    current().book.remove(place);
    step_.events.push_back({.kind = MarketEventKind::deleted,
                            .side = order.side,
                            .symbol = symbol_,
                            .quantity = order.quantity,
                            .price_ticks = order.price_ticks,
                            .reference = order.reference,
                            .order_id = order.order_id});
}

void OrderFlow::Generator::replace_one() {
    const auto place = draw_live_order();
    detail::FlowBookOrder order = *place;
    std::int32_t price = draw_passive_price(order.side);
    if (random_.below(100) < 50) {
        price = order.price_ticks + static_cast<std::int32_t>(random_.below(3)) - 1;
    }
    price = behind_touch(order.side, price);
    const std::uint32_t quantity = detail::draw_quantity(random_);
    step_.order = {.op = Nw1Op::replace,
                   .side = order.side,
                   .symbol = symbol_,
                   .quantity = quantity,
                   .order_id = order.order_id,
                   .price_ticks = price,
                   .target_age = current().messages - order.placed_at};
    current().book.remove(place);
    const std::uint64_t previous_reference = std::exchange(order.reference, ++references_);
    order.price_ticks = price;
    order.quantity = quantity;
    order.placed_at = current().messages;
    current().book.rest(order);
    step_.events.push_back({.kind = MarketEventKind::replaced,
                            .side = order.side,
                            .symbol = symbol_,
                            .quantity = quantity,
                            .price_ticks = price,
                            .reference = order.reference,
                            .previous_reference = previous_reference,
                            .order_id = order.order_id});
}

void OrderFlow::Generator::place_ioc() {
    const Side side = side_of(random_.coin());
    const std::uint64_t id = draw_id();
    const std::int32_t price = touch_or_fair(opposite(side));
    const std::uint32_t quantity = detail::draw_quantity(random_);
    submit({.op = Nw1Op::add,
            .side = side,
            .ioc = true,
            .symbol = symbol_,
            .quantity = quantity,
            .order_id = id,
            .price_ticks = price});
}

void OrderFlow::Generator::place_crossing() {
    const Side side = side_of(random_.coin());
    const auto depth = static_cast<std::int32_t>(1 + random_.below(3));
    const std::uint64_t id = draw_id();
    const std::int32_t touch = touch_or_fair(opposite(side));
    const std::uint32_t quantity = detail::draw_quantity(random_) * 3;
    submit({.op = Nw1Op::add,
            .side = side,
            .symbol = symbol_,
            .quantity = quantity,
            .order_id = id,
            .price_ticks = side == Side::sell ? touch - depth : touch + depth});
}

std::uint64_t OrderFlow::Generator::draw_id() {
    const std::uint64_t n = ++ids_;
    return options_.ids == FlowIds::sequential ? n
                                               : mix_bits(n * RandomStream::k_step + 12'345) | 1U;
}

detail::FlowBook::Place OrderFlow::Generator::draw_live_order() {
    detail::FlowBook& book = current().book;
    if (pulls_stale_quotes_) {
        const std::int32_t fair = current().path.fair_price_ticks();
        if (book.has(Side::buy) && book.best(Side::buy) >= fair) return book.front(Side::buy);
        if (book.has(Side::sell) && book.best(Side::sell) <= fair) return book.front(Side::sell);
    }
    const auto& live = book.live();
    const auto count = static_cast<std::uint32_t>(live.size());
    if (random_.below(100) < 50) {
        return live[count - 1 - random_.below(std::min(count, k_recent_orders))];
    }
    return live[random_.below(count)];
}

std::int32_t OrderFlow::Generator::draw_passive_price(Side side) {
    const std::int32_t distance = 1 + detail::draw_distance(random_);
    const std::int32_t fair = current().path.fair_price_ticks();
    return side == Side::sell ? fair + distance : fair - distance;
}

// Best price of a side; if the side is empty, one tick from the fair price.
std::int32_t OrderFlow::Generator::touch_or_fair(Side side) {
    const FlowSymbol& symbol = current();
    if (symbol.book.has(side)) return symbol.book.best(side);
    return symbol.path.fair_price_ticks() + (side == Side::sell ? 1 : -1);
}

// The price, moved just far enough not to trade.
std::int32_t OrderFlow::Generator::behind_touch(Side side, std::int32_t price_ticks) {
    const detail::FlowBook& book = current().book;
    if (!book.has(opposite(side))) return price_ticks;
    const std::int32_t touch = book.best(opposite(side));
    return side == Side::sell ? std::max(price_ticks, touch + 1) : std::min(price_ticks, touch - 1);
}

void OrderFlow::Generator::submit(const FlowOrder& order) {
    step_.order = order;
    FlowSymbol& symbol = current();
    const auto on_fill = [&](const detail::FlowBookOrder& maker, std::uint32_t filled) {
        step_.events.push_back({.kind = MarketEventKind::executed,
                                .side = maker.side,
                                .symbol = symbol_,
                                .quantity = filled,
                                .price_ticks = maker.price_ticks,
                                .reference = maker.reference,
                                .order_id = maker.order_id,
                                .taker_id = order.order_id,
                                .trade_number = ++trades_});
    };
    const std::uint32_t rest =
        symbol.book.match(order.side, order.price_ticks, order.quantity, on_fill);
    if (rest == 0 || order.ioc) return;
    symbol.book.rest({.order_id = order.order_id,
                      .reference = ++references_,
                      .placed_at = symbol.messages,
                      .quantity = rest,
                      .price_ticks = order.price_ticks,
                      .side = order.side,
                      .live_index = 0});
    step_.events.push_back({.kind = MarketEventKind::added,
                            .side = order.side,
                            .symbol = symbol_,
                            .quantity = rest,
                            .price_ticks = order.price_ticks,
                            .reference = references_,
                            .order_id = order.order_id});
}

std::expected<OrderFlow, std::string> OrderFlow::create(const FlowOptions& options) {
    if (options.symbols == 0 || options.symbols > k_flow_symbols_max) {
        return std::unexpected("order flow: " + std::to_string(options.symbols) +
                               " symbols; expected 1 to " + std::to_string(k_flow_symbols_max));
    }
    if (options.live_orders < options.symbols || options.live_orders > k_live_orders_max) {
        return std::unexpected("order flow: " + std::to_string(options.live_orders) +
                               " live orders; expected at least one a symbol (" +
                               std::to_string(options.symbols) + ") and at most " +
                               std::to_string(k_live_orders_max));
    }
    return OrderFlow(std::make_unique<Generator>(options));
}

OrderFlow::OrderFlow(std::unique_ptr<Generator> generator) : generator_(std::move(generator)) {}
OrderFlow::OrderFlow(OrderFlow&&) noexcept = default;
OrderFlow& OrderFlow::operator=(OrderFlow&&) noexcept = default;
OrderFlow::~OrderFlow() = default;

const FlowStep* OrderFlow::next() { return generator_->next(); }

std::int32_t OrderFlow::fair_price_ticks(std::uint32_t symbol) const {
    DAMRAK_ASSERT(symbol < generator_->symbols().size());
    return generator_->symbols()[symbol].path.fair_price_ticks();
}

std::uint64_t OrderFlow::live_orders() const {
    std::uint64_t count = 0;
    for (const FlowSymbol& symbol : generator_->symbols()) count += symbol.book.live().size();
    return count;
}

std::optional<FlowShape> parse_flow_shape(std::string_view name) {
    if (name == "neutral") return FlowShape::neutral;
    if (name == "calm") return FlowShape::calm;
    if (name == "volatile") return FlowShape::swinging;
    if (name == "crash") return FlowShape::crash;
    return std::nullopt;
}

std::optional<Nw1Record> to_nw1_record(const FlowOrder& order) {
    if (order.symbol > std::numeric_limits<std::uint8_t>::max()) return std::nullopt;
    return Nw1Record{.op = order.op,
                     .side = bit_of(order.side),
                     .ioc = static_cast<std::uint8_t>(order.ioc),
                     .symbol = static_cast<std::uint8_t>(order.symbol),
                     .quantity = order.quantity,
                     .order_id = order.order_id,
                     .price_ticks = order.price_ticks,
                     .phase = order.prefill ? 0U : 1U,
                     .target_age = order.target_age};
}

}  // namespace damrak::generator
