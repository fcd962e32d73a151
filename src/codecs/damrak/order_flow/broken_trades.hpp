// The trades of a day that were broken later, by match number, as the messages B of ITCH name them.
// Such a trade changed the book when it happened, but is no trade of the day: it counts in no
// volume, candle or measure of trades. A reader has to know it before it comes to the trade, so it
// looks at the day twice if the day breaks trades.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace damrak::order_flow {

class BrokenTrades {
  public:
    void add(std::uint64_t match_number) { numbers_.insert(match_number); }
    [[nodiscard]] bool has(std::uint64_t match_number) const {
        return !numbers_.empty() && numbers_.contains(match_number);
    }
    [[nodiscard]] std::size_t size() const { return numbers_.size(); }
    friend bool operator==(const BrokenTrades&, const BrokenTrades&) = default;

  private:
    std::unordered_set<std::uint64_t> numbers_;
};

}  // namespace damrak::order_flow
