#include <damrak/auction/market_breaker.hpp>

namespace damrak::auction {

bool MarketBreaker::has_fallen_to(int level, Wide value) const {
    const std::int64_t fall = terms_.fall_basis_points[static_cast<std::size_t>(level - 1)];
    return value * k_basis_points <= last_close_ * (k_basis_points - fall);
}

std::array<Wide, MarketBreaker::k_levels> MarketBreaker::levels() const {
    std::array<Wide, k_levels> levels{};
    for (std::size_t i = 0; i < levels.size(); ++i)
        levels[i] = last_close_ * (k_basis_points - terms_.fall_basis_points[i]) / k_basis_points;
    return levels;
}

void MarketBreaker::restore(Wide value) {
    while (reached_ < k_levels && has_fallen_to(reached_ + 1, value)) ++reached_;
    if (reached_ == k_levels) phase_ = Phase::closed;
}

std::optional<int> MarketBreaker::on_index(Timestamp now, Wide value) {
    on_time(now);
    if (phase_ != Phase::trading) return std::nullopt;
    const bool quiet = now >= close_ - terms_.quiet_before_close;
    const int lowest = quiet ? k_levels : reached_ + 1;
    for (int level = k_levels; level >= lowest; --level) {
        if (!has_fallen_to(level, value)) continue;
        reached_ = level;
        const bool for_the_day = level == k_levels;
        phase_ = for_the_day ? Phase::closed : Phase::halted;
        due_ = for_the_day ? std::nullopt : std::optional{now + terms_.halt};
        return level;
    }
    return std::nullopt;
}

void MarketBreaker::on_time(Timestamp now) {
    if (!due_ || *due_ > now) return;
    phase_ = Phase::reopening;
    due_.reset();
}

}  // namespace damrak::auction
