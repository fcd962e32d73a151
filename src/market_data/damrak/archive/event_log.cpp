#include <damrak/archive/event_log.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/std.h>
#include <unistd.h>
#include <zstd.h>

#include <damrak/archive/checksum.hpp>
#include <damrak/archive/event_file.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/base/helper_pacing.hpp>

namespace damrak::archive {

namespace {

constexpr const char* k_extension = ".events";
constexpr int k_log_compression_level = 1;
constexpr std::size_t k_most_waiting = 32;  ///< batches; then the following thread waits
constexpr std::int64_t k_small_block_ns = 60'000'000'000;
constexpr std::int64_t k_wanted_block_ns = 100'000'000;
constexpr std::size_t k_most_events_of_a_command = 8'192;

/// Days in the folder that have events, newest first.
std::vector<feed::FeedSessionId> days_in(const std::filesystem::path& folder) {
    std::vector<feed::FeedSessionId> days;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator{folder, error})
        if (const auto id = feed::FeedSessionId::parse(entry.path().stem().native());
            id && entry.path().extension() == k_extension)
            days.push_back(*id);
    std::ranges::sort(days, std::greater{});
    return days;
}

bool write_at(int file, std::span<const std::byte> bytes, std::uint64_t offset) {
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(done));
        offset += static_cast<std::uint64_t>(done);
    }
    return true;
}

/// The names in it are on the disk then.
bool sync_folder(const std::filesystem::path& path) {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && ::fsync(folder) == 0;
    if (folder >= 0) ::close(folder);
    return synced;
}

}  // namespace

std::expected<std::unique_ptr<EventLog>, std::string> EventLog::open(Config config) {
    std::error_code error;
    std::filesystem::create_directories(config.folder, error);
    if (error)
        return std::unexpected{
            fmt::format("{}: cannot make the folder: {}", config.folder, error.message())};
    std::unique_ptr<EventLog> log{new EventLog{std::move(config)}};
    if (auto resumed = log->resume(); !resumed) return std::unexpected{std::move(resumed.error())};
    log->batch_.events.reserve(k_block_events + k_most_events_of_a_command);
    log->writer_ =
        std::jthread{[raw = log.get()](const std::stop_token& stop) { raw->write_all(stop); }};
    return log;
}

EventLog::~EventLog() {
    hand_over();
    writer_.request_stop();
    if (writer_.joinable()) writer_.join();
    close_file();
}

std::expected<void, std::string> EventLog::resume() {
    journal_ = config_.journal();
    if (!journal_) return {};
    for (const feed::FeedSessionId day : days_in(config_.folder)) {
        const auto has_events = resume_file(day, *journal_);
        if (!has_events) return std::unexpected{has_events.error()};
        if (*has_events) return {};
    }
    return {};
}

// Cuts off what a kill or a power failure left after the last complete block.
std::expected<bool, std::string> EventLog::resume_file(feed::FeedSessionId day,
                                                       const JournalInstance& journal) {
    const std::filesystem::path path = config_.folder / (day.text() + k_extension);
    auto file = EventFile::open(path);
    std::error_code error;
    if (!file) {
        if (config_.on_notice) config_.on_notice(fmt::format("{}; it is put aside", file.error()));
        std::filesystem::rename(path, std::filesystem::path{path} += ".damaged", error);
        return false;
    }
    if (file->header().journal != journal) return false;
    std::size_t blocks = file->blocks();
    std::uint64_t size = file->whole_bytes();
    const auto is_whole = [&](std::size_t i) {
        return file->block(i).last_record >= file->block(i).first_record && file->read_block(i);
    };
    while (blocks > 0 && !is_whole(blocks - 1)) size = file->block_offset(--blocks);
    std::filesystem::resize_file(path, size, error);
    if (error) return std::unexpected{fmt::format("{}: {}", path, error.message())};
    if (blocks == 0) {
        // Nothing was written yet: all of the journal is wanted, as far as it is there.
        kept_ = 0;
        return false;
    }
    batch_.day = day;
    kept_ = file->block(blocks - 1).last_record;
    return true;
}

std::expected<void, std::string> EventLog::begin(const Engine& engine, std::uint64_t position) {
    engine_ = &engine;
    most_instruments_ = engine.config().maximum_instruments;
    heard_ = position;
    const std::uint64_t kept = kept_.load();
    passed_ = kept == k_any ? position : std::max(kept, position);
    batch_.first_record = passed_ + 1;
    last_ = kept == k_any ? position : kept;
    if (kept < position) missing_ = position - kept;
    if (kept < position && config_.on_notice)
        config_.on_notice(
            fmt::format("the journal has no more records {} to {}: their events are missing",
                        kept + 1, position));
    if ((kept == k_any || kept < position) && config_.session) begin_day(*config_.session);
    return {};
}

