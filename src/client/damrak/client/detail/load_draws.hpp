// Draws the requests of a load client from the seed: kinds in exact proportion, sides, prices and
// quantities. A client draws the same requests whatever the answers; only the choice of the order
// to cancel depends on them.
//
// Used by the clients of each protocol, one per client. Three to five random numbers per request;
// nothing is allocated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/client/load_settings.hpp>

namespace damrak::client {

class LoadDraws {
  public:
    static constexpr std::uint8_t k_buy = 0;
    static constexpr std::uint8_t k_sell = 1;

    struct Terms {
        std::uint8_t side = 0;
        std::uint32_t price_e2 = 0;
        std::uint32_t quantity = 0;
    };

    /// `number`, from 1, selects this client's own random stream.
    LoadDraws(const LoadSettings& settings, std::uint64_t number);

    /// The kind of the next request; constant until take(). A client's first request is a new
    /// order.
    [[nodiscard]] RequestKind kind() const { return kind_; }
    /// The request was sent: draws the next one.
    void take();

    [[nodiscard]] Terms new_order();
    /// Price and quantity for an order of that side.
    [[nodiscard]] Terms modify(std::uint8_t side);

  private:
    [[nodiscard]] std::uint32_t price(std::uint8_t side);
    void move_middle();

    const LoadSettings* settings_;
    RandomStream own_;
    RandomStream common_;  ///< the same numbers for every client
    /// The remaining cards of a deck that contains each kind in proportion. A used-up deck is
    /// shuffled again, so the mix is exact after each deck.
    std::array<std::uint32_t, k_measured_kinds> deck_;
    RequestKind kind_{};
    std::int64_t middle_e2_;
};

/// A live order without an outstanding request, searched from a random one on; null if there is
/// none.
template <class LiveOrder>
[[nodiscard]] LiveOrder* draw_order(std::vector<LiveOrder>& live, RandomStream& choice) {
    const std::size_t count = live.size();
    if (count == 0) return nullptr;
    const std::size_t first = choice.below(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
        LiveOrder& order = live[first + i < count ? first + i : first + i - count];
        if (!order.asked) return &order;
    }
    return nullptr;
}

}  // namespace damrak::client
