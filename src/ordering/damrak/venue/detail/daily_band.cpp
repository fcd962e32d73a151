#include <damrak/venue/detail/daily_band.hpp>

#include <algorithm>
#include <cstdint>

#include <damrak/auction/price_range.hpp>
#include <damrak/venue/detail/units.hpp>

namespace damrak::venue::detail {

namespace {

// Zero: none.
Price close_of(const Daily& rules, const InstrumentState& in, std::int64_t unit) {
    if (in.last_trade == 0) return {rules.previous_close / unit};
    const bool had_auction =
        in.last_auction != Price{} && in.last_auction != in.definition().floor();
    if (rules.close == Daily::Close::last_auction && had_auction) return in.last_auction;
    return in.price_of(in.last_trade);
}

auction::Margin margin_at(const Daily& rules, Price close, std::int64_t unit) {
    for (const Daily::Step& step : rules.table)
        if (step.below == 0 || close.value < step.below / unit)
            return {.basis_points = 0, .at_least = Price{step.amount / unit}};
    return {.basis_points = rules.limits.basis_points,
            .at_least = Price{rules.limits.at_least / unit}};
}

}  // namespace

std::optional<Command> next_daily_band(const Daily& rules, const InstrumentState& in) {
    if (!rules.exists()) return std::nullopt;
    const bool is_first = in.daily == DailyBand::none && in.untraded_today();
    if (!is_first && in.daily != DailyBand::past) return std::nullopt;
    const std::int64_t unit = billionths_in_unit(in.definition());
    const Price close = close_of(rules, in, unit);
    if (close == Price{}) return std::nullopt;
    Command command{};
    command.kind = CommandKind::set_price_band;
    command.instrument = in.id();
    command.flags = CommandFlags::k_daily;
    command.price_band.reference = close;
    if (rules.has_limits()) {
        const auction::PriceRange limits = margin_at(rules, close, unit).around(close);
        command.price_band.lower = std::max(limits.low, in.definition().floor() + Price{1});
        command.price_band.upper = limits.high;
    }
    return command;
}

}  // namespace damrak::venue::detail
