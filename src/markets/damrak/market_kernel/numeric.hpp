// Elementary functions for decisions of participants: exp, log and the normal quantile from sums,
// products and square roots alone. IEEE 754 fixes the result of each such operation, so every
// machine and every library gives the same bits, where those of `<cmath>` differ in the last one.
// Compile users with -ffp-contract=off: a fused multiply-add rounds once where two operations
// round twice.
//
// Errors relative to the exact value are below 4e-16, of the quantile below 1e-15. Tens of
// nanoseconds a call.
#pragma once

namespace damrak::market_kernel {

/// e^x; 0 below -745, the largest double above 709.
[[nodiscard]] double exponential_of(double x);
/// Natural logarithm of x > 0.
[[nodiscard]] double logarithm_of(double x);
/// base^exponent for base > 0.
[[nodiscard]] double power_of(double base, double exponent);
/// Correctly rounded, as IEEE 754 asks.
[[nodiscard]] double square_root_of(double x);
/// The z below which a standard normal variable is with probability p in (0, 1). Algorithm AS 241
/// (Wichura 1988).
[[nodiscard]] double normal_quantile(double p);

}  // namespace damrak::market_kernel
