#include <damrak/archive/archiver.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <limits>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/std.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/detail/view_depth.hpp>
#include <damrak/archive/heatmap_file.hpp>
#include <damrak/base/helper_pacing.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace {

using namespace std::chrono_literals;

constexpr auto k_look = 1s;           ///< interval of checks for new messages
constexpr auto k_small_block = 1min;  ///< the longest time until a message is in the archive
constexpr auto k_try_again = 5s;      ///< wait after a failure, or without disk space
constexpr std::size_t k_read_bytes = std::size_t{1} << 20U;
/// Messages archived at the end, which takes some tenths of a second; the next start archives the
/// rest.
constexpr std::uint64_t k_most_at_end = 2'000'000;

struct Into {
    DayWriter& writer;
    void on(const auto& message) { writer.add(message); }
};

/// Compares the messages of a day with those of its session.
std::expected<void, std::string> compare(const Day& day,
                                         const std::shared_ptr<const feed::FeedSession>& session) {
    if (day.messages() != session->messages())
        return std::unexpected{
            fmt::format("it has {} messages instead of {}", day.messages(), session->messages())};
    std::vector<std::byte> memory(k_read_bytes);
    feed::FeedReader reader{session, 1};
    std::span<const std::byte> expected;
    DayCursor cursor{day};
    for (;;) {
        const auto block = cursor.next();
        if (!block) return std::unexpected{block.error().text};
        if (!*block) return {};
        for (std::span<const std::byte> left = (*block)->frames; !left.empty();) {
            if (expected.empty()) expected = reader.read(memory);
            const std::size_t both = std::min(left.size(), expected.size());
            if (both == 0 || !std::ranges::equal(left.first(both), expected.first(both)))
                return std::unexpected{
                    fmt::format("the block of message {} differs", (*block)->first_message)};
            left = left.subspan(both);
            expected = expected.subspan(both);
        }
        pause_helper();
    }
}

}  // namespace

Archiver::Archiver(ArchiverConfig config, PresentSession present)
    : config_(std::move(config)), present_(std::move(present)) {}

std::expected<std::unique_ptr<Archiver>, std::string> Archiver::start(ArchiverConfig config,
                                                                      PresentSession present) {
    std::error_code error;
    std::filesystem::create_directories(config.folder, error);
    if (error)
        return std::unexpected{
            fmt::format("{}: cannot make the folder: {}", config.folder, error.message())};
    std::unique_ptr<Archiver> archiver{new Archiver{std::move(config), std::move(present)}};
    archiver->thread_ =
        std::jthread{[raw = archiver.get()](const std::stop_token& stop) { raw->run(stop); }};
    return archiver;
}

Archiver::~Archiver() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

ArchiverState Archiver::state() const {
    return {.messages = messages_.load(),
            .waiting = waiting_.load(),
            .days = days_.load(),
            .waits_for_space = waits_for_space_.load(),
            .is_failing = failing_.load()};
}

void Archiver::run(const std::stop_token& stop) {
    set_helper_share(k_tenth);
    Session seen;
    do {
        seen = archive_all(stop);
    } while (pause(stop, k_look));
    if (present_() != seen) archive_all(stop);  // it began after the last check
}

Archiver::Session Archiver::archive_all(const std::stop_token& stop) {
    const Session present = present_();
    const auto all = feed::FeedSession::all_in(config_.sessions);
    keep_sessions(all);
    for (const feed::FeedSessionId id : all) {
        if (stop.stop_requested()) break;
        // The newest session may just be beginning: its file exists before the feed reports it.
        if (id == all.back()) break;
        if (present != nullptr && present->id() == id) continue;
        if (archived_.contains(id)) {
            remove_session(id);
            continue;
        }
        auto session = feed::FeedSession::open_earlier(config_.sessions, id);
        if (!session) {
            fail(session.error());
            continue;
        }
        if (is_archived(*session))
            remove_session(id);
        else
            archive(*session, stop);
    }
    if (present != nullptr && !is_archived(present)) {
        archive(present, stop);
        return present;
    }
    if (present != nullptr) reached_ = present->shown().record;
    kept_ = has_space() ? reached_ : k_any;
    return present;
}

std::expected<DayWriter, std::string> Archiver::writer_of(const Session& session) {
    const std::filesystem::path file = file_of(session->id());
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown))
        if (auto writer = DayWriter::resume(file);
            writer && (!session->ended() || writer->messages() <= session->messages()))
            return writer;
    auto writer =
        DayWriter::create(file, {.date = session->id().date,
                                 .source = fmt::format("feed session {}", session->id().text()),
                                 .depth = ViewDepth::of(session)});
    if (writer) writer->show();
    return writer;
}

void Archiver::archive(const Session& session, const std::stop_token& stop) {
    const auto try_again_later = [&](const std::string& why) {
        fail(why);
        pause(stop, k_try_again);
    };
    auto writer = writer_of(session);
    if (!writer) return try_again_later(writer.error());
    // After a kill the session may be behind the archive: it then gets the same messages again.
    while (session->messages() < writer->messages())
        if (!pause(stop, k_look) || session->ended()) return;
    feed::FeedReader reader{session, writer->messages() + 1};
    ahead_.clear();
    synced_ = 0;
    auto flushed = std::chrono::steady_clock::now();
    for (;;) {
        const bool ends = session->ended() || present_() != session;
        if (const auto shown = session->shown();
            !ends && (ahead_.empty() || ahead_.back().record != shown.record))
            ahead_.push_back(shown);
        const bool all = add(*writer, reader, stop);
        if (writer->failed()) return try_again_later(writer->close().error());
        if (all && ends && !stop.stop_requested()) return complete(*writer, session, stop);
        const auto now = std::chrono::steady_clock::now();
        if (stop.stop_requested() || now - flushed >= k_small_block) {
            writer->flush();
            flushed = now;
        }
        keep(*writer);
        if (writer->failed()) return try_again_later(writer->close().error());
        show(*writer, *session);
        if (stop.stop_requested()) return;
        pause(stop, all ? std::chrono::milliseconds{k_look} : k_try_again);
    }
}

