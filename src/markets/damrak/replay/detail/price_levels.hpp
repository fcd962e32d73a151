// One side of a book as a list of levels, best first: the form in which rows of an order book file
// are compared with real books. For the checks of LOBSTER files; allocates.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <damrak/domain/order_terms.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/replay/lobster_files.hpp>

namespace damrak::replay::detail {

struct PriceLevel {
    std::int64_t price_e4{};
    std::int64_t quantity{};
    friend bool operator==(const PriceLevel&, const PriceLevel&) = default;
};

using PriceLevels = std::vector<PriceLevel>;

inline constexpr std::size_t k_all_levels = std::numeric_limits<std::size_t>::max();

/// The occupied levels of a row.
[[nodiscard]] PriceLevels levels_of(BookRow row, Side side);
/// At most the `most` best levels of a book.
[[nodiscard]] PriceLevels levels_of(const order_flow::BookBuilder<>& books, InstrumentId instrument,
                                    Side side, std::size_t most = k_all_levels);

/// "ask level 3: expected 585.94 x 200, found none".
[[nodiscard]] std::string describe(Side side, std::size_t level,
                                   const std::optional<PriceLevel>& expected,
                                   const std::optional<PriceLevel>& found);

}  // namespace damrak::replay::detail
