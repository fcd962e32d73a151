// Generates a day of order flow: the messages of participants, and the public events that follow
// from them.
//
// Called by `damrak generate`, the benchmarks and the tests, from one thread. The neutral flow is
// the benchmark stream NW-1, draw for draw, with its published fingerprints: 45 % passive adds, 42
// % cancels, 10 % replaces, 2 % immediate-or-cancel orders at the touch and 0.5 % limits that cross
// up to three levels; symbols follow Zipf's law. The other shapes move the fair price along a
// curve, and participants cancel stale quotes. A message costs some hundreds of nanoseconds; memory
// grows with the live orders, not with the messages.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/order_terms.hpp>
#include <damrak/generator/nw1_record.hpp>

namespace damrak::generator {

enum class FlowShape : std::uint8_t {
    neutral,   ///< NW-1: the fair price moves a tick in 400 messages of its symbol
    calm,      ///< it moves ten times slower
    swinging,  ///< up 25 % from the opening price, down to 25 % below it, and back
    crash,     ///< falls 24 % within 3 % of the messages, mostly recovers within 10 % of them
};

/// "neutral", "calm", "volatile" and "crash"; nothing for other names.
[[nodiscard]] std::optional<FlowShape> parse_flow_shape(std::string_view name);

enum class FlowIds : std::uint8_t {
    sequential,  ///< 1, 2, 3, ...
    scattered,   ///< the same numbers spread over 64 bits
};

/// Which order flow to generate.
struct FlowOptions {
    std::uint64_t messages = 4'000'000;  ///< after the prefill
    std::uint32_t symbols = 8;
    std::uint64_t live_orders = 12'000;  ///< of all symbols, spread evenly
    std::uint64_t seed = 42;
    FlowIds ids = FlowIds::sequential;
    FlowShape shape = FlowShape::neutral;
};

/// A participant's message. A replace keeps its id and loses priority.
struct FlowOrder {
    Nw1Op op = Nw1Op::add;
    Side side = Side::buy;
    bool ioc = false;
    bool prefill = false;  ///< belongs to the opening books, and is not counted as a message
    std::uint32_t symbol = 0;
    std::uint32_t quantity = 0;
    std::uint64_t order_id = 0;
    std::int32_t price_ticks = 0;
    std::uint64_t target_age = 0;  ///< messages on the symbol since the addressed order was placed
};

enum class MarketEventKind : std::uint8_t { added, executed, deleted, replaced };

/// An event of the public feed. Orders have public references, which a replace renews.
struct MarketEvent {
    MarketEventKind kind = MarketEventKind::added;
    Side side = Side::buy;  ///< of the resting order
    std::uint32_t symbol = 0;
    std::uint32_t quantity = 0;  ///< added, executed, or open after a replace
    std::int32_t price_ticks = 0;
    std::uint64_t reference = 0;
    std::uint64_t previous_reference = 0;  ///< of a replace
    std::uint64_t order_id = 0;            ///< the participant's, of the resting order
    std::uint64_t taker_id = 0;            ///< of an execution
    std::uint64_t trade_number = 0;        ///< of an execution: 1, 2, 3, ...
};

/// An order message with its consequences.
struct FlowStep {
    FlowOrder order;
    std::vector<MarketEvent> events;  ///< its consequences, in order
};

/// Generates an order flow message by message.
class OrderFlow {
  public:
    /// The error says which option is out of range.
    [[nodiscard]] static std::expected<OrderFlow, std::string> create(const FlowOptions& options);

    OrderFlow(OrderFlow&&) noexcept;
    OrderFlow& operator=(OrderFlow&&) noexcept;
    ~OrderFlow();

    /// The next message with its consequences, valid until the next call; null after the last one.
    [[nodiscard]] const FlowStep* next();

    /// Fair price of a symbol, around which its orders are placed.
    [[nodiscard]] std::int32_t fair_price_ticks(std::uint32_t symbol) const;
    [[nodiscard]] std::uint64_t live_orders() const;

  private:
    class Generator;
    explicit OrderFlow(std::unique_ptr<Generator> generator);
    std::unique_ptr<Generator> generator_;
};

/// The message as a record of a stream file; nothing if its symbol does not fit the record.
[[nodiscard]] std::optional<Nw1Record> to_nw1_record(const FlowOrder& order);

}  // namespace damrak::generator
