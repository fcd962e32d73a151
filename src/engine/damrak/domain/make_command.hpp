// Commands in the words of the market, with named parameters, for programs that write their
// commands by hand:
//
//   engine.apply(limit_order({.instrument{1},
//                             .participant{2},
//                             .side = Side::buy,
//                             .price{100'100},
//                             .quantity{200}}),
//                tell);
//
// Each returns a Command, complete except for its time stamp, at the cost of setting its fields, or
// at compile time. Nothing is checked: the engine rejects what is invalid. Rarer terms, such as
// pegs and links, are fields of Command to set in the result.
#pragma once

#include <optional>

#include <damrak/domain/command.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak {

/// The terms of limit_order() and stop_limit_order().
struct LimitOrderDetails {
    InstrumentId instrument{};
    ParticipantId participant{};
    Side side{};
    Price price{};        ///< the worst at which it trades
    Quantity quantity{};  ///< all of it, displayed or not
    TimeInForce time_in_force = TimeInForce::day;
    Timestamp expire_time{};      ///< of TimeInForce::gtd
    Quantity display_quantity{};  ///< of an iceberg; zero: all is displayed
    Quantity minimum_quantity{};  ///< the least that its first match must trade; zero: any
    bool hidden = false;          ///< not displayed at all
    bool post_only = false;       ///< rejected if it could trade at once
    SelfTradePrevention self_trade_prevention = SelfTradePrevention::none;
    OrderId order_id{};  ///< only with OrderIdSource::command
    ClientOrderId client_order_id{};
};

/// The terms of market_order() and stop_order().
struct MarketOrderDetails {
    InstrumentId instrument{};
    ParticipantId participant{};
    Side side{};
    Quantity quantity{};
    TimeInForce time_in_force = TimeInForce::day;
    Timestamp expire_time{};  ///< of TimeInForce::gtd, as a stop order
    SelfTradePrevention self_trade_prevention = SelfTradePrevention::none;
    OrderId order_id{};  ///< only with OrderIdSource::command
    ClientOrderId client_order_id{};
};

/// Of cancel_order().
struct CancelDetails {
    InstrumentId instrument{};
    ParticipantId participant{};
    OrderId order_id{};
    Quantity quantity{};  ///< to cancel of it; zero: all of it
    ClientOrderId client_order_id{};
};

/// Of replace_order().
struct ReplaceDetails {
    InstrumentId instrument{};
    ParticipantId participant{};
    OrderId order_id{};
    Price price{};
    Quantity quantity{};             ///< that is to be open afterwards
    bool quantity_is_total = false;  ///< `quantity` includes what has traded
    bool lose_priority = false;      ///< even if the order could keep it
    Price stop_price{};              ///< of an untriggered stop order
    OrderId new_order_id{};          ///< note 6 at the top of command.hpp
    ClientOrderId client_order_id{};
};

/// Of mass_cancel().
struct MassCancelDetails {
    InstrumentId instrument{};    ///< none: all
    ParticipantId participant{};  ///< none: all
    std::optional<Side> side{};   ///< none: both
};

[[nodiscard]] constexpr Command limit_order(const LimitOrderDetails& order) {
    Command command{};
    command.kind = CommandKind::new_order;
    command.side = order.side;
    command.order_type = OrderType::limit;
    command.time_in_force = order.time_in_force;
    command.self_trade_prevention = order.self_trade_prevention;
    if (order.hidden) command.flags |= CommandFlags::k_hidden;
    if (order.post_only) command.flags |= CommandFlags::k_post_only;
    command.instrument = order.instrument;
    command.participant = order.participant;
    command.order_id = order.order_id;
    command.client_order_id = order.client_order_id;
    command.price = order.price;
    command.quantity = order.quantity;
    command.order.display_quantity = order.display_quantity;
    command.order.minimum_quantity = order.minimum_quantity;
    command.order.expire_time = order.expire_time;
    return command;
}

