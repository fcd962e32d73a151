// Publishes the aggregated books as the market data feed of the MiniExchange protocol
// (docs/protocols/l2-multicast.md), without I/O: events and time in, datagrams out. Follows behind
// the exchange on one thread; it is not on the path of an order.
//
// It remembers the published prices of a book, the best 64 a side, and sends the changes at
// intervals. A receiver that applied all messages has exactly those prices, and a price that
// changes often costs one message a turn. A snapshot is sent after the changes of its turn, so
// these are not sent again.
//
// An event costs an update of views::MarketDepth; a changed book costs at most 128 levels a turn. A
// turn costs what is due in it, however many instruments there are.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <damrak/views/market_depth.hpp>
#include <damrak/wire/binary/market_data.hpp>

namespace damrak::feed {

/// How often the L2 feed sends changes and whole books.
struct L2Settings {
    /// A change is sent after at most this time; zero: in the next turn.
    std::int64_t flush_interval_ns = 50'000'000;
    /// Each book, even an empty one, is sent completely at least this often.
    std::int64_t snapshot_interval_ns = 1'000'000'000;
};

class L2Publisher {
  public:
    using Send = std::function<void(std::span<const std::byte> datagram)>;

    L2Publisher(const L2Settings& settings, const EngineConfig& engine, Send send);

    /// Starts from the current books of an engine. Call it before the first event. Snapshots have
    /// the state of its instruments; without an engine they say that all trade.
    void load(const Engine& engine) {
        engine_ = &engine;
        depth_.load(engine);
        for (std::uint32_t id = 1; id <= depth_.highest_instrument(); ++id)
            if (depth_.has(InstrumentId{id})) touch(InstrumentId{id});
    }
    /// Takes each event of the engine in order.
    void on_event(const Event& event) {
        if (depth_.on_event(event)) touch(event.instrument);
        if (event.kind == EventKind::phase_changed ||
            event.kind == EventKind::trading_state_changed) [[unlikely]]
            tell_state(event.instrument);
    }
    /// One turn: sends what is due. Returns the number of datagrams.
    std::size_t do_work(std::int64_t now_ns);

    /// Sequence number of the next datagram.
    [[nodiscard]] std::uint64_t next_sequence() const { return sequence_; }
    [[nodiscard]] const views::MarketDepth& depth() const { return depth_; }

  private:
    using Levels = std::vector<wire::binary::FeedLevel>;
    struct Published {
        std::array<Levels, 2> sides;
        std::int64_t next_snapshot_ns = INT64_MIN;  ///< the lowest value: no snapshot was sent yet
        bool changed = false;
    };

    struct DueSnapshot {
        std::int64_t time_ns = 0;
        InstrumentId id{};
    };

    void touch(InstrumentId id);
    void plan_snapshot(InstrumentId id);
    void take_due(std::int64_t now_ns);
    void tell_state(InstrumentId id);
    [[nodiscard]] wire::binary::FeedState state_of(InstrumentId id) const;
    void send_due_snapshots(std::int64_t now_ns);
    void bring_up_to_date(InstrumentId id);
    void send_difference(InstrumentId id, Side side, const Levels& now, bool reduce);
    void send_delta(InstrumentId id, const wire::binary::FeedDelta& delta);
    void send_snapshot(InstrumentId id, const Published& published);
    void collect(InstrumentId id, Side side, Levels& into) const;
    void emit(std::size_t length);

    L2Settings settings_;
    Send send_;
    const Engine* engine_ = nullptr;
    views::MarketDepth depth_;
    std::vector<Published> published_;  ///< by instrument
    std::vector<InstrumentId> changed_;
    std::array<Levels, 2> current_;  ///< of the current book
    std::array<std::byte, wire::binary::k_largest_feed_datagram> datagram_{};
    std::uint64_t sequence_ = 0;
    std::int64_t next_flush_ns_ = INT64_MIN;
    /// By time, the earliest first; those of another time than that of the book are void.
    std::vector<DueSnapshot> due_;
    std::vector<InstrumentId> sent_;  ///< in this turn
};

}  // namespace damrak::feed