// If the journal has lost records that a file has, the log continues in another file.
std::expected<void, std::string> EventLog::go_live(std::uint64_t last) {
    if (passed_ > last) {
        batch_ = {.first_record = last + 1};
        passed_ = last_ = last;
    }
    if (kept_ == k_any || kept_ > last) kept_ = last;
    wants_new_session_ = batch_.day.date == 0;
    return {};
}

void EventLog::on_command(const Command& command, const CommandStamp& stamp) {
    const bool begins_day =
        command.kind == CommandKind::day_opened && stamp.sequence.value > passed_;
    if (begins_day || batch_.events.size() >= k_block_events) hand_over();
    heard_ = stamp.sequence.value;
    if (!begins_day) return;
    begin_day({.date = command.trading_day.date, .number = command.trading_day.feed_session});
}

void EventLog::begin_day(feed::FeedSessionId day) {
    wants_new_session_ = false;
    batch_.day = day;
    for (std::uint32_t id = 1; id <= most_instruments_; ++id) note_instrument({id});
}

void EventLog::note_instrument(InstrumentId id) {
    const InstrumentState* const state = engine_->instrument(id);
    if (state == nullptr) return;
    const InstrumentDefinition& known = state->definition();
    batch_.instruments.push_back(
        {.id = id, .price_decimals = known.price_decimals, .symbol = known.symbol});
}

void EventLog::on_event(const Event& event, const CommandStamp& stamp) {
    if (heard_ <= passed_) return;
    // The begin of a day notes those that were there before it.
    if (event.kind == EventKind::instrument_added && batch_.day.date != 0)
        note_instrument(event.instrument);
    batch_.events.push_back(
        {.record = stamp.sequence.value, .time_ns = stamp.timestamp.value, .event = event});
}

void EventLog::on_turn(std::int64_t now_ns) {
    const std::uint64_t wanted = wanted_.load();
    const std::int64_t pause_ns = wanted == answered_ ? k_small_block_ns : k_wanted_block_ns;
    if (now_ns - handed_ns_ < pause_ns) return;
    handed_ns_ = now_ns;
    hand_over();
    if (wanted != answered_) answer(wanted);
}

void EventLog::answer(std::uint64_t wanted) {
    answered_ = wanted;
    const std::lock_guard lock{mutex_};
    shown_ = wanted;
    needed_ = handed_;
}

bool EventLog::is_written(std::uint64_t wanted) const {
    const std::lock_guard lock{mutex_};
    return shown_ >= wanted && written_ >= needed_;
}

// Batches have complete commands: the last command has ended.
void EventLog::hand_over() {
    if (heard_ <= passed_ || batch_.day.date == 0) return;
    batch_.last_record = passed_ = heard_;
    Batch next{.day = batch_.day, .first_record = heard_ + 1};
    next.events.reserve(k_block_events + k_most_events_of_a_command);
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return waiting_.size() < k_most_waiting; });
    waiting_.push_back(std::exchange(batch_, std::move(next)));
    ++handed_;
    changed_.notify_all();
}

void EventLog::write_all(const std::stop_token& stop) {
    set_helper_share(k_tenth);
    for (;;) {
        Batch batch;
        std::size_t left = 0;
        {
            std::unique_lock lock{mutex_};
            changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
            if (waiting_.empty()) return;
            batch = std::move(waiting_.front());
            waiting_.pop_front();
            left = waiting_.size();
        }
        changed_.notify_all();
        write(batch);
        {
            const std::lock_guard lock{mutex_};
            ++written_;
        }
        // The following thread must not have to wait.
        if (left < k_most_waiting / 2 && !stop.stop_requested()) pause_helper();
    }
}

void EventLog::write(const Batch& batch) {
    auto done = batch.day == day_ ? std::expected<void, std::string>{} : open_file(batch.day);
    if (done) done = append(batch);
    const std::string before = std::exchange(failure_, done ? std::string{} : done.error());
    kept_ = done ? batch.last_record : k_any;
    leaves_out_ = !done;
    if (done) last_ = batch.last_record;
    if (!done) missing_ += batch.last_record - batch.first_record + 1;
    if (config_.on_notice && before.empty() != failure_.empty())
        config_.on_notice(
            done ? fmt::format("events are kept again from record {} on", batch.first_record)
                 : fmt::format("{}: events from record {} on are left out", failure_,
                               batch.first_record));
}

