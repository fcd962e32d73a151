// Whole numbers as people read them. For screens and reports, never on a hot path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace damrak {

/// 1,234,567
[[nodiscard]] std::string grouped(std::int64_t value);
/// 1 order, 1,234 orders
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);

}  // namespace damrak
