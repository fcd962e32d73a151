// Memory layout of orders and of the levels at which they queue. Plain records, addressed by 32-bit
// index into the pools of a BookStore; index 0 means "none".
#pragma once

#include <cstdint>
#include <type_traits>

#include <immintrin.h>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak {

using OrderIndex = std::uint32_t;
using LevelIndex = std::uint32_t;
using ExtensionIndex = std::uint32_t;
using AccountIndex = std::uint32_t;

/// Price as a count of the instrument's common tick.
using Tick = std::int64_t;

/// The terms of an order that its events and its matching need, in 16 bits.
class OrderAttributes {
  public:
    static constexpr std::uint16_t k_hidden = 1U << 9;    ///< never displayed
    static constexpr std::uint16_t k_held = 1U << 10;     ///< waits for its minimum quantity
    static constexpr std::uint16_t k_pending = 1U << 11;  ///< waits for its stop or auction
    static constexpr std::uint16_t k_elected = 1U << 12;  ///< a stop whose price was reached
    static constexpr std::uint16_t k_post_only = 1U << 13;
    static constexpr std::uint16_t k_post_only_reprice = 1U << 14;
    static constexpr std::uint16_t k_aside = 1U << 15;  ///< resting, but outside the queues
    static constexpr std::uint16_t k_special =
        k_hidden | k_held | k_pending | k_elected | k_post_only | k_post_only_reprice | k_aside;

