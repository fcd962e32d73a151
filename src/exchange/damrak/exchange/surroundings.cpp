#include <damrak/exchange/surroundings.hpp>

#include <cstdlib>
#include <ctime>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <damrak/base/time_units.hpp>
#include <damrak/exchange/system_time.hpp>

namespace damrak::exchange {

namespace {

double seconds(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

// A clock that cannot be set and that runs while the machine sleeps.
std::int64_t machine_time_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return std::int64_t{time.tv_sec} * k_second_ns + time.tv_nsec;
}

std::string utc(Timestamp time) {
    return fmt::format("{:%F %T} UTC", fmt::gmtime(std::time_t{time.value / k_second_ns}));
}

}  // namespace

Surroundings::Surroundings(const Exchange& exchange)
    : exchange_(&exchange),
      notices_(exchange.settings().on_notice),
      clock_(system_time().value, machine_time_ns()) {}

void Surroundings::look() {
    look_at_clock();
    look_at_disk();
}

void Surroundings::look_at_clock() {
    // Read first: unless a clock was set, later readings cannot be earlier than it.
    const Timestamp last = exchange_->follower().last_stamp();
    const std::int64_t before_ns = machine_time_ns();
    const std::int64_t system_ns = system_time().value;
    constexpr std::int64_t k_both_at_once_ns = 10'000'000;
    if (machine_time_ns() - before_ns > k_both_at_once_ns) return;  // interrupted meanwhile
    const auto found =
        clock_.look({.system_ns = system_ns, .steady_ns = before_ns, .last_stamp_ns = last.value});
    if (found.set_ns != 0)
        notices_.say("clock        the system clock was set {} by {:.3f} s",
                     found.set_ns < 0 ? "back" : "ahead", seconds(std::abs(found.set_ns)));
    if (found.stands_still)
        notices_.say(
            "clock        the system clock is {:.3f} s behind the last record: until it has "
            "caught up, all commands carry the time of that record",
            seconds(clock_.behind_ns()));
    if (found.goes_on)
        notices_.say("clock        the system's clock has caught up with the last record");
}

void Surroundings::look_at_disk() {
    const journal::JournalWriter& writer = exchange_->journal().writer();
    const bool out_of_room = writer.out_of_room();
    if (out_of_room == out_of_room_) return;
    out_of_room_ = out_of_room;
    if (out_of_room)
        notices_.say(
            "disk         {}: trading stops when the journal segment is full; retrying "
            "every second",
            writer.refusal());
    else
        notices_.say("disk         the journal has space again");
}

std::string Surroundings::warning() const {
    if (clock_.stands_still())
        return fmt::format("the system clock is {:.3f} s behind the last record",
                           seconds(clock_.behind_ns()));
    if (std::abs(clock_.set_ns()) >= k_second_ns)
        return fmt::format("the system clock was set by {:+.3f} s since the start",
                           seconds(clock_.set_ns()));
    return {};
}

std::string Surroundings::metrics() const {
    std::string out;
    const auto one = [&out](std::string_view name, std::string_view type, std::string_view help,
                            auto value) {
        out += fmt::format("# HELP damrak_{} {}\n# TYPE damrak_{} {}\ndamrak_{} {}\n", name, help,
                           name, type, name, value);
    };
    one("clock_behind_seconds", "gauge",
        "Lag of the system clock behind the last record, whose time commands carry",
        seconds(clock_.behind_ns()));
    one("clock_set_seconds", "gauge",
        "By how much the system clock was set since the start, in all; negative: back",
        seconds(clock_.set_ns()));
    one("clock_set_total", "counter", "How often the system clock was set since the start",
        clock_.times_set());
    return out;
}

journal::Result<void> check_clock(const Settings& settings, Timestamp last, Timestamp now) {
    const auto refuse = [&](std::int64_t by_ns, std::string_view where, std::string_view why,
                            std::string_view setting, std::uint64_t limit) {
        return std::unexpected{fmt::format(
            "the system's clock ({}) is {:.0f} s {} the last record ({}), {}: set the clock, or "
            "give --accept-clock if it is right (journal.{} = {})",
            utc(now), seconds(by_ns), where, utc(last), why, setting, limit)};
    };
    const std::int64_t ahead_ns = now.value - last.value;
    const auto is_over = [](std::int64_t ns, std::uint64_t limit_s) {
        return ns > 0 && static_cast<std::uint64_t>(ns / k_second_ns) >= limit_s &&
               static_cast<std::uint64_t>(ns) > limit_s * k_second_ns;
    };
    if (settings.accept_clock) return {};
    if (is_over(-ahead_ns, settings.clock_behind_s))
        return refuse(-ahead_ns, "behind", "so the exchange's time would stand still that long",
                      "clock_behind_s", settings.clock_behind_s);
    if (is_over(ahead_ns, settings.clock_ahead_s))
        return refuse(ahead_ns, "ahead of", "and if it is wrong, time cannot be set back later",
                      "clock_ahead_s", settings.clock_ahead_s);
    return {};
}

}  // namespace damrak::exchange
