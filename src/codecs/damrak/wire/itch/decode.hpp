// ITCH 5.0 bytes to messages. Total: any bytes are a message or a named error; nothing throws.
//   decode_one(bytes)   one message without its frame, any of the 23 types (tools, sessions)
//   decode_as<M>(bytes) a message known to be an M and long enough (walk.hpp, the fast path)
// Pure functions for any thread. A decode is a load and a byte swap for each field used: where it
// is inlined, the compiler removes fields that the caller ignores.
#pragma once

#include <expected>
#include <span>

#include <damrak/base/byte_order.hpp>
#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/detail/decode_error.hpp>

namespace damrak::wire::itch {

namespace detail {

template <class T>
[[nodiscard]] inline T load_field(const std::byte* from) noexcept {
    if constexpr (std::is_same_v<T, std::int64_t>) {
        return static_cast<std::int64_t>(load_be48(from));
    } else if constexpr (std::unsigned_integral<T> && sizeof(T) > 1) {
        return load_be<T>(from);
    } else if constexpr (std::is_same_v<T, bool>) {
        return static_cast<char>(*from) == 'Y';
    } else if constexpr (std::is_same_v<T, Side>) {
        return static_cast<char>(*from) == 'S' ? Side::sell : Side::buy;
    } else {  // a letter or text
        T value;
        std::memcpy(&value, from, sizeof value);
        return value;
    }
}

// True if all eight bytes are printable ASCII (0x20 to 0x7e), without a loop.
[[nodiscard]] inline bool printable8(const std::byte* from) noexcept {
    constexpr std::uint64_t k_ones = 0x0101010101010101;
    std::uint64_t text;
    std::memcpy(&text, from, sizeof text);
    const std::uint64_t below_space = text - k_ones * 0x20;
    const std::uint64_t above_tilde = text + k_ones;
    return ((below_space | above_tilde | text) & (k_ones * 0x80)) == 0;
}

// True for either of two letters less than 32 apart. The sides of an order flow are random: written
// as two comparisons, this compiles to a branch that is mispredicted half of the time.
template <char low, char high>
[[nodiscard]] inline bool either(std::byte found) noexcept {
    static_assert(low < high && high - low < 32);
    const unsigned distance = static_cast<unsigned>(found) - static_cast<unsigned>(low);
    constexpr std::uint32_t k_good = 1U | 1U << (high - low);
    return ((distance < 32U) & (k_good >> (distance & 31U)) & 1U) != 0;
}

template <class T>
[[nodiscard]] inline Fault check_field(const std::byte* from) noexcept {
    if constexpr (std::is_same_v<T, Side>) {
        return either<'B', 'S'>(*from) ? Fault::none : Fault::bad_side;
    } else if constexpr (std::is_same_v<T, bool>) {
        return either<'N', 'Y'>(*from) ? Fault::none : Fault::bad_flag;
    } else if constexpr (std::is_same_v<T, Stock>) {
        return printable8(from) ? Fault::none : Fault::bad_stock;
    } else {
        return Fault::none;
    }
}

template <class M, class... Fields>
[[nodiscard]] inline M load_message(const std::byte* from, FieldList<Fields...>) noexcept {
    M message;
    ((message.*Fields::k_member = load_field<typename Fields::Value>(from + Fields::k_offset)),
     ...);
    return message;
}

template <class... Fields>
[[nodiscard]] inline Fault check_message(const std::byte* from, FieldList<Fields...>) noexcept {
    Fault fault = Fault::none;
    (void)(((fault = check_field<typename Fields::Value>(from + Fields::k_offset)) !=
            Fault::none) ||
           ...);
    return fault;
}

// Calls f.operator()<M>() for the message type of this letter, or f.operator()<void>() if there is
// none.
template <class F, class... Ms>
[[gnu::always_inline]] inline auto with_type(char type, F&& f, std::variant<Ms...>*) {
    using Result = decltype(f.template operator()<void>());
    Result result{};
    const bool known =
        ((type == Layout<Ms>::k_type && (result = f.template operator()<Ms>(), true)) || ...);
    return known ? result : f.template operator()<void>();
}

// The full diagnosis of an invalid message. `offset` is where `message` begins.
[[nodiscard]] DecodeError diagnose(std::span<const std::byte> message, std::uint64_t offset);

}  // namespace detail

// Checks the content of a message of type M: no fault, or why these bytes are invalid.
template <class M>
[[nodiscard]] inline Fault check_as(const std::byte* message) noexcept {
    return detail::check_message(message, typename Layout<M>::Fields{});
}

// The type letter and length must be those of M, and check_as<M>() must have passed.
template <class M>
[[nodiscard]] inline M decode_as(const std::byte* message) noexcept {
    return detail::load_message<M>(message, typename Layout<M>::Fields{});
}

// `offset` is the position of `message` in its file or stream; errors include it.
[[nodiscard]] std::expected<Message, DecodeError> decode_one(std::span<const std::byte> message,
                                                             std::uint64_t offset = 0);

}  // namespace damrak::wire::itch