    constexpr OrderAttributes() = default;
    constexpr explicit OrderAttributes(std::uint16_t bits) : bits_(bits) {}
    constexpr OrderAttributes(Side side, OrderType type, TimeInForce tif, SelfTradePrevention rule)
        : bits_(static_cast<std::uint16_t>(
              static_cast<unsigned>(side) | static_cast<unsigned>(type) << 1U |
              static_cast<unsigned>(tif) << 3U | static_cast<unsigned>(rule) << 6U)) {}
    /// From the head of a command with valid side, type, time in force and rule.
    [[nodiscard]] static OrderAttributes of_head(std::uint64_t head) {
        return OrderAttributes(static_cast<std::uint16_t>(_pext_u64(head, 0x0000'0707'0301'0000)));
    }

    /// Side, type and time in force in the third to fifth bytes of a word, as in an event's head.
    [[nodiscard]] std::uint64_t spread() const { return _pdep_u64(bits_, 0x0007'0301'0000); }

    [[nodiscard]] constexpr Side side() const { return static_cast<Side>(bits_ & 1U); }
    [[nodiscard]] constexpr OrderType type() const {
        return static_cast<OrderType>(bits_ >> 1U & 3U);
    }
    [[nodiscard]] constexpr TimeInForce time_in_force() const {
        return static_cast<TimeInForce>(bits_ >> 3U & 7U);
    }
    [[nodiscard]] constexpr SelfTradePrevention self_trade_prevention() const {
        return static_cast<SelfTradePrevention>(bits_ >> 6U & 7U);
    }
    /// Time in force in the low three bits, self-trade prevention above.
    [[nodiscard]] constexpr unsigned rules() const { return bits_ >> 3U & 63U; }
    [[nodiscard]] constexpr bool has(std::uint16_t bit) const { return (bits_ & bit) != 0; }
    /// Ranks after the displayed orders of its price.
    [[nodiscard]] constexpr bool undisplayed() const { return has(k_hidden | k_held | k_aside); }
    /// Waits outside the book.
    [[nodiscard]] constexpr bool waiting() const { return has(k_pending | k_elected); }

    constexpr void set_type(OrderType type) {
        bits_ =
            static_cast<std::uint16_t>((bits_ & ~(3U << 1U)) | static_cast<unsigned>(type) << 1U);
    }
    constexpr void set(std::uint16_t bit) { bits_ |= bit; }
    constexpr void clear(std::uint16_t bit) { bits_ &= static_cast<std::uint16_t>(~bit); }
    [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }

  private:
    std::uint16_t bits_ = 0;
};

/// What is known about an order at compile time: `plain` skips the work that only other orders
/// need.
enum class Shape : bool { any, plain };

/// The hot part of an order: one cache line.
struct alignas(64) Order {
    OrderId id;
    Quantity quantity;  ///< quantity in the queue: all that is open, or one slice
    Quantity executed;
    Tick tick;  ///< limit; stop price of a pending stop
    /// Rank in time among the orders of the instrument (48 bits) above the terms (16 bits). One
    /// word: fields stored separately would stall when they are read back as one.
    std::uint64_t rank;
    OrderIndex next;
    OrderIndex previous;
    LevelIndex level;
    AccountIndex account;
    ExtensionIndex extension;
    InstrumentId instrument;

    [[nodiscard]] OrderAttributes terms() const {
        return OrderAttributes(static_cast<std::uint16_t>(rank));
    }
    void set_terms(OrderAttributes terms) { rank = (rank & ~k_terms) | terms.bits(); }
    [[nodiscard]] std::uint64_t arrival() const { return rank >> 16U; }
    void set_arrival(std::uint64_t arrival) { rank = rank_of(arrival, terms()); }
    [[nodiscard]] static std::uint64_t rank_of(std::uint64_t arrival, OrderAttributes terms) {
        return arrival << 16U | terms.bits();
    }

    /// A displayed limit order without reserve and without deadline, as nearly all are.
    [[nodiscard]] bool is_plain() const {
        return extension == 0 && (rank & OrderAttributes::k_special) == 0;
    }

  private:
    static constexpr std::uint64_t k_terms = 0xFFFF;
};
static_assert(sizeof(Order) == 64 && std::is_trivially_copyable_v<Order>);

/// Which list an order is in, beside its queue or instead of one, or what else it belongs to.
enum class Listing : std::uint8_t {
    none = 0,
    pegged = 1,
    auction = 2,   ///< for an auction, which it waits for or takes part in
    trailing = 3,  ///< a stop whose price follows the market
    // Not in a list: `next` is the other order of its link, if there is one.
    quote = 4,              ///< one side of a quote
    one_cancels_other = 5,  ///< the same for both orders
    triggers_other = 6,
    waits_for_other = 7,
    awake = 8,  ///< elected because the order that it waited for was filled
    // Due: what happened to another order ends or elects it before the next turn.
    ends_with_other = 9,
    triggered = 10,
    ends_with_quote = 11,
};
/// Whether the order has a link to another one.
[[nodiscard]] constexpr bool is_link(Listing listing) {
    return listing >= Listing::one_cancels_other && listing <= Listing::waits_for_other;
}
[[nodiscard]] constexpr bool is_due(Listing listing) { return listing >= Listing::ends_with_other; }

/// Fields used only by orders that are not plain (OrderAttributes, Order::is_plain).
struct alignas(64) OrderExtension {
    Quantity reserve;               ///< iceberg: open, but not in the queue
    Quantity display_quantity;      ///< iceberg: size of a slice; zero for all others
    OrderId public_id;              ///< in the feeds: of the current slice, or the last move
    Quantity minimum;               ///< of a held order; see also offset() and other()
    Tick limit_tick;                ///< waiting or pegged: its limit
    Timestamp expire_time;          ///< good till date; zero for all others
    std::uint32_t expiry_position;  ///< position in the queue of expiries
    OrderIndex next;                ///< in its list, by time of entry; linked: the other order
    OrderIndex previous;
    Listing listing;
    PegReference peg;
    bool imbalance_only;  ///< trades only with the surplus of an auction
    bool to_limit;        ///< a market order that rests at the price of the auction

    /// Pegged orders and trailing stops have no minimum quantity: their offset takes its place.
    [[nodiscard]] Tick offset() const { return minimum.value; }
    void set_offset(Tick offset) { minimum = Quantity{offset}; }
    /// In linked orders, the id of the other one does.
    [[nodiscard]] OrderId other() const { return {static_cast<std::uint64_t>(minimum.value)}; }
    void set_other(OrderId id) { minimum = Quantity{static_cast<std::int64_t>(id.value)}; }
};
static_assert(sizeof(OrderExtension) == 64);

/// Orders at one price, in time order. Undisplayed orders, if there are any, have a separate level,
/// the `companion`, whose own `companion` leads back.
struct Level {
    Quantity total;    ///< sum of the quantities in the queue
    Quantity reserve;  ///< sum of the icebergs' reserves
    OrderIndex head;
    OrderIndex tail;
    std::uint32_t count;
    LevelIndex companion;
};
static_assert(sizeof(Level) == 32);

}  // namespace damrak
