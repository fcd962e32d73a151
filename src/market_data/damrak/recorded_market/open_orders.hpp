// The recorded orders that are in the market: under which reference each is in the recording, and
// under which id in the exchange. Written by the playing thread, read by any; a write is three
// stores, a reading costs the whole table.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <damrak/domain/identifiers.hpp>

namespace damrak::recorded_market {

/// A recorded order that is open, and the one in its place.
struct OpenOrder {
    InstrumentId instrument{};
    OrderId recorded{};  ///< reference in the recording
    OrderId id{};        ///< in the exchange, and in its feed
};

class OpenOrders {
  public:
    /// With places from 0 up to this one.
    explicit OpenOrders(std::uint32_t places)
        : count_(std::size_t{places} + 1), places_(std::make_unique<Place[]>(count_)) {}

    // For the playing thread:
    void set(std::uint32_t place, const OpenOrder& order) {
        Place& at = places_[place];
        at.id.store(0, std::memory_order_release);
        at.recorded.store(order.recorded.value, std::memory_order_release);
        at.instrument.store(order.instrument.value, std::memory_order_release);
        at.id.store(order.id.value, std::memory_order_release);
    }
    void clear(std::uint32_t place) { places_[place].id.store(0, std::memory_order_release); }

    // For any thread:
    /// Each order that was open all the while.
    void for_each(const auto& f) const {
        for (std::size_t i = 0; i < count_; ++i) {
            const Place& at = places_[i];
            const std::uint64_t id = at.id.load(std::memory_order_acquire);
            const OpenOrder order{{at.instrument.load(std::memory_order_acquire)},
                                  {at.recorded.load(std::memory_order_acquire)},
                                  {id}};
            // Ids are not used again: the place had this order at both times.
            if (id != 0 && at.id.load(std::memory_order_acquire) == id) f(order);
        }
    }

  private:
    struct Place {
        std::atomic<std::uint64_t> id{0};  ///< zero: no order
        std::atomic<std::uint64_t> recorded{0};
        std::atomic<std::uint32_t> instrument{0};
    };
    std::size_t count_;
    std::unique_ptr<Place[]> places_;
};

}  // namespace damrak::recorded_market
