// Times of a day and prices as commands print them.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace damrak::app {

/// 09:30:00.000000001
[[nodiscard]] inline std::string time_text(std::int64_t since_midnight_ns) {
    constexpr std::int64_t k_second_ns = 1'000'000'000;
    const std::int64_t seconds = since_midnight_ns / k_second_ns;
    return fmt::format("{:02}:{:02}:{:02}.{:09}", seconds / 3'600, seconds / 60 % 60, seconds % 60,
                       since_midnight_ns % k_second_ns);
}

/// 585.3300
[[nodiscard]] inline std::string price_text(std::uint32_t price_e4) {
    constexpr std::uint32_t k_scale = 10'000;
    return fmt::format("{}.{:04}", price_e4 / k_scale, price_e4 % k_scale);
}

/// A count of 10^-decimals, as a decimal number.
[[nodiscard]] inline std::string decimal_text(std::int64_t units, unsigned decimals) {
    const auto size =
        units < 0 ? 0 - static_cast<std::uint64_t>(units) : static_cast<std::uint64_t>(units);
    std::string text = fmt::format("{:0{}}", size, decimals + 1);
    if (decimals > 0) text.insert(text.size() - decimals, ".");
    return (units < 0 ? "-" : "") + text;
}

}  // namespace damrak::app
