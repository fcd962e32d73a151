#include <damrak/market_kernel/fundamental.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <damrak/market_kernel/numeric.hpp>

namespace damrak::market_kernel {

Fundamentals::Fundamentals(std::uint64_t seed, Timestamp begin,
                           const std::vector<FactorDescription>& factors,
                           std::vector<FundamentalDescription> instruments, std::int64_t step_ns)
    : begin_(begin), step_ns_(step_ns), step_s_(static_cast<double>(step_ns) * 1e-9) {
    for (std::size_t i = 0; i < factors.size(); ++i)
        factors_.push_back({factors[i], Draws{key_of(seed, "factor", i, "return")}, {}});
    for (std::size_t i = 0; i < instruments.size(); ++i)
        paths_.push_back({std::move(instruments[i]),
                          Draws{key_of(seed, "instrument", i, "return")},
                          Draws{key_of(seed, "instrument", i, "jump")},
                          {0.0}});
}

double Fundamentals::value(InstrumentId instrument, Timestamp at) {
    Path& path = paths_[instrument.value - 1];
    const std::int64_t since = std::max<std::int64_t>((at - begin_).value, 0);
    const auto step = static_cast<std::size_t>(since / step_ns_);
    if (step >= path.values.size()) extend(path, step);
    const double moved = path.values[step] + planned(instrument, at);
    return base(path.is, at) * exponential_of(moved);
}

double Fundamentals::base(const FundamentalDescription& is, Timestamp at) {
    if (is.basket.empty()) return is.start;
    double sum = 0;
    for (const BasketPart& part : is.basket)
        sum += part.weight * value(part.instrument, {at.value - is.lag_ns});
    return sum;
}

void Fundamentals::extend(Path& path, std::size_t step) {
    const double root = square_root_of(step_s_);
    const bool moves = path.is.volatility > 0;
    while (path.values.size() <= step) {
        const std::size_t next = path.values.size();
        double value = path.values.back();
        value -= value * path.is.reversion * step_s_;
        if (moves) value += path.is.volatility * root * path.own.normal();
        for (std::size_t i = 0; i < path.is.loads.size(); ++i)
            value += path.is.loads[i] * factor_return(factors_[i], next);
        if (path.is.jumps_per_s > 0 && path.jumps.chance(path.is.jumps_per_s * step_s_))
            value += path.is.jump_size * path.jumps.normal();
        path.values.push_back(value);
    }
}

double Fundamentals::factor_return(Factor& factor, std::size_t step) const {
    const double root = square_root_of(step_s_);
    while (factor.returns.size() <= step)
        factor.returns.push_back(factor.is.volatility * root * factor.draws.normal());
    return factor.returns[step];
}

double Fundamentals::planned(InstrumentId instrument, Timestamp at) const {
    double sum = 0;
    for (const PlannedMove& move : moves_)
        if (move.instrument == instrument && move.time <= at) sum += move.log_return;
    return sum;
}

}  // namespace damrak::market_kernel
