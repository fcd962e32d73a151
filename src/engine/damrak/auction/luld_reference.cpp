#include <damrak/auction/luld_reference.hpp>

#include <algorithm>
#include <utility>

namespace damrak::auction {

LuldReference::LuldReference(const Terms& terms, Timestamp now, Price reference)
    : terms_(terms), standing_{reference, now} {}

void LuldReference::restart(Timestamp now, Price reference) {
    window_.fill({});
    total_ = {};
    standing_ = {reference, now};
    is_held_ = false;
}

void LuldReference::hold(Standing in_effect) {
    standing_ = in_effect;
    is_held_ = true;
}

void LuldReference::release(Timestamp now) {
    if (!std::exchange(is_held_, false)) return;
    forget_before(second_of(now) - k_window_seconds + 1);
    replace(now);
}

bool LuldReference::on_trade(Timestamp now, Price price) {
    const bool replaced_before = on_time(now);
    const std::int64_t second = second_of(now);
    if (total_.trades == 0) first_second_ = second;
    for (Second* sums : {&at(second), &total_}) {
        sums->sum += price.value;
        ++sums->trades;
    }
    return replace(now) || replaced_before;
}

bool LuldReference::on_time(Timestamp now) {
    if (is_held_) {
        forget_before(second_of(now) - k_window_seconds + 1);
        return false;
    }
    bool replaced = false;
    for (auto next = due(); next && *next <= now; next = due()) {
        forget_before(second_of(*next) - k_window_seconds + 1);
        replaced |= replace(*next);
    }
    return replaced;
}

void LuldReference::forget_before(std::int64_t second) {
    for (; total_.trades > 0 && first_second_ < second; ++first_second_) {
        Second& old = at(first_second_);
        total_.sum -= old.sum;
        total_.trades -= old.trades;
        old = {};
    }
    while (total_.trades > 0 && at(first_second_).trades == 0) ++first_second_;
}

std::optional<Price> LuldReference::pro_forma() const {
    if (total_.trades == 0) return std::nullopt;
    return Price{quotient(total_.sum, total_.trades, Rounding::nearest)};
}

bool LuldReference::differs_enough(Price price) const {
    const Wide difference = Wide{price.value} - standing_.price.value;
    return std::max(difference, -difference) * k_basis_points >=
           Wide{standing_.price.value} * terms_.change_basis_points;
}

bool LuldReference::replace(Timestamp now) {
    const std::optional<Price> mean = pro_forma();
    if (is_held_ || !mean || !differs_enough(*mean)) return false;
    if (now - standing_.since < terms_.minimum_stay) return false;
    standing_ = {*mean, now};
    return true;
}

std::optional<Timestamp> LuldReference::due() const {
    const std::optional<Price> mean = pro_forma();
    if (!mean) return std::nullopt;
    const Timestamp first_leaves = seconds(first_second_ + k_window_seconds);
    if (!differs_enough(*mean)) return first_leaves;
    return std::min(first_leaves, standing_.since + terms_.minimum_stay);
}

}  // namespace damrak::auction
