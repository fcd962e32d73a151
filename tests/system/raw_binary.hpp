// Messages of the binary protocol, version 1, put together byte by byte, so that the system tests
// do not depend on the encoder that the server is built with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "support/running_server.hpp"

namespace damrak::testing {

inline void put(Bytes& bytes, std::uint64_t value, int size) {
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
        bytes.push_back(static_cast<std::byte>(value >> static_cast<unsigned>(shift)));
}
[[nodiscard]] inline std::uint64_t get(const Bytes& bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = at; i < at + size && i < bytes.size(); ++i)
        value = value << 8U | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
}

struct PlainOrder {
    std::uint8_t side = 0;
    std::uint64_t quantity = 1;
    std::uint64_t price_e2 = 100;
    std::uint32_t instrument = 1;
};

/// NEW_ORDER of version 1.
[[nodiscard]] inline Bytes new_order(std::uint32_t sequence, std::uint64_t client,
                                     const PlainOrder& order) {
    Bytes bytes = from_hex("0a010028");
    put(bytes, sequence, 4);
    put(bytes, 0, 8);
    put(bytes, client, 8);
    put(bytes, order.instrument, 4);
    put(bytes, order.side, 1);
    put(bytes, 0, 3);
    put(bytes, order.quantity, 8);
    put(bytes, order.price_e2, 8);
    put(bytes, UINT64_MAX, 8);  // good for ever
    return bytes;
}

struct Login {
    std::uint64_t client = 0;
    std::uint64_t status = 0;  ///< 1: accepted, 3: that key does not get in
};

/// HELLO and its answer.
inline Login hello(const RawClient& client, std::string_view key = {}) {
    Bytes bytes = from_hex("01010010 00000001 00000000 00000000");
    for (std::size_t i = 0; i < 16; ++i)
        bytes.push_back(static_cast<std::byte>(i < key.size() ? key[i] : '\0'));
    client.send(bytes);
    const Bytes answer = client.receive(32);
    return {.client = get(answer, 16, 8), .status = get(answer, 24, 1)};
}

struct OrderAnswer {
    std::uint64_t order = 0;
    std::uint64_t status = 0;  ///< 1: accepted, 2: invalid; zero: nothing came
};

/// NEW_ORDER and its ORDER_ACK, where no other message can come in between.
inline OrderAnswer place(const RawClient& client, std::uint32_t sequence, std::uint64_t id,
                         const PlainOrder& order) {
    client.send(new_order(sequence, id, order));
    const Bytes answer = client.receive(64);
    return {.order = get(answer, 24, 8), .status = get(answer, 60, 1)};
}

}  // namespace damrak::testing
