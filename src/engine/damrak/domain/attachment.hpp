// Data that a gateway stores with a command beyond its tag of 24 bytes, such as a long name or
// fields to echo. The journal stores it directly before its command, and a replay returns it.
// Opaque to everything but the gateway's protocol. A plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace damrak {

struct Attachment {
    static constexpr std::size_t k_capacity = 128;

    std::array<char, k_capacity> characters{};
    std::uint16_t length = 0;

    [[nodiscard]] std::string_view view() const { return {characters.data(), length}; }
    [[nodiscard]] bool empty() const { return length == 0; }
    [[nodiscard]] std::size_t room() const { return k_capacity - length; }
    /// The text must fit.
    void append(std::string_view text) {
        std::ranges::copy(text, characters.begin() + length);
        length = static_cast<std::uint16_t>(length + text.size());
    }
};
static_assert(std::is_trivially_copyable_v<Attachment>);

}  // namespace damrak
