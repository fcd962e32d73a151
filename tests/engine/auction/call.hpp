// A call of single orders for tests: written down in one line, turned into levels, and priced in
// the plainest way, from the orders alone and price by price.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <damrak/auction/equilibrium.hpp>

namespace damrak::auction::testing {

struct CallOrder {
    Quantity quantity;
    std::optional<Price> limit;  ///< none: a market order
};

/// 300 at 10.04, in units of 0.0001.
inline CallOrder limit(std::int64_t quantity, std::int64_t cents) {
    return {Quantity{quantity}, Price{cents * 100}};
}
inline CallOrder market(std::int64_t quantity) { return {Quantity{quantity}, std::nullopt}; }

/// Orders of a side in the order of their entry, and the levels made of them.
class Call {
  public:
    Call(std::vector<CallOrder> buys, std::vector<CallOrder> sells);

    [[nodiscard]] CallBook book() const;
    [[nodiscard]] bool has_limits() const { return !bids_.empty() || !asks_.empty(); }
    [[nodiscard]] const std::vector<CallOrder>& buys() const { return buys_; }
    [[nodiscard]] const std::vector<CallOrder>& sells() const { return sells_; }

  private:
    std::vector<CallOrder> buys_;
    std::vector<CallOrder> sells_;
    std::vector<PriceLevel> bids_;
    std::vector<PriceLevel> asks_;
};

/// The auction price by its definition: every valid price of a range is tried.
Equilibrium model_equilibrium(const Call& call, const PriceTerms& terms, PriceRange all);

}  // namespace damrak::auction::testing
