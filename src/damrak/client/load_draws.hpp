// What a client of a load run asks for next, drawn from the seed: kinds in exact proportion, sides,
// prices and quantities. A client draws the same requests whatever it is answered; only which of
// its orders a cancel names depends on that.
//
// Used by LoadClient, one a client. Three to five draws a request; nothing is allocated.
#pragma once

#include <array>
#include <cstdint>

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

}  // namespace damrak::client
