// What a door wants kept with a command beyond its tag of 24 bytes: a long name, fields to repeat.
// Stands in the journal directly before its command, and comes back with it in a replay. Opaque to
// everybody but the door's protocol. A plain value.
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
    /// There is room for it.
    void append(std::string_view text) {
        std::ranges::copy(text, characters.begin() + length);
        length = static_cast<std::uint16_t>(length + text.size());
    }
};
static_assert(std::is_trivially_copyable_v<Attachment>);

}  // namespace damrak
