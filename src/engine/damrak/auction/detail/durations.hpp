// Spans of time in the parameters of mechanisms.
#pragma once

#include <cstdint>

#include <damrak/domain/measures.hpp>

namespace damrak::auction {

[[nodiscard]] constexpr Timestamp seconds(std::int64_t count) { return {count * 1'000'000'000}; }
[[nodiscard]] constexpr Timestamp minutes(std::int64_t count) { return seconds(60 * count); }

}  // namespace damrak::auction
