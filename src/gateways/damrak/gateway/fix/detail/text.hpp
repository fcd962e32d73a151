// Texts of the FIX gateway that are made while it trades: in a place of their own, without
// allocation. Cut off where the place ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/fix_codec/format_into.hpp>

namespace damrak::gateway::fix::detail {

template <std::size_t k_size>
class FixedText {
  public:
    FixedText() = default;
    template <class... Arguments>
    explicit FixedText(fmt::format_string<Arguments...> format, Arguments&&... arguments)
        : length_(
              fix_codec::format_into(characters_, format, std::forward<Arguments>(arguments)...)) {}
    [[nodiscard]] std::string_view view() const { return {characters_.data(), length_}; }
    [[nodiscard]] bool empty() const { return length_ == 0; }

  private:
    std::array<char, k_size> characters_{};
    std::size_t length_ = 0;
};

using FixText = FixedText<160>;

/// `count` of 10^-decimals, exactly; zeros at the end are left out.
[[nodiscard]] inline FixedText<32> decimal_text(std::int64_t count, unsigned decimals) {
    std::int64_t unit = 1;
    while (decimals > 0 && count % 10 == 0) {
        count /= 10;
        --decimals;
    }
    for (unsigned i = 0; i < decimals; ++i) unit *= 10;
    if (decimals == 0) return FixedText<32>{"{}", count};
    const std::int64_t whole = count / unit;
    const std::int64_t part = count < 0 ? -(count % unit) : count % unit;
    return FixedText<32>{"{}{}.{:0{}}", count < 0 && whole == 0 ? "-" : "", whole, part, decimals};
}

}  // namespace damrak::gateway::fix::detail
