// A LOBSTER message file with what its book file tells of the orders before it, in memory.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include <damrak/convert/unseen_orders.hpp>
#include <damrak/lobster/reader.hpp>
#include <damrak/market_runs/recorded_measures.hpp>

namespace damrak::market_runs::detail {

struct LobsterDay {
    std::vector<lobster::MessageRow> rows;
    convert::UnseenOrders unseen;            ///< added where the first message mentions them
    std::vector<convert::SeedOrder> before;  ///< the book before the first row
};

/// The error is one sentence with the file.
[[nodiscard]] std::expected<LobsterDay, std::string> load_lobster(const RecordedDay& day);

}  // namespace damrak::market_runs::detail
