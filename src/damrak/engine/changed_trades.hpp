// The trades of the day that the operator has busted or corrected, with their terms since then. One
// thread; a bust or a correction, which are rare, costs O(n); no allocation after construction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak {

struct ChangedTrade {
    TradeId trade{};
    Quantity traded{};  ///< at first
    Price price{};
    Quantity quantity{};  ///< zero: busted
};

class ChangedTrades {
  public:
    static constexpr std::size_t k_most = 1'024;

    ChangedTrades() : trades_(k_most) {}

    [[nodiscard]] bool full() const { return count_ == k_most; }
    /// Null if the trade is as it was.
    [[nodiscard]] const ChangedTrade* find(TradeId trade) const {
        const auto found = std::ranges::find(trades(), trade, &ChangedTrade::trade);
        return found == trades().end() ? nullptr : &*found;
    }
    /// By time of the first changes.
    [[nodiscard]] std::span<const ChangedTrade> trades() const { return {trades_.data(), count_}; }
    /// There must be room for one that is not here yet.
    void set(const ChangedTrade& wanted) {
        const ChangedTrade* const before = find(wanted.trade);
        trades_[before != nullptr ? static_cast<std::size_t>(before - trades_.data()) : count_++] =
            wanted;
    }
    template <class Wanted>
    void remove_if(Wanted&& wanted) {
        ChangedTrade* const begin = trades_.data();
        count_ = static_cast<std::uint64_t>(std::remove_if(begin, begin + count_, wanted) - begin);
    }
    /// See base/archive.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.count(self.count_, k_most);
        archive.values(self.trades_.data(), self.count_);
    }

  private:
    ReservedArray<ChangedTrade> trades_;
    std::uint64_t count_ = 0;
};

}  // namespace damrak
