// What became of an order, and of what stood ahead of it. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>

namespace damrak::explain {

/// Displayed orders and what they display.
struct Crowd {
    std::int64_t orders = 0;
    std::int64_t quantity = 0;
    void add(std::int64_t more_orders, std::int64_t more_quantity) {
        orders += more_orders;
        quantity += more_quantity;
    }
    [[nodiscard]] bool empty() const { return orders == 0 && quantity == 0; }
    friend Crowd operator+(Crowd a, const Crowd& b) {
        a.add(b.orders, b.quantity);
        return a;
    }
    friend Crowd operator-(Crowd a, const Crowd& b) {
        a.add(-b.orders, -b.quantity);
        return a;
    }
    friend bool operator==(const Crowd&, const Crowd&) = default;
};

/// A time in one place of the queue; a replacement that loses priority begins another.
struct Stay {
    Timestamp since{};
    Timestamp until{};
    Price price{};
    Quantity open{};  ///< when it came
    bool is_hidden = false;
    Crowd at_price;  ///< displayed ahead of it when it came
    Crowd better;    ///< displayed at better prices then
    // What happened ahead of it since:
    Crowd joined;     ///< at better prices, or displayed ahead of a hidden order
    Crowd traded;     ///< orders whose displayed quantity was used up, and all shares of trades
    Crowd cancelled;  ///< or expired, or reduced
    Crowd moved;      ///< replaced: they stand elsewhere now
    std::int64_t hidden_traded = 0;  ///< shares of hidden orders ahead of it
    std::optional<Timestamp> front;  ///< when first nothing displayed stood ahead
    /// Least distance of the best price of the other side from the limit.
    std::optional<std::int64_t> nearest;

    [[nodiscard]] Crowd ahead() const {
        return at_price + better + joined - traded - cancelled - moved;
    }
};

/// With one order; or what was taken at one price at one time, of which `other` is the first.
struct Trade {
    Timestamp at{};
    Price price{};
    Quantity quantity{};
    bool is_maker = false;
    bool was_hidden = false;  ///< the order that rested
    std::uint32_t orders = 1;
    ParticipantId other{};
    OrderType other_type{};
    Price other_limit{};       ///< zero: a market order, or one that is not known
    Quantity other_ordered{};  ///< zero: not known
};

/// The best price of the other side.
struct Facing {
    Price price{};
    Quantity quantity{};
};

/// The other side was within the limit until this time, before the request arrived.
struct Missed {
    Timestamp gone{};
    Price price{};
};

enum class Ending : std::uint8_t {
    under_way,  ///< never arrived
    rejected,
    filled,
    cancelled,  ///< by its owner
    removed,    ///< by the exchange: `reason`
    open,       ///< at the end
};

struct Fate {
    static constexpr std::size_t k_most_stays = 16;
    static constexpr std::size_t k_most_trades = 32;

    std::uint64_t number = 0;  ///< of the orders of its group, by the time of sending; from 1
    Command terms{};           ///< as it was sent
    OrderId id{};              ///< the last one that the exchange gave it; zero: none
    Timestamp sent{};
    std::optional<Timestamp> arrived;
    std::optional<Facing> facing_sent;     ///< when it was sent; the truth, not what was seen
    std::optional<Facing> facing_arrived;  ///< just before it was matched
    std::optional<Missed> missed;
    std::vector<Stay> stays;    ///< the first and the last ones
    std::uint64_t dropped = 0;  ///< stays between them
    std::vector<Trade> trades;  ///< the first ones
    std::uint64_t trade_count = 0;
    std::uint64_t trades_dropped = 0;  ///< that are in none of `trades`
    Quantity filled{};
    std::int64_t value = 0;  ///< price times quantity of the trades
    Ending ending{};
    Reason reason{};
    Timestamp ended{};
    Quantity open{};                        ///< at the end; or removed by it
    std::optional<Timestamp> late_request;  ///< to cancel or replace it: arrived after the end

    [[nodiscard]] bool is_done() const {
        return ending != Ending::under_way && ending != Ending::open;
    }
};

}  // namespace damrak::explain
