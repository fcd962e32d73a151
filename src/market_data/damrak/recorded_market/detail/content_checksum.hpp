// The checksum by which a file that was made of others is found again. At set-up only.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>

namespace damrak::recorded_market::detail {

/// Of the content of a file, after that of others.
[[nodiscard]] std::expected<std::uint32_t, std::string> content_checksum(
    const std::filesystem::path& file, std::uint32_t before);

}  // namespace damrak::recorded_market::detail
