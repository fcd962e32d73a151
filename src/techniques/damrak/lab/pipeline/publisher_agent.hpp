// The output side of the pipeline: turns each public fact into a market-data message (ITCH 5.0,
// framed, packed into datagrams in memory) and takes the time of an order when its last message is
// there. One thread; a message costs some nanoseconds.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <damrak/base/histogram.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/lab/pipeline/market_update.hpp>
#include <damrak/lab/pipeline/run_clock.hpp>
#include <damrak/wire/itch/encode.hpp>

namespace damrak::lab::pipeline {

class PublisherAgent {
  public:
    /// The rings of all shards.
    PublisherAgent(std::vector<UpdateRing*> shards, const RunClock& clock,
                   std::uint32_t instruments)
        : shards_(std::move(shards)), clock_(&clock) {
        midnight_ns_ = clock.now().value / k_day_ns * k_day_ns;
        for (std::uint32_t i = 0; i <= instruments; ++i)
            stocks_.push_back(*wire::itch::Stock::from("S" + std::to_string(i)));
    }

    void on_start() {}
    std::size_t do_work(std::int64_t /*now_ns*/) {
        std::size_t done = 0;
        for (UpdateRing* const ring : shards_) {
            // Twice if the updates wrap around the end of the memory.
            for (auto updates = ring->front(); !updates.empty(); updates = ring->front()) {
                since_midnight_ = clock_->now().value - midnight_ns_;
                for (const MarketUpdate& update : updates) publish(update);
                note_latencies(updates);
                ring->release(updates.size());
                done += updates.size();
            }
        }
        return done;
    }
    void on_close() {}

    /// Completed orders; any thread.
    [[nodiscard]] std::uint64_t orders() const { return orders_.load(std::memory_order_acquire); }

    // After the end of the run:
    [[nodiscard]] const Histogram& latency_ns() const { return latency_ns_; }
    [[nodiscard]] Timestamp last() const { return last_; }
    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_ + used_; }
    [[nodiscard]] std::uint64_t executions() const { return executions_; }

  private:
    static constexpr std::size_t k_datagram_bytes = 1'400;

    void publish(const MarketUpdate& update) {
        const auto locate = static_cast<std::uint16_t>(update.instrument);
        switch (update.kind) {
            case UpdateKind::nothing:
                return;
            case UpdateKind::added:
                return write(wire::itch::AddOrder{.stock_locate = locate,
                                                  .tracking_number = 0,
                                                  .timestamp_ns = since_midnight_,
                                                  .order_ref = update.order_ref,
                                                  .side = update.side,
                                                  .shares = update.quantity,
                                                  .stock = stocks_[update.instrument],
                                                  .price_e4 = update.price_e4});
            case UpdateKind::executed:
                ++executions_;
                return write(wire::itch::OrderExecuted{.stock_locate = locate,
                                                       .tracking_number = 0,
                                                       .timestamp_ns = since_midnight_,
                                                       .order_ref = update.order_ref,
                                                       .executed_shares = update.quantity,
                                                       .match_number = update.match_number});
            case UpdateKind::deleted:
                return write(wire::itch::OrderDelete{.stock_locate = locate,
                                                     .tracking_number = 0,
                                                     .timestamp_ns = since_midnight_,
                                                     .order_ref = update.order_ref});
        }
    }

    template <class M>
    void write(const M& message) {
        constexpr std::size_t k_length = wire::itch::k_frame_length<M>;
        if (used_ + k_length > k_datagram_bytes) {
            bytes_ += used_;
            used_ = 0;
        }
        wire::itch::encode_frame(
            message, std::span<std::byte, k_length>{datagram_.data() + used_, k_length});
        used_ += k_length;
        ++messages_;
    }

    // The whole batch is published now. Orders that were taken together are counted together.
    void note_latencies(std::span<const MarketUpdate> updates) {
        last_ = clock_->now();
        std::uint64_t orders = 0;
        std::uint64_t alike = 0;
        std::int64_t taken_ns = 0;
        const auto count = [&] {
            if (alike > 0)
                latency_ns_.record(static_cast<std::uint64_t>(last_.value - taken_ns), alike);
            orders += alike;
            alike = 0;
        };
        for (const MarketUpdate& update : updates) {
            // Which update is the last of its order is unpredictable: avoids a branch.
            const bool begins = update.last & (update.taken_ns != taken_ns);
            if (begins) [[unlikely]] {
                count();
                taken_ns = update.taken_ns;
            }
            alike += static_cast<std::uint64_t>(update.last);
        }
        count();
        orders_.store(orders_.load(std::memory_order_relaxed) + orders, std::memory_order_release);
    }

    std::vector<UpdateRing*> shards_;
    const RunClock* clock_;
    std::vector<wire::itch::Stock> stocks_;
    std::array<std::byte, k_datagram_bytes> datagram_{};
    std::size_t used_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t executions_ = 0;
    std::int64_t midnight_ns_ = 0;
    std::int64_t since_midnight_ = 0;  ///< of the current turn
    Timestamp last_{};
    Histogram latency_ns_;
    std::atomic<std::uint64_t> orders_{0};
};

}  // namespace damrak::lab::pipeline
