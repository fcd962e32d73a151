// What a group of participants and an event of the timeline that trades have in common in a market
// file: their connection and the parameters of their kind.
#pragma once

#include <functional>
#include <map>
#include <string>

#include <damrak/files/toml_table.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::market_runs::detail {

using files::TableReader;

using Places = std::map<std::string, market_kernel::Place, std::less<>>;

/// Latencies, clock, place and the number of orders.
void read_connection(TableReader& in, const Places& places, GroupDescription& group);
/// The value of the row, if the table has it.
void read_parameter(TableReader& in, const participants::ParameterInfo& row,
                    participants::ParameterValues& values);

[[nodiscard]] std::string describe_connection(const GroupDescription& group);
[[nodiscard]] std::string describe_value(const participants::ParameterInfo& row,
                                         const participants::ParameterValue& value);

}  // namespace damrak::market_runs::detail
