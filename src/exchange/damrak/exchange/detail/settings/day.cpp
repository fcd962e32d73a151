#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <damrak/base/time_of_day.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/exchange/detail/settings/sections.hpp>
#include <damrak/exchange/detail/trading_calendar.hpp>

namespace damrak::exchange {

namespace {

std::string written(std::int64_t after_midnight_ns) {
    const std::int64_t seconds = after_midnight_ns / k_second_ns;
    const std::int64_t rest = after_midnight_ns % k_second_ns;
    const std::string time =
        fmt::format("{:02}:{:02}:{:02}", seconds / 3'600, seconds / 60 % 60, seconds % 60);
    return rest == 0 ? time : fmt::format("{}.{:09}", time, rest);
}

void add_time(Rows<Settings>& rows, std::string_view name, std::int64_t DaySettings::* member,
              std::string help) {
    rows.custom(
        SettingKind::text, name,
        [member](const Settings& owner) -> SettingValue { return written(owner.day.*member); },
        [member](Settings& owner, const SettingValue& value) {
            const auto& text = std::get<std::string>(value);
            const auto time = parse_time_of_day(text);
            if (!time)
                return fmt::format("'{}' is no time of day: write it like 09:30 or 17:30:00", text);
            owner.day.*member = *time;
            return std::string{};
        },
        std::move(help));
}

}  // namespace

void add_day(Rows<Settings>& rows) {
    rows.section("day");
    rows.text("zone", at(&Settings::day, &DaySettings::zone),
              "IANA time zone of the trading day, such as Europe/Amsterdam")
        .checked([](const std::string& name) {
            const auto calendar = TradingCalendar::make({.zone = name});
            return calendar ? std::string{} : calendar.error();
        });
    add_time(rows, "begin", &DaySettings::begin_ns,
             "local time at which a trading day begins, such as 09:30");
    add_time(rows, "end", &DaySettings::end_ns,
             "local time at which it ends and day orders expire; not later than the begin: the "
             "next day");
}

}  // namespace damrak::exchange
