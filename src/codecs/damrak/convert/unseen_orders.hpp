// Infers orders that a LOBSTER message file mentions without having added them: they rested before
// the file began, or came to rest below the levels that the file covers.
//
// A first pass over the rows collects them; a second one then adds them where a book needs them.
// Called by lobster_to_itch.cpp on one thread. Costs a hash look-up for each row; memory grows with
// the orders of the file, some 30 bytes each.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <damrak/domain/order_terms.hpp>
#include <damrak/lobster/descriptor.hpp>

namespace damrak::convert {

struct SeedOrder {
    std::uint64_t order_id{};
    Side side{Side::buy};
    std::int64_t price_e4{};
    std::int64_t quantity{};

    friend bool operator==(const SeedOrder&, const SeedOrder&) = default;
};

class UnseenOrders {
  public:
    /// Call for each row in the order of the file. The error says why an order is impossible.
    [[nodiscard]] std::expected<void, std::string> see(const lobster::MessageRow& row);

    /// The order before the file first mentions it, or null. Its quantity is the sum of all that is
    /// ever taken from it, the least that it can have had.
    [[nodiscard]] const SeedOrder* find(std::uint64_t order_id) const;

    /// The orders at one price by id, which is their order of arrival.
    [[nodiscard]] std::vector<SeedOrder> at(Side side, std::int64_t price_e4) const;

    [[nodiscard]] std::size_t size() const { return orders_.size(); }

  private:
    std::unordered_set<std::uint64_t> added_;  // inside the file
    std::map<std::uint64_t, SeedOrder> orders_;
};

/// Ids of anonymous orders begin here, above every id of an exchange.
inline constexpr std::uint64_t k_anonymous_ids = std::uint64_t{1} << 63;

/// Whether a message could have affected the first row of the order book file: its price is within
/// the range of the row, or it is of a type that always has a row.
[[nodiscard]] bool reaches(const lobster::MessageRow& message,
                           std::span<const lobster::BookLevel> levels);

/// The book before `first`, the message of the first row of the order book file: orders that the
/// message file mentions, and for the rest of each level an anonymous order behind them. The error
/// says why the row cannot follow from the message.
[[nodiscard]] std::expected<std::vector<SeedOrder>, std::string> book_before(
    const lobster::MessageRow& first, std::span<const lobster::BookLevel> levels,
    const UnseenOrders& unseen);

}  // namespace damrak::convert
