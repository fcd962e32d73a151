#include <damrak/market_runs/detail/value_error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace damrak::market_runs::detail {

void ValueError::on_change(const views::PublicChange& change) {
    look_until(change.time);
    mid_ = change.has_both() && change.trading_state == TradingState::trading
               ? std::optional{change.mid()}
               : std::nullopt;
}

// At the times before this one, each with the mid of before it.
void ValueError::look_until(Timestamp until) {
    for (; next_ < until; next_ = next_ + Timestamp{k_step_ns}) look();
}

void ValueError::look() {
    Look now{.value = values_->value(instrument_, next_)};
    if (mid_) {
        if (now.value > 0) error_bp_.add((*mid_ - now.value) / now.value * 1e4);
        ++measured_;
        now.mid = *mid_;
        now.error = now.mid - now.value;
        if (const Look& before = last_[(looks_ + k_lags - 1) % k_lags]; before.mid != 0) {
            now.news = now.value - before.value;
            now.mid_before = before.mid;
        }
        const std::size_t lags = std::min(looks_, k_lags);
        for (std::size_t lag = 0; lag <= lags; ++lag) {
            const Look& then = lag == 0 ? now : last_[(looks_ - lag) % k_lags];
            lags_[lag].error_left += then.error * (now.mid - then.value);
            lags_[lag].error += then.error * then.error;
            lags_[lag].arrived += then.news * (now.mid - then.mid_before);
            lags_[lag].news += then.news * then.news;
        }
    }
    last_[looks_ % k_lags] = now;
    ++looks_;
}

// The value changed at any time between two looks, on average half a step before the second.
std::optional<double> ValueError::half_life() const {
    double age = 0;
    double left = 1;
    for (std::size_t lag = 0; lag <= k_lags && lags_[lag].news > 0; ++lag) {
        const double age_now = static_cast<double>(lag) + 0.5;
        const double left_now = 1 - lags_[lag].arrived / lags_[lag].news;
        if (left_now <= 0.5) return age + (age_now - age) * (left - 0.5) / (left - left_now);
        age = age_now;
        left = left_now;
    }
    return std::nullopt;
}

void ValueError::finish(Timestamp end, measures::Results& results) {
    look_until(end);
    results.add("value_error_bp", "bp", std::sqrt(error_bp_.mean_square()), error_bp_.count());
    constexpr std::size_t k_a_second = 1'000'000'000 / k_step_ns;
    for (const std::size_t s : k_horizons_s)
        if (const Lag& lag = lags_[s * k_a_second]; lag.error > 0)
            results.add("value_error_left_" + std::to_string(s) + "s", "1",
                        lag.error_left / lag.error, measured_);
    if (const auto steps = half_life())
        results.add("news_half_life", "s", *steps * k_step_ns * 1e-9, measured_);
}

}  // namespace damrak::market_runs::detail
