// Passes LOBSTER messages to a consumer (recorded.hpp). One thread, one instrument, O(1) per
// message.
//
// A LOBSTER file begins in the middle of a day: earlier orders are known only as quantities of a
// level. Such a quantity becomes an anonymous order at its price, under an id that no file uses;
// messages about unknown orders take from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <damrak/lobster/descriptor.hpp>
#include <damrak/order_flow/anomalies.hpp>
#include <damrak/order_flow/recorded.hpp>

namespace damrak::order_flow {

/// The id of the anonymous order at a price. Files number orders from small ids up; these ids have
/// the top bit set.
[[nodiscard]] constexpr OrderId anonymous_order(Side side, Price price) {
    return {std::uint64_t{1} << 63U | static_cast<std::uint64_t>(side) << 62U |
            static_cast<std::uint64_t>(price.value)};
}

template <class Consumer>
class LobsterFlow {
  public:
    LobsterFlow(Consumer& consumer, std::string_view symbol)
        : consumer_{consumer}, instrument_{consumer.declare(symbol)} {}

    /// Returns false if it recorded an anomaly without a position.
    bool on(const lobster::MessageRow& row) {
        using lobster::EventType;
        const At at{row.time_ns, instrument_};
        const Price price{row.price_e4};
        const Quantity quantity{row.size};
        switch (row.type) {
            case EventType::add:
                return consumer_.on_add(at, OrderId{row.order_id}, row.side, price, quantity);
            case EventType::cancel:
            case EventType::remove:
            case EventType::execute:
                return about_order(at, row);
            case EventType::execute_hidden:
                return consumer_.on_trade(at, TradeKind::hidden, price, quantity,
                                          opposite(row.side));
            case EventType::cross:
                return consumer_.on_trade(at, TradeKind::cross, price, quantity, std::nullopt);
            case EventType::halt:
                return consumer_.on_phase(
                    at, row.price_e4 == lobster::k_halted            ? StateChange::halted
                        : row.price_e4 == lobster::k_quoting_resumes ? StateChange::quoting
                                                                     : StateChange::trading);
        }
        return true;
    }

    /// Adds an anonymous order: a level has this much more than its known orders, from before the
    /// file.
    bool on_anonymous(std::int64_t time_ns, Side side, Price price, Quantity quantity) {
        const At at{time_ns, instrument_};
        const OrderId id = anonymous_order(side, price);
        bool sound = true;
        if (const auto* known = consumer_.find(instrument_, id); known != nullptr) {
            quantity += known->quantity;
            sound = consumer_.on_remove(at, id);
        }
        return consumer_.on_add(at, id, side, price, quantity) && sound;
    }

    [[nodiscard]] InstrumentId instrument() const { return instrument_; }

  private:
    bool about_order(const At& at, const lobster::MessageRow& row) {
        using lobster::EventType;
        OrderId id{row.order_id};
        const auto* order = consumer_.find(instrument_, id);
        bool sound = true;
        if (order == nullptr) {
            id = anonymous_order(row.side, Price{row.price_e4});
            order = consumer_.find(instrument_, id);
        } else if (order->terms().side() != row.side ||
                   consumer_.price_of(*order) != Price{row.price_e4} ||
                   (row.type == EventType::remove && order->quantity.value != row.size)) {
            sound = consumer_.anomalies().note(Anomaly::mismatch);
        }
        const Quantity quantity{row.size};
        if (row.type == EventType::execute) return consumer_.on_execute(at, id, quantity) && sound;
        // A removal from an anonymous order takes one real order of several.
        const bool whole = order != nullptr && order->quantity == quantity;
        return (whole ? consumer_.on_remove(at, id) : consumer_.on_reduce(at, id, quantity)) &&
               sound;
    }

    Consumer& consumer_;
    InstrumentId instrument_;
};

}  // namespace damrak::order_flow
