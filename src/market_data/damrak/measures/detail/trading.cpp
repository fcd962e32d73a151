#include <damrak/measures/detail/trading.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace damrak::measures {
namespace {

void report_signs(Results& results, const std::string& name, const Autocorrelation& signs) {
    for (std::size_t i = 0; i < signs.lags().size(); ++i)
        if (signs.of(i).has_correlation())
            results.add(name + std::to_string(signs.lags()[i]), "1", signs.of(i).correlation(),
                        signs.of(i).count());
}

}  // namespace

void RollSpread::trade(double price) {
    prices_.add(price);
    const double change = price - last_price_;
    if (trades_ >= 2) {
        pairs_.add(last_change_, change);
        block_pairs_.add(last_change_, change);
    }
    last_change_ = change;
    last_price_ = price;
    if (++trades_ % block_ != 0) return;
    ++blocks_;
    if (block_pairs_.covariance() >= 0) ++undefined_;
    block_pairs_ = {};
}

void UncertaintyZones::trade(std::int64_t price) {
    if (last_price_ != 0 && price != last_price_) {
        const int direction = price > last_price_ ? 1 : -1;
        if (last_direction_ != 0) ++(direction == last_direction_ ? continuations_ : alternations_);
        last_direction_ = direction;
    }
    last_price_ = price;
}

void Vpin::trade(const PublicTrade& trade) {
    for (std::int64_t left = trade.quantity.value; left > 0;) {
        const std::int64_t part = std::min(left, bucket_ - filled_);
        filled_ += part;
        signed_ += trade.sign() * part;
        left -= part;
        if (filled_ < bucket_) return;
        buckets_.add(static_cast<double>(std::abs(signed_)) / static_cast<double>(bucket_));
        filled_ = 0;
        signed_ = 0;
    }
}

double order_flow_of(const Top& before, const Top& after) {
    std::int64_t flow = 0;
    if (after.bid >= before.bid) flow += after.bid_quantity.value;
    if (after.bid <= before.bid) flow -= before.bid_quantity.value;
    if (after.ask <= before.ask) flow -= after.ask_quantity.value;
    if (after.ask >= before.ask) flow += before.ask_quantity.value;
    return static_cast<double>(flow);
}

void PriceEffects::trade(const PublicTrade& trade) {
    const auto volume = static_cast<double>(trade.quantity.value);
    minute_.flow += static_cast<double>(trade.sign()) * volume;
    minute_.value += volume * static_cast<double>(trade.price.value);
    roll_.trade(static_cast<double>(trade.price.value));
    zones_.trade(trade.price.value);
    vpin_.trade(trade);
    signs_.add(static_cast<double>(trade.sign()));
    // Trades of one time stamp are one, whose sign is that of the larger volume.
    if (merged_volume_ != 0 && trade.time != merged_time_) {
        merged_signs_.add(merged_volume_ > 0 ? 1 : -1);
        merged_volume_ = 0;
    }
    merged_time_ = trade.time;
    merged_volume_ += trade.sign() * trade.quantity.value;
}

void PriceEffects::step(const Top& before, const Top& after) {
    if (before.has_both() && after.has_both()) ofi_.flow += order_flow_of(before, after);
}

void PriceEffects::Window::restart(const Top& top, Timestamp until) {
    end_ns = until.value - until.value % length_ns + length_ns;
    begin = top;
    flow = 0;
    value = 0;
}

void PriceEffects::settle(const Top& top, Timestamp until) {
    if (minute_.end_ns == 0) minute_.restart(top, until);
    if (ofi_.end_ns == 0) ofi_.restart(top, until);
    while (minute_.end_ns <= until.value) {
        const Timestamp end{minute_.end_ns};
        close_minute(top);
        minute_.restart(top, end);
    }
    while (ofi_.end_ns <= until.value) {
        const Timestamp end{ofi_.end_ns};
        close_ofi(top);
        ofi_.restart(top, end);
    }
}

void PriceEffects::close_minute(const Top& top) {
    if (!minute_.begin.has_both() || !top.has_both()) return;
    const double change = top.mid() - minute_.begin.mid();
    kyle_.add(minute_.flow, change);
    if (minute_.value > 0 && minute_.begin.mid() > 0)
        amihud_.add(std::abs(change) / minute_.begin.mid() / minute_.value);
}

void PriceEffects::close_ofi(const Top& top) {
    if (!ofi_.begin.has_both() || !top.has_both()) return;
    ofi_regression_.add(ofi_.flow, top.mid() - ofi_.begin.mid());
}

void PriceEffects::report_roll(Results& results) const {
    if (roll_.has_value()) {
        results.add("roll_spread", "price units", roll_.spread(), roll_.pairs());
        results.add("roll_spread_currency", "currency", roll_.spread() / currency_, roll_.pairs());
        if (roll_.mean_price() > 0)
            results.add("roll_spread_bp", "bp", 1e4 * roll_.spread() / roll_.mean_price(),
                        roll_.pairs());
    }
    if (roll_.blocks() > 0)
        results.add("roll_undefined", "share",
                    static_cast<double>(roll_.undefined()) / static_cast<double>(roll_.blocks()),
                    roll_.blocks());
}

void PriceEffects::report(Results& results) const {
    if (kyle_.has_slope())
        results.add("kyle_lambda", "price units/share", kyle_.slope(), kyle_.count());
    results.add("amihud", "1/price unit share", amihud_.mean(), amihud_.count());
    report_roll(results);
    if (zones_.has_value()) results.add("uncertainty_zones_eta", "1", zones_.eta(), zones_.count());
    results.add("vpin", "1", vpin_.buckets().mean(), vpin_.buckets().count());
    if (ofi_regression_.has_correlation()) {
        results.add("ofi_slope", "price units/share", ofi_regression_.slope(),
                    ofi_regression_.count());
        results.add("ofi_r_squared", "1", ofi_regression_.r_squared(), ofi_regression_.count());
    }
    report_signs(results, "sign_autocorrelation_", signs_);
    Autocorrelation merged = merged_signs_;
    if (merged_volume_ != 0) merged.add(merged_volume_ > 0 ? 1 : -1);
    report_signs(results, "merged_sign_autocorrelation_", merged);
}

}  // namespace damrak::measures
