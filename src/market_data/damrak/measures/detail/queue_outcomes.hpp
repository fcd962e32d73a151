// What becomes of displayed orders that joined or improved the best price, by what was ahead of
// them when they came: the share that was filled, and the time to the first fill. Called by
// Measures, in time order. Memory: the open orders that it follows; O(log of them) a message.
//
// Source: Lo, MacKinlay and Zhang (2002), Econometric models of limit-order executions, for fill
// times; Moallemi and Yuan (2016), A model for queue position valuation, for the place in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/measures/results.hpp>
#include <damrak/measures/statistics.hpp>

namespace damrak::measures {

class QueueOutcomes {
  public:
    /// An order at the best price or better, behind this many shares.
    void added(OrderId order, Timestamp time, std::int64_t shares_ahead) {
        open_[order.value] = {time, place_of(shares_ahead)};
    }
    /// The first fill decides; later ones are not followed.
    void executed(OrderId order, Timestamp time);
    /// All of it was cancelled. Returns when it came, unless it was filled in part or is unknown.
    std::optional<Timestamp> removed(OrderId order);
    /// It has another price or place now, and is followed no more.
    void replaced(OrderId order) { open_.erase(order.value); }
    void report(Results& results) const;

  private:
    static constexpr std::array<std::int64_t, 3> k_most_ahead{0, 500, 2'000};
    static constexpr std::array<const char*, 4> k_names{"0", "1_500", "501_2000", "2001"};
    struct Open {
        Timestamp time{};
        std::size_t place = 0;
    };
    [[nodiscard]] static std::size_t place_of(std::int64_t shares_ahead) {
        std::size_t place = 0;
        while (place < k_most_ahead.size() && shares_ahead > k_most_ahead[place]) ++place;
        return place;
    }

    std::map<std::uint64_t, Open> open_;
    std::array<std::uint64_t, 4> removed_{};
    std::array<Moments, 4> times_s_;  ///< to the first fill, of those that had one
};

}  // namespace damrak::measures
