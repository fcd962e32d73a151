// The trades of the day that the operator has busted, so that none is busted twice. One thread; a
// bust, which is rare, costs O(n); no allocation after construction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/identifiers.hpp>

namespace damrak {

class BustedTrades {
  public:
    static constexpr std::size_t k_most = 1'024;

    BustedTrades() : trades_(k_most) {}

    [[nodiscard]] bool full() const { return count_ == k_most; }
    [[nodiscard]] bool contains(TradeId trade) const {
        return std::ranges::find(trades(), trade) != trades().end();
    }
    /// By time of the busts.
    [[nodiscard]] std::span<const TradeId> trades() const { return {trades_.data(), count_}; }
    /// There must be room.
    void add(TradeId trade) { trades_[count_++] = trade; }
    template <class Wanted>
    void remove_if(Wanted&& wanted) {
        TradeId* const begin = trades_.data();
        count_ = static_cast<std::uint64_t>(std::remove_if(begin, begin + count_, wanted) - begin);
    }
    /// See base/archive.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.count(self.count_, k_most);
        archive.values(self.trades_.data(), self.count_);
    }

  private:
    ReservedArray<TradeId> trades_;
    std::uint64_t count_ = 0;
};

}  // namespace damrak
