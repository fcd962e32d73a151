// A trade of an archived day, from its message and the book before it.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::archive {

struct DayTrade {
    std::uint64_t sequence = 0;
    std::int64_t time_ns = 0;
    char type = 0;                ///< of the message: E, C, P or Q
    std::uint64_t reference = 0;  ///< of the resting order; zero: it was hidden, or it was a cross
    std::uint32_t price_e4 = 0;
    std::uint64_t shares = 0;
    std::uint64_t match_number = 0;
    bool is_printable = true;       ///< otherwise another message tells it, that of the cross
    bool is_broken = false;         ///< broken later
    std::optional<Side> resting{};  ///< side of the resting order, if known

    /// In volume and candles: not if it is not printable, was broken later, is a cross without
    /// shares, or its price is not known.
    [[nodiscard]] bool counts() const {
        return is_printable && !is_broken && shares > 0 && has_price();
    }
    /// Otherwise it was the price of an order that the day does not have.
    [[nodiscard]] bool has_price() const { return type != 'E' || resting.has_value(); }
};

/// Called before the message, which has a match number, is applied to the books. Leaves out whether
/// the trade was broken.
template <class M, class Flow, class Builder>
[[nodiscard]] DayTrade trade_of(std::uint64_t sequence, const M& message, const Flow& flow,
                                const Builder& builder) {
    DayTrade trade{.sequence = sequence,
                   .time_ns = message.timestamp_ns,
                   .type = wire::itch::Layout<M>::k_type,
                   .match_number = message.match_number};
    if constexpr (requires { message.executed_shares; }) {
        trade.reference = message.order_ref;
        const InstrumentId id = flow.instrument(message.stock_locate);
        const auto* const order = id ? builder.find(id, OrderId{trade.reference}) : nullptr;
        if (order != nullptr) {
            trade.resting = order->terms().side();
            trade.price_e4 = static_cast<std::uint32_t>(builder.price_of(*order).value);
        }
        trade.shares = message.executed_shares;
    } else {
        trade.shares = message.shares;
    }
    if constexpr (requires { message.printable; }) trade.is_printable = message.printable;
    if constexpr (requires { message.execution_price_e4; })
        trade.price_e4 = message.execution_price_e4;
    else if constexpr (requires { message.cross_price_e4; })
        trade.price_e4 = message.cross_price_e4;
    else if constexpr (requires { message.price_e4; })
        trade.price_e4 = message.price_e4;
    if constexpr (std::is_same_v<M, wire::itch::Trade>)
        if (flow.marks().is_side_known(message)) trade.resting = message.side;
    return trade;
}

}  // namespace damrak::archive