std::expected<void, std::string> EventLog::open_file(feed::FeedSessionId day) {
    close_file();
    const std::filesystem::path path = config_.folder / (day.text() + k_extension);
    // Read once: a restart removes prepared segments while the first blocks are written already.
    if (!journal_) journal_ = config_.journal();
    if (!journal_) return std::unexpected{fmt::format("{}: the journal cannot be read", path)};
    if (const auto there = EventFile::open(path); there && there->header().journal != *journal_) {
        std::error_code error;
        std::filesystem::rename(path, std::filesystem::path{path} += ".earlier", error);
        if (error) return std::unexpected{fmt::format("{}: {}", path, error.message())};
    }
    constexpr mode_t k_owner_only = 0600;
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, k_owner_only);
    const off_t end = file_ < 0 ? -1 : ::lseek(file_, 0, SEEK_END);
    EventFileHeader header{.date = day.date, .feed_session = day.number, .journal = *journal_};
    header.checksum = header_checksum(header);
    const bool is_new = end < static_cast<off_t>(sizeof header);
    if (end < 0 || (is_new && !write_at(file_, bytes_of(header), 0)))
        return std::unexpected{fmt::format("{}: {}", path, std::strerror(errno))};
    size_ = is_new ? sizeof header : static_cast<std::uint64_t>(end);
    if (is_new && !sync_folder(config_.folder))
        return std::unexpected{fmt::format("{}: {}", config_.folder, std::strerror(errno))};
    day_ = day;
    return {};
}

std::expected<void, std::string> EventLog::append(const Batch& batch) {
    std::error_code error;
    const auto space = std::filesystem::space(config_.folder, error);
    if (!error && space.available < config_.free_bytes)
        return std::unexpected{fmt::format("less than {} MiB are free for {}",
                                           config_.free_bytes >> 20U, config_.folder)};
    bytes_.clear();
    // Within a file the numbers of the records show what is missing.
    if (size_ == sizeof(EventFileHeader) && last_ + 1 < batch.first_record)
        put_missing(last_ + 1, batch.first_record - 1);
    if (!batch.instruments.empty())
        put_block({.kind = EventBlockKind::instruments,
                   .count = static_cast<std::uint32_t>(batch.instruments.size()),
                   .first_record = batch.first_record,
                   .last_record = batch.last_record},
                  std::as_bytes(std::span{batch.instruments}));
    // A command may have more events than a block holds.
    std::span<const LoggedEvent> left{batch.events};
    for (; left.size() > k_most_block_events; left = left.subspan(k_most_block_events))
        put_events(left.first(k_most_block_events), batch.first_record, batch.first_record - 1);
    put_events(left, batch.first_record, batch.last_record);
    if (!write_at(file_, bytes_, size_) || ::fdatasync(file_) != 0) {
        const int why = errno;
        static_cast<void>(::ftruncate(file_, static_cast<off_t>(size_)));
        return std::unexpected{fmt::format("{}: {}", config_.folder / (day_.text() + k_extension),
                                           std::strerror(why))};
    }
    size_ += bytes_.size();
    return {};
}

void EventLog::put_events(std::span<const LoggedEvent> events, std::uint64_t first_record,
                          std::uint64_t last_record) {
    EventBlockHeader header{.kind = EventBlockKind::events,
                            .count = static_cast<std::uint32_t>(events.size()),
                            .first_record = first_record,
                            .last_record = last_record};
    if (!events.empty()) {
        header.first_time_ns = events.front().time_ns;
        header.last_time_ns = events.back().time_ns;
    }
    put_block(header, to_event_columns(events));
}

void EventLog::put_missing(std::uint64_t first_record, std::uint64_t last_record) {
    put_block(
        {.kind = EventBlockKind::missing, .first_record = first_record, .last_record = last_record},
        {});
}

void EventLog::put_block(EventBlockHeader header, std::span<const std::byte> bytes) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof header + ZSTD_compressBound(bytes.size()));
    const auto payload = std::span{bytes_}.subspan(at + sizeof header);
    const std::size_t size = bytes.empty()
                                 ? 0
                                 : ZSTD_compress(payload.data(), payload.size(), bytes.data(),
                                                 bytes.size(), k_log_compression_level);
    DAMRAK_ASSERT(ZSTD_isError(size) == 0);
    header.payload_bytes = static_cast<std::uint32_t>(size);
    header.payload_checksum = crc32c(payload.first(size));
    header.checksum = header_checksum(header);
    std::memcpy(bytes_.data() + at, &header, sizeof header);
    bytes_.resize(at + sizeof header + size);
}

void EventLog::close_file() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    day_ = {};
}

}  // namespace damrak::archive
