#include <damrak/recorded_market/replayed_day.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_cursor.hpp>

namespace damrak::recorded_market {

namespace {

/// As far as the headers of its blocks say: a damaged payload shows when it is played.
archive::Result<void> has_all(const archive::Day& day, const Window& window) {
    archive::DayCursor cursor{
        day, {.from_ns = window.from_ns, .until_ns = window.until_ns, .headers_only = true}};
    for (;;) {
        const auto block = cursor.next();
        if (!block)
            return std::unexpected{
                fmt::format("{}; --partial replays what is before", block.error().text)};
        if (!*block) return {};
    }
}

/// Nothing if there is none, or it lies behind what is missing.
std::optional<std::int64_t> first_trade_ns(const archive::Day& day) {
    std::optional<std::int64_t> time_ns;
    archive::DayCursor cursor{day};
    static_cast<void>(archive::read_messages(cursor, [&](std::uint64_t, const auto& message) {
        if constexpr (requires { message.match_number; }) time_ns = message.timestamp_ns;
        return !time_ns;
    }));
    return time_ns;
}

}  // namespace

archive::Result<std::shared_ptr<ReplayedDay>> ReplayedDay::open(const ReplaySettings& wanted,
                                                                const ReplayRoom& room) {
    ReplaySettings settings = wanted;
    auto found =
        day_to_replay(settings.file, room.folder, settings.trust_messages, settings.modification);
    if (!found) return std::unexpected{std::move(found.error())};
    const std::filesystem::path& file = found->file;
    auto opened = archive::Day::open(file);
    if (!opened) return std::unexpected{std::move(opened.error())};
    auto day = std::make_unique<archive::Day>(*std::move(opened));
    if (day->messages() == 0)
        return std::unexpected{fmt::format("{}: the day has no messages", file.string())};
    if (settings.begins_at_first_trade && settings.window.from_ns == 0 && day->date() == 0)
        settings.window.from_ns = std::max<std::int64_t>(first_trade_ns(*day).value_or(1) - 1, 0);
    if (settings.window.from_ns == 0) settings.window.from_ns = day->depth().book_from_ns;
    if (std::string why = archive::why_not_known(day->depth(), settings.window.from_ns);
        !why.empty())
        return std::unexpected{fmt::format("{}: {}", file.string(), why)};
    settings.window.until_ns = std::min(settings.window.until_ns, day->depth().book_until_ns);
    if (!settings.takes_a_part)
        if (auto whole = has_all(*day, settings.window); !whole)
            return std::unexpected{std::move(whole.error())};
    for (const archive::Instrument& one : day->instruments())
        if (one.locate == 0 || one.locate > room.maximum_instruments)
            return std::unexpected{
                fmt::format("{}: {} has locate code {}, and there is room for {} instruments: give "
                            "capacity.max_instruments",
                            file.string(), one.symbol, one.locate, room.maximum_instruments)};
    auto messages = RecordedMessages::make(*day, settings.window);
    if (!messages) return std::unexpected{std::move(messages.error())};
    return std::shared_ptr<ReplayedDay>{
        new ReplayedDay{*std::move(found), std::move(day), *std::move(messages), settings, room}};
}

ReplayedDay::ReplayedDay(DayToReplay file, std::unique_ptr<archive::Day> day,
                         RecordedMessages messages, const ReplaySettings& settings,
                         const ReplayRoom& room)
    : file_(std::move(file.file)),
      changes_(std::move(file.changes)),
      day_(std::move(day)),
      instruments_(day_->instruments()),
      begin_ns_(settings.window.from_ns),
      end_ns_(std::min(settings.window.until_ns,
                       std::max(day_->last_time_ns(), settings.window.from_ns))),
      midnight_(room.midnight(day_->date())),
      playback_(std::move(messages), room.participant, room.maximum_orders,
                room.maximum_instruments),
      schedule_(std::max(settings.window.from_ns, day_->first_time_ns())),
      time_ns_(std::max(settings.window.from_ns, day_->first_time_ns())),
      speed_(settings.speed),
      paused_(settings.paused),
      has_first_books_(begin_ns_ > 0) {
    clock_.set(at(time_ns_));
    playback_.drift().set_time(time_ns_);
}

void ReplayedDay::advance_to(std::int64_t time_ns) {
    if (time_ns <= time_ns_.load(std::memory_order_relaxed)) return;
    time_ns_.store(time_ns, std::memory_order_relaxed);
    clock_.set(at(time_ns));
    playback_.drift().set_time(time_ns);
}

bool ReplayedDay::replay(const Command& command, const Origin& origin) {
    const auto due = playback_.next(std::numeric_limits<std::int64_t>::max());
    if (!due) return false;
    const Command& own = due->command;
    if (own.kind != command.kind || own.instrument != command.instrument ||
        own.side != command.side || own.order_id != command.order_id ||
        own.price != command.price || own.quantity != command.quantity ||
        Playback::origin_of(*due) != origin)
        return false;
    return true;
}

void ReplayedDay::note_reached(Timestamp time) {
    advance_to(time.value - midnight_.value);
    schedule_.note(time_ns_.load(std::memory_order_relaxed));
}

// The market's time is the schedule's time, as far as the recording has been played. At the end it
// stops.
void ReplayedDay::end_turn(std::int64_t due_ns) {
    const auto next_ns = playback_.next_time_ns();
    has_first_books_ = has_first_books_ && next_ns && *next_ns <= begin_ns_;
    advance_to(std::min({due_ns, next_ns.value_or(end_ns_), end_ns_}));
    schedule_.note(time_ns_.load(std::memory_order_relaxed));
    if (!next_ns && due_ns >= end_ns_ && playback_.is_over())
        over_.store(true, std::memory_order_relaxed);
}

int ReplayedDay::patience_ms(int wait_ms) const {
    if (has_first_books_) return 0;
    if (paused_.load(std::memory_order_relaxed) || over_.load(std::memory_order_relaxed))
        return wait_ms;
    return speed_.load(std::memory_order_relaxed) == k_fastest ? 0 : std::min(wait_ms, 1);
}

ReplayStatus ReplayedDay::status() const {
    const std::int64_t time_ns = time_ns_.load(std::memory_order_relaxed);
    const std::int64_t sought_ns = sought_ns_.load(std::memory_order_relaxed);
    return {.time = at(time_ns),
            .time_ns = time_ns,
            .speed = speed_.load(std::memory_order_relaxed),
            .paused = paused_.load(std::memory_order_relaxed),
            .over = over_.load(std::memory_order_relaxed),
            .sought_ns = sought_ns == k_not_sought ? std::nullopt : std::optional{sought_ns}};
}

archive::Result<double> parse_speed(const std::string& text) {
    if (text == "max") return k_fastest;
    double speed = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, speed);
    if (error != std::errc{} || at != end || !(speed > 0) || speed > k_highest_speed)
        return std::unexpected{fmt::format(
            "expected a speed above 0 up to {:.0f}, or max; found '{}'", k_highest_speed, text)};
    return speed;
}

}  // namespace damrak::recorded_market
