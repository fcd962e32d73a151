#include <damrak/wire/packet/decode.hpp>

#include <algorithm>
#include <utility>

#include <damrak/base/byte_order.hpp>

namespace damrak::wire::packet {

namespace {

template <class Layout, class Load>
Fault decode_public(const std::byte* from, Load load, std::uint32_t action, std::uint32_t side,
                    Order& order) {
    order.sequence = load(from + Layout::k_sequence);
    order.name = ClientOrderId{load(from + Layout::k_order_id)};
    order.price_e2 = load(from + Layout::k_price);
    order.quantity = load(from + Layout::k_quantity);
    if (action < 1 || action > 3) return Fault::action;
    if (side > 1) return Fault::side;
    order.action = static_cast<Action>(action);
    order.side = side == 1 ? Side::buy : Side::sell;
    return Fault::none;
}

Fault decode_extended(const std::byte* from, Order& order) {
    using L = OrderLayout;
    const auto byte = [from](std::size_t at) { return std::to_integer<std::uint8_t>(from[at]); };
    order.name = ClientOrderId{load_be<std::uint64_t>(from + L::k_name)};
    order.price_e2 = load_be<std::uint32_t>(from + L::k_price);
    order.quantity = load_be<std::uint32_t>(from + L::k_quantity);
    order.instrument = InstrumentId{load_be<std::uint32_t>(from + L::k_instrument)};
    order.stop_price_e2 = load_be<std::uint32_t>(from + L::k_stop_price);
    order.expire_s = load_be<std::uint32_t>(from + L::k_expire);
    const std::uint8_t action = byte(L::k_action);
    const std::uint8_t side = byte(L::k_side);
    if (action < 1 || action > 3) return Fault::action;
    if (side > 1) return Fault::side;
    order.action = static_cast<Action>(action);
    order.side = side == 1 ? Side::buy : Side::sell;
    const std::uint8_t type = byte(L::k_order_type);
    if (is_valid(static_cast<OrderType>(type)))
        order.type = static_cast<OrderType>(type);
    else
        order.terms = static_cast<Terms>(type);
    if (!is_valid(order.terms)) return Fault::order_type;
    order.time_in_force = static_cast<TimeInForce>(byte(L::k_time_in_force));
    if (!is_valid(order.time_in_force)) return Fault::time_in_force;
    return Fault::none;
}

// The checks that both directions of the extended format share.
Scan scan_extended(std::span<const std::byte> datagram, std::size_t header_length,
                   std::size_t item_length) {
    using L = HeaderLayout;
    const std::byte* const from = datagram.data();
    Scan found{.format = Format::extended};
    if (load_be<std::uint32_t>(from + L::k_magic_number) != k_magic) {
        found.fault = Fault::magic;
        return found;
    }
    if (std::to_integer<std::uint8_t>(from[L::k_version_number]) != k_version) {
        found.fault = Fault::version;
        return found;
    }
    found.header.kind = static_cast<Kind>(std::to_integer<std::uint8_t>(from[L::k_kind]));
    found.header.count = load_be<std::uint16_t>(from + L::k_count);
    found.header.sequence = load_be<std::uint32_t>(from + L::k_sequence);
    if (datagram.size() != header_length + found.header.count * item_length)
        found.fault = Fault::count;
    return found;
}

}  // namespace

Scan scan(std::span<const std::byte> datagram) {
    using L = HeaderLayout;
    const std::byte* const from = datagram.data();
    if (datagram.size() == Packed::k_length)
        return {.format = Format::packed,
                .header = {.count = 1, .sequence = load_be<std::uint32_t>(from)}};
    if (datagram.size() == Words::k_length)
        return {.format = Format::words,
                .header = {.count = 1, .sequence = load_le<std::uint32_t>(from)}};
    if (datagram.size() < L::k_request_length) return {.fault = Fault::length};
    Scan found = scan_extended(datagram, L::k_request_length, OrderLayout::k_length);
    if (found.fault == Fault::magic || found.fault == Fault::version) return found;
    const bool orders = found.header.kind == Kind::orders;
    if (!orders && found.header.kind != Kind::begin) {
        found.fault = Fault::kind;
    } else if (found.header.count > k_maximum_orders || orders == (found.header.count == 0)) {
        found.fault = Fault::count;
    }
    std::copy_n(from + L::k_key, found.header.key.size(), found.header.key.begin());
    return found;
}

Fault decode_order(const Scan& scan, std::span<const std::byte> datagram, std::size_t index,
                   Order& order) {
    order = Order{};
    const std::byte* const from = datagram.data();
    if (scan.format == Format::packed)
        return decode_public<Packed>(from, load_be<std::uint32_t>,
                                     std::to_integer<std::uint8_t>(from[Packed::k_action]),
                                     std::to_integer<std::uint8_t>(from[Packed::k_side]), order);
    if (scan.format == Format::words)
        return decode_public<Words>(from, load_le<std::uint32_t>,
                                    load_le<std::uint32_t>(from + Words::k_action),
                                    load_le<std::uint32_t>(from + Words::k_side), order);
    order.sequence = scan.header.sequence + static_cast<std::uint32_t>(index);
    return decode_extended(from + HeaderLayout::k_request_length + index * OrderLayout::k_length,
                           order);
}

Scan scan_replies(std::span<const std::byte> datagram) {
    if (datagram.size() < HeaderLayout::k_reply_length) return {.fault = Fault::length};
    Scan found = scan_extended(datagram, HeaderLayout::k_reply_length, ReplyLayout::k_length);
    if (found.fault == Fault::none && found.header.kind != Kind::replies) found.fault = Fault::kind;
    return found;
}

Fault decode_reply(std::span<const std::byte> datagram, std::size_t index, Reply& reply) {
    using L = ReplyLayout;
    const std::byte* const from =
        datagram.data() + HeaderLayout::k_reply_length + index * L::k_length;
    const auto kind = std::to_integer<std::uint8_t>(from[L::k_kind]);
    if (kind < std::to_underlying(ReplyKind::accepted) ||
        kind > std::to_underlying(ReplyKind::begun))
        return Fault::reply_kind;
    const auto side = std::to_integer<std::uint8_t>(from[L::k_side]);
    if (side > 1) return Fault::side;
    reply = {
        .kind = static_cast<ReplyKind>(kind),
        .side = side == 1 ? Side::buy : Side::sell,
        .reason = std::to_integer<std::uint8_t>(from[L::k_reason]),
        .sequence = load_be<std::uint32_t>(from + L::k_sequence),
        .name = ClientOrderId{load_be<std::uint64_t>(from + L::k_name)},
        .order_id = OrderId{load_be<std::uint64_t>(from + L::k_order_id)},
        .trade_id = TradeId{load_be<std::uint64_t>(from + L::k_trade_id)},
        .price_e2 = load_be<std::uint32_t>(from + L::k_price),
        .quantity = load_be<std::uint32_t>(from + L::k_quantity),
        .remaining = load_be<std::uint32_t>(from + L::k_remaining),
        .instrument = InstrumentId{load_be<std::uint32_t>(from + L::k_instrument)},
        .time = Timestamp{static_cast<std::int64_t>(load_be<std::uint64_t>(from + L::k_time))}};
    return Fault::none;
}

Fault decode_trade(std::span<const std::byte> datagram, Trade& trade) {
    using L = TradeLayout;
    if (datagram.size() != L::k_length) return Fault::length;
    const std::byte* const from = datagram.data();
    trade = {.bid = load_be<std::uint32_t>(from + L::k_bid),
             .ask = load_be<std::uint32_t>(from + L::k_ask),
             .price_e2 = load_be<std::uint32_t>(from + L::k_price),
             .quantity = load_be<std::uint32_t>(from + L::k_quantity)};
    return Fault::none;
}

std::string_view text(Fault fault) {
    switch (fault) {
        case Fault::none:
            return "valid";
        case Fault::length:
            return "a datagram has 18 or 24 bytes, or at least the 32 of the extended header";
        case Fault::magic:
            return "a datagram of more than 24 bytes begins with DMRK";
        case Fault::version:
            return "the version of the extended format is 1";
        case Fault::kind:
            return "the kind of an extended datagram is 1 for orders or 2 to begin";
        case Fault::count:
            return "the count is 1 to 45 orders, none to begin, and the length agrees with it";
        case Fault::action:
            return "the type is 1 for a new order, 2 to cancel or 3 to modify one";
        case Fault::side:
            return "the side is 0 to sell or 1 to buy";
        case Fault::order_type:
            return "the order type is 0 limit, 1 market, 2 stop, 3 stop limit, 4 market to limit, "
                   "5 and "
                   "6 trailing stops, 7 to 9 pegs or 10 imbalance-only";
        case Fault::time_in_force:
            return "the time in force is 0 day, 1 gtc, 2 gtd, 3 ioc, 4 fok, or 5 at the opening, 6 "
                   "at "
                   "the close, 7 at the next auction";
        case Fault::reply_kind:
            return "the kind of a reply is 1 to 6";
    }
    return "unknown";
}

std::string_view name(Fault fault) {
    switch (fault) {
        case Fault::none:
            return "none";
        case Fault::length:
            return "length";
        case Fault::magic:
            return "magic";
        case Fault::version:
            return "version";
        case Fault::kind:
            return "kind";
        case Fault::count:
            return "count";
        case Fault::action:
            return "action";
        case Fault::side:
            return "side";
        case Fault::order_type:
            return "order_type";
        case Fault::time_in_force:
            return "time_in_force";
        case Fault::reply_kind:
            return "reply_kind";
    }
    return "unknown";
}

}  // namespace damrak::wire::packet
