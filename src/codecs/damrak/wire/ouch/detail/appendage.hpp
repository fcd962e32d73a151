// The optional fields at the end of an OUCH 5.0 message: elements of a length, a tag and a value. A
// plain value that keeps the received bytes in their order, so a message is encoded exactly as it
// was received. Made by decode.hpp, which checks it, or by add(). A look-up walks over the
// elements.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/wire/ouch/text.hpp>

namespace damrak::wire::ouch {

enum class Option : std::uint8_t {
    secondary_reference = 1,
    firm = 2,
    minimum_quantity = 3,
    customer_type = 4,
    displayed_quantity = 5,  // MaxFloor: of a reserve order
    price_type = 6,
    peg_offset = 7,
    discretion_price = 9,
    discretion_price_type = 10,
    discretion_peg_offset = 11,
    post_only = 12,
    random_reserves = 13,
    route = 14,
    expire_time = 15,
    trade_now = 16,
    handling = 17,
    bbo_weight = 18,
    restated_quantity = 22,
    restated_price = 23,
    group = 24,
    shares_located = 25,
    locate_broker = 26,
    side = 27,
    user_ref_index = 28,
};

inline constexpr std::size_t k_option_tags = 29;
/// Size of the value of each tag; zero: there is no such tag.
inline constexpr std::array<std::uint8_t, k_option_tags> k_option_size{
    0, 8, 4, 4, 1, 4, 1, 4, 0, 8, 1, 4, 1, 4, 4, 4, 1, 1, 1, 0, 0, 0, 4, 8, 2, 1, 4, 1, 1};

/// Length and tag before a value.
inline constexpr std::size_t k_option_header = 2;

/// Size of all options, each once.
inline constexpr std::size_t k_appendage_capacity = [] {
    std::size_t sum = 0;
    for (const std::size_t size : k_option_size) sum += size == 0 ? 0 : k_option_header + size;
    return sum;
}();
static_assert(k_appendage_capacity == 124);

struct Appendage {
    std::array<std::byte, k_appendage_capacity> bytes{};
    std::uint16_t length = 0;
    /// In messages that may omit it: the length is present although the appendage is empty.
    bool stated = false;

    [[nodiscard]] bool empty() const { return length == 0; }
    [[nodiscard]] std::span<const std::byte> view() const { return std::span{bytes}.first(length); }
    /// The bytes of a value; empty if the option is missing.
    [[nodiscard]] std::span<const std::byte> find(Option option) const {
        for (std::size_t at = 0; at < length; at += 1 + std::to_integer<std::size_t>(bytes[at]))
            if (bytes[at + 1] == static_cast<std::byte>(option))
                return std::span{bytes}.subspan(at + k_option_header,
                                                k_option_size[static_cast<std::size_t>(option)]);
        return {};
    }
    [[nodiscard]] bool has(Option option) const { return !find(option).empty(); }
    /// The value as an integer, a letter or text of the option's size.
    template <class T>
    [[nodiscard]] std::optional<T> get(Option option) const {
        const auto value = find(option);
        if (value.empty()) return std::nullopt;
        DAMRAK_ASSERT(value.size() == sizeof(T));
        T result;
        if constexpr (std::is_unsigned_v<T> && sizeof(T) > 1)
            result = load_be<T>(value.data());
        else
            std::memcpy(&result, value.data(), sizeof result);
        return result;
    }
    /// Adds an option that is not present yet.
    template <class T>
    void add(Option option, const T& value) {
        const std::size_t size = k_option_size[static_cast<std::size_t>(option)];
        DAMRAK_ASSERT(size == sizeof value && length + k_option_header + size <= bytes.size());
        bytes[length] = static_cast<std::byte>(1 + size);
        bytes[length + std::size_t{1}] = static_cast<std::byte>(option);
        std::byte* const to = bytes.data() + length + k_option_header;
        if constexpr (std::is_unsigned_v<T> && sizeof(T) > 1)
            store_be(to, value);
        else
            std::memcpy(to, &value, sizeof value);
        length = static_cast<std::uint16_t>(length + k_option_header + size);
    }

    friend bool operator==(const Appendage& a, const Appendage& b) {
        return a.stated == b.stated && std::ranges::equal(a.view(), b.view());
    }
};

}  // namespace damrak::wire::ouch
