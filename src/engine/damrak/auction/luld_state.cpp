#include <damrak/auction/luld_state.hpp>

#include <algorithm>

#include <damrak/auction/rounding.hpp>

namespace damrak::auction {

namespace {

std::optional<Side> side_at_limit(const BestQuotes& quotes, PriceRange bands) {
    const bool crossed = quotes.bid && quotes.offer && *quotes.bid > *quotes.offer;
    if (crossed) return std::nullopt;
    if (quotes.bid == bands.high) return Side::buy;
    if (quotes.offer == bands.low) return Side::sell;
    return std::nullopt;
}

bool outside(const BestQuotes& quotes, PriceRange bands) {
    return (quotes.bid && *quotes.bid < bands.low) || (quotes.offer && *quotes.offer > bands.high);
}

bool in_pause(LuldPhase phase) { return phase >= LuldPhase::paused; }

Price reference_of(std::optional<Side> limit_side, PriceRange bands) {
    if (limit_side) return *limit_side == Side::buy ? bands.high : bands.low;
    return Price{quotient(Wide{bands.low.value} + bands.high.value, 2, Rounding::nearest)};
}

}  // namespace

void LuldState::on_quotes(Timestamp now, const BestQuotes& quotes, PriceRange bands) {
    on_time(now);
    if (in_pause(phase_)) return;
    const std::optional<Side> side = side_at_limit(quotes, bands);
    if (side) {
        // The other side at its limit is a limit state of its own, with its own 15 seconds.
        if (phase_ != LuldPhase::limit || side != limit_side_)
            set(LuldPhase::limit, now + terms_.limit_state);
    } else {
        set(outside(quotes, bands) ? LuldPhase::straddle : LuldPhase::normal, std::nullopt);
    }
    limit_side_ = side;
}

void LuldState::on_time(Timestamp now) {
    if (phase_ == LuldPhase::limit && *due_ <= now) pause(*due_);
    if (phase_ == LuldPhase::paused && *due_ <= now) set(LuldPhase::reopening, std::nullopt);
}

void LuldState::pause(Timestamp now) {
    const Timestamp end = now + terms_.pause;
    if (end >= close_ - terms_.closing_before_close)
        set(LuldPhase::until_close, std::nullopt);
    else
        set(LuldPhase::paused, end);
}

ReopeningCollar::ReopeningCollar(const Terms& terms, std::optional<Side> limit_side,
                                 PriceRange bands)
    : ReopeningCollar(terms, reference_of(limit_side, bands), bands) {
    if (limit_side) extend(limit_side);
}

ReopeningCollar::ReopeningCollar(const Terms& terms, Price reference, PriceRange range)
    : range_(range), reference_(reference) {
    const std::int64_t tick = terms.tick.value;
    const std::int64_t ticks = quotient(Wide{reference.value} * terms.basis_points,
                                        k_basis_points * tick, Rounding::nearest);
    step_ = reference <= terms.low_price ? terms.low_amount : Price{ticks * tick};
}

void ReopeningCollar::extend(std::optional<Side> surplus) {
    if (surplus != Side::sell) range_.high += step_;
    if (surplus != Side::buy) range_.low = std::max(range_.low - step_, Price{0});
}

}  // namespace damrak::auction
