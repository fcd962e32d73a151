// Publishes the aggregated books as the market data feed of the MiniExchange protocol
// (docs/protocols/l2-multicast.md), without I/O: events and time in, datagrams out. Follows behind
// the exchange on one thread; nothing on the way of an order waits for it.
//
// It keeps what it has published of a book, the best 64 prices a side, and sends the difference at
// intervals: a receiver that applied all messages has exactly those prices, and a price that
// changes often costs one message a turn. A snapshot is sent behind the differences: nothing
// that it contains is sent again.
//
// An event costs what views::MarketDepth asks for it; a book that changed, at most 128 levels a
// turn.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <damrak/views/market_depth.hpp>
#include <damrak/wire/binary/market_data.hpp>

namespace damrak::feed {

struct L2Settings {
    /// Changes wait at most this long; zero: for the next turn.
    std::int64_t flush_interval_ns = 50'000'000;
    /// Each book is sent completely at least this often, even if it is empty.
    std::int64_t snapshot_interval_ns = 1'000'000'000;
};

class L2Publisher {
  public:
    using Send = std::function<void(std::span<const std::byte> datagram)>;

    L2Publisher(const L2Settings& settings, const EngineConfig& engine, Send send);

    /// Begins with the current books of an engine. Before the first event.
    void load(const Engine& engine) {
        depth_.load(engine);
        for (std::uint32_t id = 1; id <= depth_.highest_instrument(); ++id)
            if (depth_.has(InstrumentId{id})) touch(InstrumentId{id});
    }
    /// Each event of the engine in its order.
    void on_event(const Event& event) {
        if (depth_.on_event(event)) touch(event.instrument);
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
        std::int64_t next_snapshot_ns = INT64_MIN;  ///< the lowest value: none was sent yet
        bool changed = false;
    };

    void touch(InstrumentId id);
    void send_due_snapshots(std::int64_t now_ns);
    void bring_up_to_date(InstrumentId id);
    void send_difference(InstrumentId id, Side side, const Levels& now, bool reduce);
    void send_delta(InstrumentId id, const wire::binary::FeedDelta& delta);
    void send_snapshot(InstrumentId id, const Published& published);
    void collect(InstrumentId id, Side side, Levels& into) const;
    void emit(std::size_t length);

    L2Settings settings_;
    Send send_;
    views::MarketDepth depth_;
    std::vector<Published> published_;  ///< by instrument
    std::vector<InstrumentId> changed_;
    std::array<Levels, 2> current_;  ///< of the current book
    std::array<std::byte, wire::binary::k_largest_feed_datagram> datagram_{};
    std::uint64_t sequence_ = 0;
    std::int64_t next_flush_ns_ = INT64_MIN;
    std::int64_t next_snapshot_ns_ = INT64_MIN;  ///< the earliest of all books
};

}  // namespace damrak::feed