bool Archiver::add(DayWriter& writer, feed::FeedReader& reader, const std::stop_token& stop) {
    std::vector<std::byte> memory(k_read_bytes);
    Into visitor{writer};
    for (;;) {
        if (!has_space()) return false;
        const std::uint64_t left = reader.messages() + 1 - reader.next();
        if (left == 0) return true;
        if (stop.stop_requested() && left > k_most_at_end) return false;
        const auto frames = reader.read(memory);
        if (frames.empty()) return false;
        static_cast<void>(wire::itch::walk(frames, visitor));
        if (writer.failed()) return false;
        show(writer, reader.session());
        if (!stop.stop_requested()) pause_helper();
    }
}

void Archiver::complete(DayWriter& writer, const Session& session, const std::stop_token& stop) {
    const std::filesystem::path file = file_of(session->id());
    if (const auto closed = writer.close_to_disk(); !closed) return fail(closed.error());
    const auto day = Day::open(file);
    const auto same = day ? compare(*day, session) : std::unexpected{day.error()};
    if (!same) {
        // The file is created again.
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
        return fail(fmt::format("{}: {}", file, same.error()));
    }
    archived_.insert(session->id());
    failing_ = false;
    ++days_;
    show(writer, *session);
    if (present_() == session)
        kept_ = reached_ = session->shown().record;
    else
        remove_session(session->id());
    remove_old_days();
    const auto pictured = HeatmapFile::write(*day, HeatmapFile::path_of(file), [&stop] {
        pause_helper();
        return !stop.stop_requested();
    });
    if (!pictured && !stop.stop_requested()) notice(pictured.error());
}

void Archiver::keep(DayWriter& writer) {
    if (waits_for_space_) {
        kept_ = k_any;
        return;
    }
    std::uint64_t reached = reached_;
    for (; !ahead_.empty() && ahead_.front().messages <= writer.written(); ahead_.pop_front())
        reached = ahead_.front().record;
    if (std::exchange(synced_, writer.written()) != writer.written()) writer.sync();
    if (writer.failed()) return;
    kept_ = reached_ = reached;
    failing_ = false;
    reported_.clear();
}

// Complete days are compared once: a loss of power may leave what only looks complete.
bool Archiver::is_archived(const Session& session) {
    const feed::FeedSessionId id = session->id();
    if (archived_.contains(id)) return true;
    std::error_code unknown;
    if (!std::filesystem::exists(file_of(id), unknown)) return false;
    const auto day = Day::open(file_of(id));
    if (!day || !day->is_complete() || !day->damage().empty() || !compare(*day, session))
        return false;
    archived_.insert(id);
    return true;
}

// Subscribers may read those of the last days again.
void Archiver::keep_sessions(const std::vector<feed::FeedSessionId>& all) {
    std::set<std::int32_t, std::greater<>> dates;
    for (const feed::FeedSessionId id : all) dates.insert(id.date);
    const auto from = std::ranges::next(dates.begin(), config_.keep_sessions, dates.end());
    keeps_from_ =
        from == dates.begin() ? std::numeric_limits<std::int32_t>::max() : *std::prev(from);
}

// The last session stays: its name tells the next start which was the last.
void Archiver::remove_session(feed::FeedSessionId id) const {
    if (id.date >= keeps_from_) return;
    if (feed::FeedSession::last_in(config_.sessions) == id) return;
    std::error_code ignored;
    for (const char* extension : {".itch", ".position"})
        std::filesystem::remove(config_.sessions / (id.text() + extension), ignored);
}

void Archiver::remove_old_days() const {
    if (config_.keep_days == 0) return;
    std::vector<feed::FeedSessionId> days;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator{config_.folder, error})
        if (const auto id = feed::FeedSessionId::parse(entry.path().stem().native());
            id && entry.path().extension() == ".dar")
            days.push_back(*id);
    std::set<std::int32_t> dates;
    for (const feed::FeedSessionId id : days) dates.insert(id.date);
    while (dates.size() > config_.keep_days) dates.erase(dates.begin());
    for (const feed::FeedSessionId id : days)
        if (!dates.contains(id.date))
            for (const char* extension : {".dar", ".events", ".heatmap"})
                std::filesystem::remove(config_.folder / (id.text() + extension), error);
}

bool Archiver::has_space() {
    std::error_code error;
    const auto space = std::filesystem::space(config_.folder, error);
    const bool enough = error || space.available >= config_.free_bytes;
    if (waits_for_space_.exchange(!enough) == enough)
        notice(enough ? "continues: there is space again"
                      : fmt::format("waits: less than {} MiB are free for {}",
                                    config_.free_bytes >> 20U, config_.folder));
    return enough;
}

void Archiver::fail(const std::string& why) {
    failing_ = true;
    kept_ = k_any;
    if (std::exchange(reported_, why) != why) notice(why);
}

void Archiver::notice(const std::string& what) const {
    if (config_.on_notice) config_.on_notice(what);
}

bool Archiver::pause(const std::stop_token& stop, std::chrono::milliseconds length) {
    std::unique_lock lock{mutex_};
    stopped_.wait_for(lock, stop, length, [] { return false; });
    return !stop.stop_requested();
}

void Archiver::show(const DayWriter& writer, const feed::FeedSession& session) {
    const std::uint64_t published = session.messages();
    messages_ = writer.written();
    waiting_ = published - std::min(published, writer.written());
}

}  // namespace damrak::archive
