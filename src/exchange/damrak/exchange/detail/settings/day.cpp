#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <damrak/base/time_of_day.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/exchange/detail/settings/sections.hpp>
#include <damrak/feed/line_faults.hpp>
#include <damrak/net/address.hpp>

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
    rows.section("feed");
    constexpr std::int64_t k_most_delay_us = 1'000'000;
    rows.number("mold_delay_us", &Settings::mold_delay_us, 0, k_most_delay_us,
                "microseconds that a message of the MoldUDP64 feed waits for others to share its "
                "packet");
    const auto hosts = [](const std::string& text) {
        const auto parsed = net::parse_hosts_and_ports(text);
        return parsed ? std::string{} : parsed.error();
    };
    rows.text("mold_unicast_a", &Settings::mold_unicast_a,
              "unicast receivers of MoldUDP64 line A: HOST:PORT, with commas between them")
        .checked(hosts);
    rows.text("mold_unicast_b", &Settings::mold_unicast_b, "likewise of line B").checked(hosts);
    rows.text("faults", &Settings::feed_faults,
              "faults of the MoldUDP64 lines, to test receivers: line=A,loss=0.01,duplicate=0.01,"
              "reorder=0.01,gap=0.001,delay=5,seed=7 (delay in milliseconds); empty: none")
        .by_flag("--feed-faults")
        .checked([](const std::string& text) {
            const auto faults = feed::LineFaults::parse(text);
            return text.empty() || faults ? std::string{} : faults.error();
        });
    rows.truth("new_session", &Settings::new_feed_session,
               "begin a new feed session of the day, whose messages count from 1")
        .by_flag("--new-feed-session")
        .by_flag_only();
    rows.section("archive");
    rows.truth("enabled", at(&Settings::archive, &ArchiveSettings::enabled),
               "archive each trading day of the ITCH feed in DATA/archive");
    rows.number("days", at(&Settings::archive, &ArchiveSettings::days), 0, 100'000,
                "trading days to keep, the present one included; 0: all");
    rows.number("free_mib", at(&Settings::archive, &ArchiveSettings::free_mib), 0, k_most_uint32,
                "MiB of disk that stay free: with less, archiving waits");
}

}  // namespace damrak::exchange
