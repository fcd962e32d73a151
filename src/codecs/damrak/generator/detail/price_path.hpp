// The path of a symbol's fair price: a random walk on top of the curve of a shape.
//
// Integer arithmetic only, so that a flow is the same on every machine. The curve depends on the
// elapsed part of the symbol's expected day, so rare symbols move as far as busy ones.
#pragma once

#include <cstdint>

#include <damrak/base/random.hpp>
#include <damrak/generator/flow.hpp>

namespace damrak::generator::detail {

inline constexpr std::int32_t k_opening_price_ticks = 2048;

class PricePath {
  public:
    PricePath(FlowShape shape, std::uint64_t expected_messages)
        : shape_(shape), expected_messages_(expected_messages == 0 ? 1 : expected_messages) {}

    /// Called for the n-th message of the symbol, n from 1.
    void advance(std::uint64_t n, RandomStream& random);

    [[nodiscard]] std::int32_t fair_price_ticks() const { return fair_price_ticks_; }

  private:
    FlowShape shape_;
    std::uint64_t expected_messages_;
    std::int32_t walk_ticks_ = 0;
    std::int32_t fair_price_ticks_ = k_opening_price_ticks;
};

/// Distance of the curve from the opening price, in hundredths of a percent of it, at a time given
/// in hundredths of a percent of the day.
[[nodiscard]] std::int32_t curve_basis_points(FlowShape shape, std::int32_t time_basis_points);

}  // namespace damrak::generator::detail
