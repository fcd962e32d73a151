#include <damrak/auction/luld_bands.hpp>

#include <damrak/auction/rounding.hpp>

namespace damrak::auction {

namespace {

// Basis points times hundredths of leverage.
constexpr std::int64_t k_millionths = 1'000'000;

}  // namespace

PriceRange luld_bands(const LuldPlan& plan, const LuldSecurity& security, Price reference,
                      bool doubled) {
    const bool low = security.previous_close < plan.lower_price;
    const bool high = security.previous_close > plan.upper_price;
    const bool one = security.tier == LuldTier::one;
    const std::int64_t basis_points =
        low    ? plan.low_basis_points
        : high ? (one ? plan.tier_one_basis_points : plan.tier_two_basis_points)
               : plan.middle_basis_points;
    Wide amount = Wide{reference.value} * basis_points;
    if (low) amount = std::min(amount, Wide{plan.low_amount.value} * k_basis_points);
    amount *= one ? 100 : security.leverage_hundredths;
    if (doubled) amount *= 2;

    // Rounded once, as a sum of exact numbers.
    const auto rounded = [&](Wide exact, Rounding rounding) {
        const std::int64_t tick = plan.tick.value;
        return Price{quotient(exact, k_millionths * tick, rounding) * tick};
    };
    const Wide middle = Wide{reference.value} * k_millionths;
    const Price lower =
        std::min(rounded(middle - amount, Rounding::nearest), rounded(middle, Rounding::down));
    const Price upper =
        std::max(rounded(middle + amount, Rounding::nearest), rounded(middle, Rounding::up));
    return {std::max(lower, Price{0}), upper};
}

}  // namespace damrak::auction
