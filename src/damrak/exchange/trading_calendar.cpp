#include <damrak/exchange/trading_calendar.hpp>

#include <chrono>
#include <utility>

#include <damrak/base/time_units.hpp>

namespace damrak::exchange {

namespace {

std::int32_t date_of(std::int64_t local_day) {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{local_day}}};
    return static_cast<int>(date.year()) * 10'000 +
           static_cast<std::int32_t>(static_cast<unsigned>(date.month())) * 100 +
           static_cast<std::int32_t>(static_cast<unsigned>(date.day()));
}

}  // namespace

std::expected<TradingCalendar, std::string> TradingCalendar::make(const DaySettings& settings) {
    if (settings.zone == "UTC") return TradingCalendar{nullptr, settings.begin_ns, settings.end_ns};
    auto zone = TimeZone::find(settings.zone);
    if (!zone) return std::unexpected{std::move(zone.error())};
    return TradingCalendar{*std::move(zone), settings.begin_ns, settings.end_ns};
}

std::int64_t TradingCalendar::local_day(Timestamp time) const {
    const std::int64_t local = zone_ == nullptr ? time.value : zone_->local_of(time.value);
    return (local - (local % k_day_ns + k_day_ns) % k_day_ns) / k_day_ns;
}

Timestamp TradingCalendar::at(std::int64_t local_day, std::int64_t after_midnight_ns) const {
    const std::int64_t local = local_day * k_day_ns + after_midnight_ns;
    return {zone_ == nullptr ? local : zone_->utc_of(local)};
}

TradingCalendar::Day TradingCalendar::day_at(Timestamp time) const {
    const std::int64_t evening_before = end_ns_ <= begin_ns_ ? 1 : 0;
    std::int64_t day = local_day(time);
    while (at(day, end_ns_) <= time) ++day;
    return {.date = date_of(day),
            .begin = at(day - evening_before, begin_ns_),
            .end = at(day, end_ns_)};
}

Timestamp TradingCalendar::midnight_before(Timestamp time) const { return at(local_day(time), 0); }

}  // namespace damrak::exchange
