#include <damrak/venue/detail/index_breaker.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <damrak/venue/detail/units.hpp>

namespace damrak::venue::detail {

namespace {

using auction::Wide;

auction::MarketBreaker::Terms terms_of(const BreakerRule& rules) {
    return {.fall_basis_points = rules.fall_basis_points,
            .halt = {rules.halt_ns},
            .quiet_before_close = {rules.quiet_before_close_ns}};
}

}  // namespace

IndexBreaker::IndexBreaker(const BreakerRule& rules, const MarketHours& hours, Timestamp now)
    : rules_(&rules),
      hours_(&hours),
      missing_(rules.index.size()),
      next_opening_(hours.next_opening(now)) {
    if (rules.previous_close != 0) begin_day(rules.previous_close, now);
}

void IndexBreaker::begin_day(Wide last_close, Timestamp now) {
    breaker_.emplace(terms_of(*rules_), last_close, hours_->close(now));
    has_new_levels_ = true;
}

IndexBreaker::Part* IndexBreaker::find(InstrumentId instrument) {
    const auto found = std::ranges::find(parts_, instrument, &Part::instrument);
    return found == parts_.end() ? nullptr : &*found;
}

void IndexBreaker::add(const InstrumentDefinition& definition, Price last) {
    const auto named =
        std::ranges::find(rules_->index, definition.symbol.view(), &BreakerRule::Part::symbol);
    const bool is_part = named != rules_->index.end();
    if (!is_part && !rules_->index.empty()) return;
    if (!is_part) ++missing_;
    const Wide weight = is_part ? named->weight : 1;
    parts_.push_back(
        {.instrument = definition.id, .scale = weight * billionths_in_unit(definition)});
    if (last != Price{}) on_price(definition.id, last);
}

void IndexBreaker::on_price(InstrumentId instrument, Price price) {
    Part* const part = find(instrument);
    if (part == nullptr) return;
    if (part->last == Price{}) --missing_;
    value_ += part->scale * (price - part->last).value;
    part->last = price;
}

void IndexBreaker::on_close(InstrumentId instrument) {
    if (Part* const part = find(instrument)) part->close = part->last;
}

void IndexBreaker::restore(Timestamp now, std::optional<Timestamp> halted_since,
                           std::optional<Timestamp> closed_since) {
    if (!is_complete()) return;
    const bool day_is_over = closed_since && hours_->next_opening(*closed_since) <= now;
    if (!breaker_ || day_is_over) begin_day(value_, now);
    breaker_->restore(value_);
    if (halted_since) breaker_->restore_halt(*halted_since);
    if (closed_since && !day_is_over) breaker_->restore_close();
}

std::optional<int> IndexBreaker::look(Timestamp now) {
    if (!is_complete()) return std::nullopt;
    if (!breaker_) begin_day(value_, now);
    return breaker_->on_index(now, value_);
}

void IndexBreaker::on_time(Timestamp now) {
    if (breaker_) breaker_->on_time(now);
    if (now < next_opening_) return;
    next_opening_ = hours_->next_opening(now);
    Wide close = 0;
    for (const Part& part : parts_)
        close += part.scale * (part.close != Price{} ? part.close : part.last).value;
    if (is_complete()) begin_day(close, now);
}

std::optional<BreakerLevels> IndexBreaker::take_levels() {
    if (!std::exchange(has_new_levels_, false)) return std::nullopt;
    constexpr Wide k_billionths = 10;  // in a unit of the levels
    constexpr Wide k_most = std::numeric_limits<std::int64_t>::max();
    BreakerLevels told;
    auto* next = told.levels.begin();
    for (const Wide level : breaker_->levels())
        *next++ = static_cast<std::int64_t>(std::min(level / k_billionths, k_most));
    return told;
}

Timestamp IndexBreaker::next() const {
    return std::min(next_opening_,
                    breaker_ ? breaker_->due().value_or(next_opening_) : next_opening_);
}

}  // namespace damrak::venue::detail
