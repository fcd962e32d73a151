// The events that a row has to write, and the two places they can be written to.
//
// `RingSink` is what is timed: a store into a ring of 8,192 events that nobody reads. `TradeCheck`
// takes the same events from the same code in a pass that is not timed, and folds the trades into
// the fingerprint. A row is a template over its sink, so neither pass pays for the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

namespace damrak::bench {

enum class RowEventKind : std::uint8_t {
    acknowledged,  // an add was taken; its trades follow
    traded,
    cancelled,
    replaced,           // a replace was taken; its trades follow
    remainder_dropped,  // what an immediate-or-cancel order could not execute
    refused,            // unknown id, id already live, or no quantity: nothing changed
};

struct RowEvent {
    RowEventKind kind;
    std::uint8_t side;  // of the order that arrived, or that was cancelled
    std::uint16_t symbol;
    std::uint32_t quantity;
    std::uint64_t order_id;  // in a trade: the taker
    std::uint64_t maker_id;  // in a trade; otherwise 0
    std::int32_t price_ticks;
    std::uint32_t remaining;  // in a trade: what the maker has left
};
static_assert(sizeof(RowEvent) == 32 && std::is_trivially_copyable_v<RowEvent>);

inline constexpr std::size_t k_ring_events = 8192;

template <class Event>
class RingSink {
  public:
    void write(const Event& event) {
        (*ring_)[next_ & (k_ring_events - 1)] = event;
        ++next_;
    }

    // Makes the stores observable, so that no compiler may leave them out.
    void keep() const { asm volatile("" : : "r"(ring_.get()) : "memory"); }

  private:
    using Ring = std::array<Event, k_ring_events>;
    std::unique_ptr<Ring> ring_ = std::make_unique<Ring>();
    std::size_t next_ = 0;
};

// Results that must be equal in two correct rows.
struct Outcome {
    std::uint64_t trades = 0;
    std::uint64_t fingerprint = 1469598103934665603ULL;  // FNV-1a offset basis
    std::uint64_t refused = 0;
    std::string_view cannot_hold;  // why an order was refused that no rule of the stream refuses

    bool operator==(const Outcome&) const = default;
};

class TradeCheck {
  public:
    // Ids come combined with the mask and are folded without it.
    explicit TradeCheck(std::uint64_t order_id_mask) : order_id_mask_(order_id_mask) {}

    void write(const RowEvent& event) {
        if (event.kind == RowEventKind::traded) {
            trade(event.order_id, event.maker_id, event.price_ticks, event.quantity);
        } else if (event.kind == RowEventKind::refused) {
            refuse();
        }
    }

    void trade(std::uint64_t taker_id, std::uint64_t maker_id, std::int64_t price_ticks,
               std::uint64_t quantity) {
        ++outcome_.trades;
        fold(taker_id ^ order_id_mask_);
        fold(maker_id ^ order_id_mask_);
        fold(static_cast<std::uint64_t>(price_ticks));
        fold(quantity);
    }

    void refuse() { ++outcome_.refused; }

    // An order was refused that a book without limits takes: the stream's values are too large.
    void cannot_hold(std::string_view reason) { outcome_.cannot_hold = reason; }

    [[nodiscard]] const Outcome& outcome() const { return outcome_; }

  private:
    void fold(std::uint64_t word) {
        outcome_.fingerprint = (outcome_.fingerprint ^ word) * 1099511628211ULL;
    }

    std::uint64_t order_id_mask_;
    Outcome outcome_;
};

}  // namespace damrak::bench
