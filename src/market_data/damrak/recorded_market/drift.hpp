// How far the replayed market differs from its recording, for each instrument. Written by the
// playing thread, read by any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <damrak/domain/identifiers.hpp>

namespace damrak::recorded_market {

/// Counts of differences.
struct DriftCounts {
    std::uint64_t messages = 0;         ///< played messages
    std::uint64_t taken = 0;            ///< quantity that clients traded with the recording
    std::uint64_t missed_trades = 0;    ///< recorded trades that could not happen in full
    std::uint64_t missed_quantity = 0;  ///< their quantity that did not trade
    std::uint64_t withdrawn = 0;    ///< quantity of recorded orders that outlived their recording
    std::uint64_t differences = 0;  ///< messages with another effect than in the recording
    std::uint64_t refused = 0;      ///< of these: refused by the exchange
    std::uint64_t not_played = 0;   ///< crosses and broken trades, for which there is no command
    /// Of `taken`: quantity that traded with a client's order when it came into view.
    std::uint64_t revealed = 0;

    DriftCounts& operator+=(const DriftCounts& other);
    friend bool operator==(const DriftCounts&, const DriftCounts&) = default;
};

class Drift {
  public:
    /// For instruments with ids up to this one.
    explicit Drift(std::uint32_t instruments);

    // For the playing thread:
    /// The time of what is added from now on, nanoseconds since midnight.
    void set_time(std::int64_t time_ns) { time_ns_ = time_ns; }
    void add(InstrumentId id, std::uint64_t DriftCounts::* what, std::uint64_t more = 1);

    // For any thread:
    [[nodiscard]] DriftCounts of(InstrumentId id) const;
    [[nodiscard]] DriftCounts total() const;
    /// When the market of this instrument began to differ from the recording; none: it does not.
    [[nodiscard]] std::optional<std::int64_t> differs_since_ns(InstrumentId id) const;
    /// How many instruments differ.
    [[nodiscard]] std::uint32_t differing() const {
        return differing_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint32_t instruments() const { return count_; }

  private:
    static constexpr std::size_t k_counts = sizeof(DriftCounts) / sizeof(std::uint64_t);
    using Cells = std::atomic<std::uint64_t>[k_counts];
    [[nodiscard]] std::uint32_t place(InstrumentId id) const {
        return id.value <= count_ ? id.value : 0;
    }
    static constexpr std::int64_t k_never = -1;
    std::uint32_t count_;
    std::unique_ptr<Cells[]> cells_;
    std::unique_ptr<std::atomic<std::int64_t>[]> since_ns_;
    std::atomic<std::uint32_t> differing_{0};
    std::int64_t time_ns_ = 0;
};

}  // namespace damrak::recorded_market
