#include <damrak/exchange/recorded_market.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/engine/engine.hpp>
#include <damrak/exchange/detail/replay_note.hpp>
#include <damrak/exchange/detail/trading_calendar.hpp>
#include <damrak/journal/folder.hpp>
#include <damrak/journal/reader.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/standard_exchange/gateway_settings.hpp>

namespace damrak::exchange {

namespace {

journal::Result<bool> has_journal(const Settings& settings) {
    const auto folder = journal::look_into(journal::real_files(), settings.data);
    if (!folder) return std::unexpected{folder.error()};
    return !folder->segments.empty();
}

// Noon UTC falls on the same date in all zones but the outermost ones.
journal::Result<std::function<Timestamp(std::int32_t)>> midnights_of(const DaySettings& day) {
    auto calendar = TradingCalendar::make(day);
    if (!calendar) return std::unexpected{"day.zone: " + calendar.error()};
    return [calendar = *std::move(calendar)](std::int32_t date) {
        using namespace std::chrono;
        constexpr int k_year = 10'000;
        constexpr int k_month = 100;
        const year_month_day named{year{date / k_year},
                                   month{static_cast<unsigned>(date / k_month % k_month)},
                                   std::chrono::day{static_cast<unsigned>(date % k_month)}};
        const sys_days begin = named.ok() ? sys_days{named} : sys_days{};
        const nanoseconds noon = begin.time_since_epoch() + 12h;
        return calendar.midnight_before({noon.count()});
    };
}

// Removes the market's data, except feeds, archive and telemetry.
journal::Result<void> remove_market(const Settings& settings) {
    journal::FileSystem& files = journal::real_files();
    auto entries = files.list(settings.data);
    if (!entries) return std::unexpected{entries.error()};
    for (const journal::FileSystem::Entry& entry : *entries) {
        if (!entry.name.starts_with("journal-") && !entry.name.starts_with("snapshot-")) continue;
        if (auto removed = files.remove(settings.data / entry.name); !removed) return removed;
    }
    for (const std::string_view name : standard_exchange::k_gateway_folders) {
        const std::filesystem::path folder = settings.data / name;
        std::error_code error;
        std::filesystem::remove_all(folder, error);
        if (error) return std::unexpected{fmt::format("{}: {}", folder.string(), error.message())};
    }
    return {};
}

}  // namespace

journal::Result<void> check_no_recorded_day(const Settings& settings) {
    const auto note = ReplayNote::read(settings.data);
    if (!note) return std::unexpected{note.error()};
    if (!*note) return {};
    const auto found = has_journal(settings);
    if (!found) return std::unexpected{found.error()};
    if (!*found) return {};
    return std::unexpected{fmt::format(
        "{} has the journal of a replayed day: give this market a directory of its own with --data",
        settings.data.string())};
}

journal::Result<void> open_recorded_day(recorded_market::ReplaySettings replay,
                                        Settings& settings) {
    const auto found = has_journal(settings);
    if (!found) return std::unexpected{found.error()};
    const auto noted = ReplayNote::read(settings.data);
    if (!noted) return std::unexpected{noted.error()};
    if (*found && !*noted)
        return std::unexpected{
            fmt::format("{} has the journal of another market: give the replayed day a directory "
                        "of its own with --data",
                        settings.data.string())};
    ReplayNote note = noted->value_or(ReplayNote{});
    if (note.seeking)
        if (auto removed = remove_market(settings); !removed) return removed;
    note.seeking = false;
    if (note.from_ns) {
        replay.window.from_ns = *note.from_ns;
        replay.begins_at_first_trade = false;
    }
    auto midnights = midnights_of(settings.day);
    if (!midnights) return std::unexpected{std::move(midnights.error())};
    auto day = recorded_market::ReplayedDay::open(
        replay, {.folder = settings.data,
                 .participant = ParticipantId{settings.capacity.maximum_participants},
                 .maximum_orders = settings.capacity.maximum_orders,
                 .maximum_instruments = settings.capacity.maximum_instruments,
                 .midnight = *std::move(midnights)});
    if (!day) return std::unexpected{std::move(day.error())};
    use_recorded_day(*std::move(day), settings);
    std::error_code error;
    std::filesystem::create_directories(settings.data, error);
    note.file = settings.replayed->file().string();
    return note.write(settings.data);
}

journal::Result<void> seek_recorded_day(const Settings& settings, std::int64_t from_ns) {
    const ReplayNote note{
        .file = settings.replayed->file().string(), .from_ns = from_ns, .seeking = true};
    return note.write(settings.data);
}

// The commands of a replayed day depend on the day and on their results, so the journal shows how
// far it had come: the commands are played again beside it.
journal::Result<void> resume_recorded_day(const Settings& settings, std::uint64_t last) {
    recorded_market::ReplayedDay& day = *settings.replayed;
    journal::FileSystem& files = journal::real_files();
    const auto folder = journal::look_into(files, settings.data);
    if (!folder) return std::unexpected{folder.error()};
    const auto refuse = [&](std::string_view why) {
        return std::unexpected{fmt::format(
            "{}: the replayed day cannot go on: {}: begin it again in another directory "
            "(--data)",
            settings.data.string(), why)};
    };
    if (folder->segments.empty() || folder->segments.front().header.first_sequence != 1)
        return refuse("the journal's first records are gone (journal.retention_…)");
    auto reader = journal::JournalReader::open(files, settings.data, *folder, 1);
    if (!reader) return std::unexpected{reader.error()};
    Engine engine{folder->segments.front().header.identity.engine};
    for (auto records = reader->next(); !records.empty(); records = reader->next()) {
        for (const journal::Record& record : records) {
            if (record.head.sequence > last || !journal::is_engine_kind(record.head.kind)) continue;
            const Origin origin = journal::origin_of(record.head);
            const bool own = recorded_market::Playback::is_own(origin);
            if (own && !day.replay(record.command, origin))
                return refuse(
                    fmt::format("record {} is not of {} as it is begun now (--replay, "
                                "--from)",
                                record.head.sequence, day.file().string()));
            day.note_reached(record.command.timestamp);
            engine.apply(record.command, [&](const Event& event) { day.on_event(event, origin); });
            if (own) day.on_command_end(origin);
        }
    }
    return reader->position() > last ? journal::Result<void>{} : refuse(reader->trouble());
}

void use_recorded_day(std::shared_ptr<recorded_market::ReplayedDay> day, Settings& settings) {
    std::vector<InstrumentSettings> instruments;
    for (const archive::Instrument& one : day->instruments()) {
        InstrumentSettings listed;
        listed.definition.id = InstrumentId{one.locate};
        listed.definition.symbol = Symbol::of(one.symbol);
        listed.definition.tick_bands[0].tick_size = Price{1};  // as fine as recordings are
        instruments.push_back(std::move(listed));
    }
    settings.instruments = std::move(instruments);
    ParticipantSettings recording;
    recording.id = day->participant();
    recording.name = "recording";
    settings.participants.push_back(std::move(recording));
    settings.replayed = std::move(day);
}

}  // namespace damrak::exchange
