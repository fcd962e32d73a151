// What a client of a load run asks for next, drawn from the seed: kinds in exact proportion, sides,
// prices and quantities. A client draws the same requests whatever it is answered; only which of
// its orders a cancel names depends on that.
//
// Used by LoadClient and FixLoadClient, one a client. Three to five draws a request; nothing is
// allocated.
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

    /// `number`, from 1, chooses this client's own stream of the seed.
    LoadDraws(const LoadSettings& settings, std::uint64_t number);

    /// The next kind; the same one until take(). The first of a client is a new order.
    [[nodiscard]] RequestKind kind() const { return kind_; }
    /// It was asked: draws the one after it.
    void take();

    [[nodiscard]] Terms new_order();
    /// Terms for an order of that side.
    [[nodiscard]] Terms modify(std::uint8_t side);

  private:
    [[nodiscard]] std::uint32_t price(std::uint8_t side);
    void move_middle();

    const LoadSettings* settings_;
    RandomStream own_;
    RandomStream common_;  ///< the same draws for every client
    /// What is left of a deck of the mix, which is dealt out in an order of its own and then mixed
    /// again: after each whole deck the mix is exact.
    std::array<std::uint32_t, k_measured_kinds> deck_;
    RequestKind kind_{};
    std::int64_t middle_e2_;
};

/// One of the live orders of which nothing is asked yet, from a drawn one on; null: there is none.
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
