// Messages from matching to the publisher: a public fact about one order, one cache line each; the
// last one of an order carries the order's arrival time. Written by the matching thread, read by
// the publisher's; see the ring for costs.
#pragma once

#include <cstdint>

#include <damrak/base/assert.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/base/spsc_ring.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::lab::pipeline {

enum class UpdateKind : std::uint8_t {
    nothing,  ///< nothing public: the order neither traded nor rested
    added,
    executed,  ///< of the resting order
    deleted,
};

struct alignas(64) MarketUpdate {
    UpdateKind kind{};
    Side side{};
    bool last = false;  ///< the last update of its order
    std::uint32_t instrument = 0;
    std::uint32_t quantity = 0;
    std::uint32_t price_e4 = 0;
    std::uint64_t order_ref = 0;
    std::uint64_t match_number = 0;
    std::int64_t taken_ns = 0;  ///< with `last`: when the gateway took the order
};
static_assert(sizeof(MarketUpdate) == 64);

using UpdateRing = SpscRing<MarketUpdate>;

/// Writes the updates of an order and publishes them together. The matching agent checks that there
/// is room.
class UpdateWriter {
  public:
    explicit UpdateWriter(UpdateRing& ring) : ring_(&ring) {}

    // Inlined, so that an update is built in place: a copy would have to wait until all its fields
    // are stored.
    DAMRAK_HOT void write(const MarketUpdate& update) {
        newest_ = ring_->claim(count_++);
        DAMRAK_ASSERT(newest_ != nullptr);
        *newest_ = update;
    }
    /// Ends the updates of an order received at this time.
    void end_order(std::int64_t taken_ns) {
        if (newest_ == nullptr) write({});
        newest_->last = true;
        newest_->taken_ns = taken_ns;
        newest_ = nullptr;
    }
    void publish() {
        ring_->publish(count_);
        count_ = 0;
    }

  private:
    UpdateRing* ring_;
    std::size_t count_ = 0;           ///< not published yet
    MarketUpdate* newest_ = nullptr;  ///< of the current order
};

}  // namespace damrak::lab::pipeline
