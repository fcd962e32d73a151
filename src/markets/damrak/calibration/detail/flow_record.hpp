// What estimates of order flow are made from: counts of orders, cancels and trades by distance from
// the opposite best price and by the size of a queue, the time for which each could have happened,
// and the events in time order. Filled from a recorded day by FlowRecorder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <damrak/order_flow/book_builder.hpp>

namespace damrak::calibration {

struct RecordSettings {
    std::int64_t tick = 100;         ///< price units
    std::int64_t ticks = 50;         ///< orders up to this far from the opposite best price count
    std::int64_t queues = 3;         ///< of each side, around the reference price
    std::int64_t most_units = 30;    ///< longer queues count as this long
    std::int64_t unit_shares = 100;  ///< in which queues are counted
    std::int64_t begin_ns = 0;       ///< what is earlier only builds the book
};

/// At one distance from the opposite best price, of both sides together.
struct AtDistance {
    std::uint64_t limits = 0;
    std::uint64_t cancels = 0;
    double cancelled_shares = 0;
    double order_seconds = 0;  ///< resting orders, over time
    double share_seconds = 0;
};

/// In queues of one size, while the reference price is known.
struct AtSize {
    double seconds = 0;
    double best_seconds = 0;  ///< while the queue was the best of its side
    std::uint64_t limits = 0;
    std::uint64_t cancels = 0;
    std::uint64_t markets = 0;  ///< that met it as the best
};

/// Types as in participants::HawkesFlow.
struct FlowEvent {
    static constexpr std::uint8_t k_all = 0xff;

    double time_s = 0;  ///< since the begin
    std::uint8_t type = 0;
    /// A bit for each type that can happen from here to the next event: a cancel needs an order of
    /// its side, a market order one of the other side.
    std::uint8_t possible = k_all;
};

struct FlowRecord {
    std::vector<AtDistance> distances;  ///< from 1 tick
    std::vector<AtSize> sizes;          ///< from an empty queue
    std::vector<FlowEvent> events;
    double seconds = 0;
    double side_seconds = 0;  ///< of both sides: while the opposite side had a price
    std::uint64_t limits = 0;
    double limit_shares = 0;
    std::uint64_t markets = 0;  ///< trades of one time stamp and side are one order
    double market_shares = 0;
    double event_shares = 0;  ///< of all events, with their count in `events`
    // Best queues that emptied while the reference price was known:
    std::uint64_t redrawn = 0;    ///< with more messages in that moment, which redraw the book
    std::uint64_t settled = 0;    ///< without, and the next spread of a tick tells the rest
    std::uint64_t moved = 0;      ///< of these: that spread is around another reference price
    std::uint64_t unsettled = 0;  ///< without; another best queue emptied or the book was redrawn
    double first_mid = 0;         ///< price units; zero: there never was one
};

/// A consumer of recorded order flow (order_flow/recorded.hpp, study/recorded_flow.hpp). One
/// instrument, one thread; some microseconds a message, which grow with `ticks`.
class FlowRecorder {
  public:
    explicit FlowRecorder(const RecordSettings& settings);
    FlowRecorder(const FlowRecorder&) = delete;
    FlowRecorder& operator=(const FlowRecorder&) = delete;

    InstrumentId declare(std::string_view symbol) { return builder_.declare(symbol); }
    bool on_add(const order_flow::At& at, OrderId id, Side side, Price price, Quantity quantity);
    bool on_execute(const order_flow::At& at, OrderId id, Quantity quantity);
    bool on_execute_at(const order_flow::At& at, OrderId id, Quantity quantity, Price price,
                       bool printable);
    bool on_reduce(const order_flow::At& at, OrderId id, Quantity quantity);
    bool on_remove(const order_flow::At& at, OrderId id);
    bool on_replace(const order_flow::At& at, OrderId id, OrderId fresh, Price price,
                    Quantity quantity);
    bool on_trade(const order_flow::At& /*at*/, order_flow::TradeKind /*kind*/, Price /*price*/,
                  Quantity /*quantity*/, std::optional<Side> /*aggressor*/) {
        return true;
    }
    bool on_phase(const order_flow::At& /*at*/, order_flow::StateChange /*phase*/) { return true; }
    void ahead(InstrumentId instrument, OrderId id) { builder_.ahead(instrument, id); }

    [[nodiscard]] const Order* find(InstrumentId instrument, OrderId id) const {
        return builder_.find(instrument, id);
    }
    [[nodiscard]] Price price_of(const Order& order) const { return builder_.price_of(order); }
    [[nodiscard]] order_flow::Anomalies& anomalies() { return builder_.anomalies(); }

    [[nodiscard]] const FlowRecord& record() const { return record_; }

  private:
    struct Place {
        Side side{};
        std::int64_t price = 0;
        std::int64_t quantity = 0;
    };
    /// Whether this moment counts; what stood until it is added up.
    bool begins(const order_flow::At& at);
    void stand(InstrumentId instrument, double seconds);
    void look(InstrumentId instrument);
    [[nodiscard]] std::optional<Place> place_of(InstrumentId instrument, OrderId id) const;
    /// In ticks from the best price of the other side; zero: there is none.
    [[nodiscard]] std::int64_t distance(Side side, std::int64_t price) const;
    [[nodiscard]] std::int64_t best(Side side) const {
        return best_[static_cast<std::size_t>(side)];
    }
    /// Null: the price is in none of the counted queues.
    [[nodiscard]] AtSize* queue_at(InstrumentId instrument, Side side, std::int64_t price);
    /// Counts in the queue at a price, now or once the moment is over.
    void count_in_queue(InstrumentId instrument, Side side, std::int64_t price,
                        std::uint64_t AtSize::* count);
    /// Before what is counted of it.
    void note_message(bool takes_from_best);
    void end_moment(const std::array<std::int64_t, 2>& best_before, std::int64_t reference_before);
    [[nodiscard]] std::size_t units_at(InstrumentId instrument, Side side,
                                       std::int64_t price) const;
    void add_event(std::uint8_t type, std::int64_t shares);
    void cancelled(InstrumentId instrument, const Place& place, std::int64_t shares);
    void added(InstrumentId instrument, const Place& place);

    RecordSettings settings_;
    order_flow::BookBuilder<> builder_;
    FlowRecord record_;
    bool has_begun_ = false;
    std::int64_t first_ns_ = 0;
    std::int64_t now_ns_ = 0;
    std::array<std::int64_t, 2> best_{};  ///< by side, before the messages of this moment
    std::int64_t twice_reference_ = 0;    ///< in ticks, odd; zero: unknown now
    std::size_t first_event_ = 0;         ///< of this moment, in record_.events
    std::size_t messages_ = 0;            ///< of this moment
    bool first_takes_ = false;            ///< the first of them takes from a best queue
    std::vector<std::uint64_t*> later_;   ///< counts of the others, in record_.sizes
    std::int64_t emptied_at_ = 0;         ///< reference when a best queue emptied; zero: settled
    std::int64_t last_market_ns_ = -1;
    Side last_market_side_{};
};

}  // namespace damrak::calibration