[[nodiscard]] constexpr Command market_order(const MarketOrderDetails& order) {
    Command command = limit_order({.instrument = order.instrument,
                                   .participant = order.participant,
                                   .side = order.side,
                                   .quantity = order.quantity,
                                   .time_in_force = order.time_in_force,
                                   .expire_time = order.expire_time,
                                   .self_trade_prevention = order.self_trade_prevention,
                                   .order_id = order.order_id,
                                   .client_order_id = order.client_order_id});
    command.order_type = OrderType::market;
    return command;
}

/// A market order once a trade reaches the stop price.
[[nodiscard]] constexpr Command stop_order(Price stop_price, const MarketOrderDetails& then) {
    Command command = market_order(then);
    command.order_type = OrderType::stop;
    command.order.stop_price = stop_price;
    return command;
}

/// A limit order once a trade reaches the stop price.
[[nodiscard]] constexpr Command stop_limit_order(Price stop_price, const LimitOrderDetails& then) {
    Command command = limit_order(then);
    command.order_type = OrderType::stop_limit;
    command.order.stop_price = stop_price;
    return command;
}

[[nodiscard]] constexpr Command cancel_order(const CancelDetails& cancel) {
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.instrument = cancel.instrument;
    command.participant = cancel.participant;
    command.order_id = cancel.order_id;
    command.client_order_id = cancel.client_order_id;
    command.quantity = cancel.quantity;
    return command;
}

[[nodiscard]] constexpr Command replace_order(const ReplaceDetails& replace) {
    Command command{};
    command.kind = CommandKind::replace_order;
    if (replace.quantity_is_total) command.flags |= CommandFlags::k_quantity_is_total;
    if (replace.lose_priority) command.flags |= CommandFlags::k_lose_priority;
    command.instrument = replace.instrument;
    command.participant = replace.participant;
    command.order_id = replace.order_id;
    command.client_order_id = replace.client_order_id;
    command.price = replace.price;
    command.quantity = replace.quantity;
    command.new_order_id = replace.new_order_id;
    command.order.stop_price = replace.stop_price;
    return command;
}

[[nodiscard]] constexpr Command mass_cancel(const MassCancelDetails& which) {
    Command command{};
    command.kind = CommandKind::mass_cancel;
    command.side = which.side.value_or(Side::buy);
    if (!which.side) command.flags = CommandFlags::k_both_sides;
    command.instrument = which.instrument;
    command.participant = which.participant;
    return command;
}

/// An instrument with the first of its tick bands; an `add_tick_band` adds each further one.
[[nodiscard]] inline Command add_instrument(const InstrumentDefinition& instrument) {
    Command command{};
    command.kind = CommandKind::add_instrument;
    command.instrument = instrument.id;
    command.definition = {.symbol = instrument.symbol,
                          .tick_size = instrument.tick_bands[0].tick_size,
                          .maximum_price = instrument.maximum_price,
                          .lot_size = instrument.lot_size,
                          .maximum_quantity = instrument.maximum_quantity,
                          .shard_group = instrument.shard_group,
                          .price_decimals = instrument.price_decimals,
                          .policy = instrument.policy,
                          .unpublished = static_cast<std::uint8_t>(instrument.unpublished),
                          .minimum_price = instrument.minimum_price()};
    return command;
}

/// Limits of a participant; without one, those of all who have none of their own.
[[nodiscard]] inline Command set_limits(ParticipantId participant, const LimitDetails& limits) {
    Command command{};
    command.kind = CommandKind::set_limits;
    command.participant = participant;
    command.limits = limits;
    return command;
}

/// Time passes: orders due by then expire.
[[nodiscard]] constexpr Command tick(Timestamp now) {
    Command command{};
    command.kind = CommandKind::tick;
    command.timestamp = now;
    return command;
}

/// Day orders expire, of one instrument or of all.
[[nodiscard]] constexpr Command end_day(InstrumentId instrument = {}) {
    Command command{};
    command.kind = CommandKind::end_day;
    command.instrument = instrument;
    return command;
}

}  // namespace damrak
