// The part of a venue file about the rules of instruments.
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/files/toml_table.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue::detail {

/// Changes what the table names, and nothing else.
void read_rules(files::TableReader& in, Rules& rules);

inline constexpr double k_most_amount = 1e6;

/// A number of the file in parts, of which one has this many. If it is not a whole number of them,
/// the key must do what is wanted.
[[nodiscard]] std::int64_t multiple(files::TableReader& in, std::string_view key, double value,
                                    double parts, std::string_view wanted);
/// An amount of the currency in billionths, zero if it is not there.
[[nodiscard]] std::int64_t amount(files::TableReader& in, std::string_view key, double least = 0,
                                  double most = k_most_amount);
/// A percentage in hundredths of a per cent, zero if it is not there.
[[nodiscard]] std::uint16_t basis_points(files::TableReader& in, std::string_view key, double most);

}  // namespace damrak::venue::detail
