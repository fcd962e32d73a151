#include <damrak/wire/binary/market_data.hpp>

#include <cstring>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>

namespace damrak::wire::binary {

namespace {

enum class Type : std::uint8_t { delta = 0, snapshot = 1 };

void store_header(const FeedHeader& header, Type type, std::size_t length, std::byte* to) {
    store_be(to, header.sequence);
    store_be(to + 8, header.instrument.value);
    store_be(to + 12, static_cast<std::uint16_t>(length));
    to[14] = static_cast<std::byte>(type);
    to[15] = static_cast<std::byte>(k_feed_version);
}

std::byte* store_levels(std::span<const FeedLevel> levels, std::byte* to) {
    for (const FeedLevel& level : levels) {
        store_be(to, static_cast<std::uint64_t>(level.price_e2));
        store_be(to + 8, level.quantity);
        to += k_feed_level_bytes;
    }
    return to;
}

// Below zero in two's complement.
std::int64_t price_at(const std::byte* from) {
    return static_cast<std::int64_t>(load_be<std::uint64_t>(from));
}

std::expected<FeedDelta, FeedFault> decode_delta(std::span<const std::byte> payload) {
    if (payload.size() != k_feed_delta_bytes) return std::unexpected{FeedFault::wrong_length};
    const auto action = std::to_integer<std::uint8_t>(payload[16]);
    const auto side = static_cast<Side>(payload[17]);
    if (action > 1 || !is_valid(side)) return std::unexpected{FeedFault::wrong_value};
    return FeedDelta{.price_e2 = price_at(payload.data()),
                     .quantity = load_be<std::uint64_t>(payload.data() + 8),
                     .reduce = action == 1,
                     .side = side};
}

std::expected<FeedSnapshot, FeedFault> decode_snapshot(std::span<const std::byte> payload) {
    if (payload.size() < k_feed_snapshot_bytes) return std::unexpected{FeedFault::wrong_length};
    const std::size_t bids = load_be<std::uint16_t>(payload.data()) * k_feed_level_bytes;
    const std::size_t asks = load_be<std::uint16_t>(payload.data() + 2) * k_feed_level_bytes;
    if (payload.size() != k_feed_snapshot_bytes + bids + asks)
        return std::unexpected{FeedFault::wrong_length};
    return FeedSnapshot{.bids = FeedLevels{payload.subspan(k_feed_snapshot_bytes, bids)},
                        .asks = FeedLevels{payload.subspan(k_feed_snapshot_bytes + bids, asks)},
                        .state = {.phase = static_cast<Phase>(payload[4]),
                                  .call = static_cast<CallKind>(payload[5]),
                                  .cause = static_cast<HaltCause>(payload[6]),
                                  .halted = payload[7] != std::byte{0}}};
}

}  // namespace

FeedLevel FeedLevels::operator[](std::size_t i) const {
    const std::byte* const at = bytes_.subspan(i * k_feed_level_bytes, k_feed_level_bytes).data();
    return {.price_e2 = price_at(at), .quantity = load_be<std::uint64_t>(at + 8)};
}

std::string_view describe(FeedFault fault) {
    switch (fault) {
        case FeedFault::too_short:
            return "shorter than its header says";
        case FeedFault::unknown_version:
            return "of a version other than 1";
        case FeedFault::unknown_type:
            return "neither a delta nor a snapshot";
        case FeedFault::wrong_length:
            return "of the wrong length for its type and levels";
        case FeedFault::wrong_value:
            return "with an unknown side or action";
    }
    return "not understood";
}

std::expected<FeedMessage, FeedFault> decode_feed(std::span<const std::byte> datagram) {
    if (datagram.size() < k_feed_header_bytes) return std::unexpected{FeedFault::too_short};
    const std::byte* const at = datagram.data();
    if (std::to_integer<std::uint8_t>(at[15]) != k_feed_version)
        return std::unexpected{FeedFault::unknown_version};
    const std::size_t length = load_be<std::uint16_t>(at + 12);
    if (datagram.size() < k_feed_header_bytes + length)
        return std::unexpected{FeedFault::too_short};
    FeedMessage message{.header = {.sequence = load_be<std::uint64_t>(at),
                                   .instrument = InstrumentId{load_be<std::uint32_t>(at + 8)}},
                        .body = {}};
    const auto payload = datagram.subspan(k_feed_header_bytes, length);
    const auto put = [&message](auto body) -> std::expected<FeedMessage, FeedFault> {
        if (!body) return std::unexpected{body.error()};
        message.body = *body;
        return message;
    };
    switch (static_cast<Type>(at[14])) {
        case Type::delta:
            return put(decode_delta(payload));
        case Type::snapshot:
            return put(decode_snapshot(payload));
    }
    return std::unexpected{FeedFault::unknown_type};
}

std::size_t encode_feed(const FeedHeader& header, const FeedDelta& delta, std::span<std::byte> to) {
    DAMRAK_ASSERT(to.size() >= k_feed_header_bytes + k_feed_delta_bytes);
    store_header(header, Type::delta, k_feed_delta_bytes, to.data());
    std::byte* const payload = to.data() + k_feed_header_bytes;
    store_be(payload, static_cast<std::uint64_t>(delta.price_e2));
    store_be(payload + 8, delta.quantity);
    payload[16] = std::byte{delta.reduce};
    payload[17] = static_cast<std::byte>(delta.side);
    std::memset(payload + 18, 0, k_feed_delta_bytes - 18);
    return k_feed_header_bytes + k_feed_delta_bytes;
}

std::size_t encode_feed(const FeedHeader& header, std::span<const FeedLevel> bids,
                        std::span<const FeedLevel> asks, std::span<std::byte> to,
                        const FeedState& state) {
    const std::size_t length =
        k_feed_snapshot_bytes + (bids.size() + asks.size()) * k_feed_level_bytes;
    DAMRAK_ASSERT(length <= UINT16_MAX && to.size() >= k_feed_header_bytes + length);
    store_header(header, Type::snapshot, length, to.data());
    std::byte* const payload = to.data() + k_feed_header_bytes;
    store_be(payload, static_cast<std::uint16_t>(bids.size()));
    store_be(payload + 2, static_cast<std::uint16_t>(asks.size()));
    payload[4] = static_cast<std::byte>(state.phase);
    payload[5] = static_cast<std::byte>(state.call);
    payload[6] = static_cast<std::byte>(state.cause);
    payload[7] = std::byte{state.halted};
    store_levels(asks, store_levels(bids, payload + k_feed_snapshot_bytes));
    return k_feed_header_bytes + length;
}

}  // namespace damrak::wire::binary
