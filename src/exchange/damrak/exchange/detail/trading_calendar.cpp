#include <damrak/exchange/detail/trading_calendar.hpp>

#include <chrono>
#include <utility>

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
    auto days = LocalDays::make(settings.zone);
    if (!days) return std::unexpected{std::move(days.error())};
    return TradingCalendar{*std::move(days), settings.begin_ns, settings.end_ns};
}

TradingCalendar::Day TradingCalendar::day_at(Timestamp time) const {
    const std::int64_t evening_before = end_ns_ <= begin_ns_ ? 1 : 0;
    std::int64_t day = days_.day_of(time.value);
    while (days_.at(day, end_ns_) <= time.value) ++day;
    return {.date = date_of(day),
            .begin = {days_.at(day - evening_before, begin_ns_)},
            .end = {days_.at(day, end_ns_)}};
}

Timestamp TradingCalendar::midnight_before(Timestamp time) const {
    return {days_.at(days_.day_of(time.value), 0)};
}

}  // namespace damrak::exchange
