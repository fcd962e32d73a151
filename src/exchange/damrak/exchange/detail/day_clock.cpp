#include <damrak/exchange/detail/day_clock.hpp>

#include <algorithm>
#include <cstdint>

namespace damrak::exchange {

namespace {

Command command_of(CommandKind kind, TradingDay day) {
    Command command{};
    command.kind = kind;
    command.trading_day = day;
    return command;
}

Command end_of_all() {
    Command command{};
    command.kind = CommandKind::end_day;
    command.flags = CommandFlags::k_all_of_anonymous;
    return command;
}

}  // namespace

std::vector<Command> DayClock::change(Timestamp now) {
    const TradingCalendar::Day today = calendar_.day_at(now);
    const bool is_open = today.contains(now);
    next_ = is_open ? today.end : today.begin;
    // Setting the clock back does not reopen a day that has ended.
    if (today.date < day_.date) return {};
    std::vector<Command> due;
    if (day_.is_open != 0 && !(is_open && today.date == day_.date)) {
        day_.is_open = 0;
        due.push_back(end_of_all());
        due.push_back(command_of(CommandKind::day_closed, day_));
    }
    if (is_open && (day_.is_open == 0 || renews_)) {
        const auto next_to = [&](TradingDay earlier) {
            return earlier.date == today.date ? earlier.feed_session + 1 : 0;
        };
        const int number = std::max(next_to(day_), next_to(published_));
        day_ = {
            .date = today.date, .feed_session = static_cast<std::uint16_t>(number), .is_open = 1};
        due.push_back(command_of(CommandKind::day_opened, day_));
    }
    renews_ = false;
    return due;
}

}  // namespace damrak::exchange
