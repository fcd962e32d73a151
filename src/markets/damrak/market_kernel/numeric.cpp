#include <damrak/market_kernel/numeric.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace damrak::market_kernel {
namespace {

// ln 2 in two parts, of which the first has zeros at the end: its multiples are exact.
constexpr double k_ln2_high = 6.93147180369123816490e-01;
constexpr double k_ln2_low = 1.90821492927058770002e-10;
constexpr double k_log2_e = 1.44269504088896338700;

constexpr unsigned k_fraction_bits = 52;
constexpr std::int64_t k_exponent_bias = 1023;

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
    double sum = 0;
    for (std::size_t i = N; i-- > 0;) sum = sum * x + coefficients[i];
    return sum;
}

/// 2^n for n in the range of normal numbers.
double power_of_two(std::int64_t n) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(n + k_exponent_bias)
                                 << k_fraction_bits);
}

// Wichura's rational approximations: the middle, the tails, the far tails.
constexpr std::array k_middle_above{3.3871328727963666080e0, 1.3314166789178437745e2,
                                    1.9715909503065514427e3, 1.3731693765509461125e4,
                                    4.5921953931549871457e4, 6.7265770927008700853e4,
                                    3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr std::array k_middle_below{1.0,
                                    4.2313330701600911252e1,
                                    6.8718700749205790830e2,
                                    5.3941960214247511077e3,
                                    2.1213794301586595867e4,
                                    3.9307895800092710610e4,
                                    2.8729085735721942674e4,
                                    5.2264952788528545610e3};
constexpr std::array k_tail_above{1.42343711074968357734e0,  4.63033784615654529590e0,
                                  5.76949722146069140550e0,  3.64784832476320460504e0,
                                  1.27045825245236838258e0,  2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array k_tail_below{1.0,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
constexpr std::array k_far_above{6.65790464350110377720e0,  5.46378491116411436990e0,
                                 1.78482653991729133580e0,  2.96560571828504891230e-1,
                                 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                 2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array k_far_below{1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};

}  // namespace

double exponential_of(double x) {
    if (x < -745.0) return 0;
    if (x > 709.0) return std::numeric_limits<double>::max();
    // e^x = 2^n e^r with |r| <= ln(2)/2.
    const double turns = x * k_log2_e;
    const auto n = static_cast<std::int64_t>(turns + (turns < 0 ? -0.5 : 0.5));
    const auto whole = static_cast<double>(n);
    const double r = (x - whole * k_ln2_high) - whole * k_ln2_low;
    double sum = 1;
    for (int i = 14; i > 0; --i) sum = 1 + sum * r / i;
    // In two steps, as 2^n alone may be too small for a normal number.
    const std::int64_t half = n / 2;
    return sum * power_of_two(half) * power_of_two(n - half);
}

double logarithm_of(double x) {
    constexpr double k_sqrt_half = 0.70710678118654752440;
    std::int64_t n = 0;
    if (x < std::numeric_limits<double>::min()) {  // a subnormal number, made a normal one
        x *= power_of_two(k_fraction_bits);
        n = -static_cast<std::int64_t>(k_fraction_bits);
    }
    const auto bits = std::bit_cast<std::uint64_t>(x);
    n += static_cast<std::int64_t>(bits >> k_fraction_bits) - (k_exponent_bias - 1);
    constexpr std::uint64_t k_fraction = (std::uint64_t{1} << k_fraction_bits) - 1;
    auto m =
        std::bit_cast<double>((bits & k_fraction) | static_cast<std::uint64_t>(k_exponent_bias - 1)
                                                        << k_fraction_bits);  // in [0.5, 1)
    if (m < k_sqrt_half) {
        m *= 2;
        --n;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), whose series converges as s^2 <= 0.03.
    const double s = (m - 1) / (m + 1);
    const double square = s * s;
    double sum = 0;
    for (int i = 23; i > 1; i -= 2) sum = (sum + 1.0 / i) * square;
    const auto whole = static_cast<double>(n);
    return whole * k_ln2_high + (2 * s + (2 * s * sum + whole * k_ln2_low));
}

double power_of(double base, double exponent) {
    return exponential_of(exponent * logarithm_of(base));
}

double square_root_of(double x) { return std::sqrt(x); }

double normal_quantile(double p) {
    constexpr double k_split = 0.425;
    constexpr double k_far = 5;
    const double q = p - 0.5;
    if (std::abs(q) <= k_split) {
        const double r = k_split * k_split - q * q;
        return q * polynomial(k_middle_above, r) / polynomial(k_middle_below, r);
    }
    double r = square_root_of(-logarithm_of(q < 0 ? p : 1 - p));
    double z = 0;
    if (r <= k_far) {
        r -= 1.6;
        z = polynomial(k_tail_above, r) / polynomial(k_tail_below, r);
    } else {
        r -= k_far;
        z = polynomial(k_far_above, r) / polynomial(k_far_below, r);
    }
    return q < 0 ? -z : z;
}

}  // namespace damrak::market_kernel
