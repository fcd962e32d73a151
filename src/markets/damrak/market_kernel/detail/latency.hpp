// How long a message is in flight: a base time and a random part, in nanoseconds, the same for
// every message of a direction of one participant. A place adds what all participants in it share:
// its congestion changes with time and is the same for all of them.
//
// Plain value; a draw costs one number of a stream, or none if the latency is constant.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <damrak/market_kernel/draws.hpp>

namespace damrak::market_kernel {

struct Latency {
    enum class Kind : std::uint8_t {
        constant,    ///< `base_ns`
        uniform,     ///< `base_ns` to `base_ns + spread_ns`
        normal,      ///< mean `base_ns`, standard deviation `spread_ns`, not below zero
        log_normal,  ///< median `base_ns`, standard deviation `sigma` of the logarithm
        empirical,   ///< `base_ns` and one of `samples`, each as likely
    };
    /// No message takes longer. Random parts end at eight standard deviations.
    static constexpr std::int64_t k_most_ns = 60'000'000'000;

    Kind kind{};
    std::int64_t base_ns = 0;
    std::int64_t spread_ns = 0;
    double sigma = 0;
    std::shared_ptr<const std::vector<std::int64_t>> samples{};

    /// From 0 to most_ns().
    [[nodiscard]] std::int64_t draw(Draws& draws) const;
    [[nodiscard]] std::int64_t most_ns() const;
};

/// Congestion of a place: in each interval all its messages take `median · e^(sigma z)` longer,
/// with one z for the interval.
struct Place {
    std::uint64_t key = 0;  ///< of its stream
    std::int64_t median_ns = 0;
    double sigma = 0;
    std::int64_t interval_ns = 1'000'000;

    [[nodiscard]] std::int64_t delay_at(std::int64_t time_ns) const;
    [[nodiscard]] std::int64_t most_ns() const;
};

}  // namespace damrak::market_kernel
