#include <damrak/feed/feed_session.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/std.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/base/crc32c.hpp>
#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::feed {

namespace {

constexpr std::size_t k_length_bytes = 2;
constexpr std::size_t k_read_bytes = std::size_t{1} << 20U;
constexpr std::string_view k_begin_anew =
    "start with --new-feed-session to begin a new feed session";

/// Layout of the position file.
struct SavedPosition {
    FeedSession::Position position;
    std::uint64_t checksum = 0;
};

std::uint64_t checksum_of(const FeedSession::Position& position) {
    return crc32c(std::as_bytes(std::span{&position, 1}));
}

std::uint64_t after(std::uint64_t checksum, std::span<const std::byte> bytes) {
    return crc32c(bytes, static_cast<std::uint32_t>(checksum));
}

bool write_all(int file, std::span<const std::byte> bytes, std::uint64_t offset) {
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(done));
        offset += static_cast<std::uint64_t>(done);
    }
    return true;
}

std::filesystem::path position_path(std::filesystem::path messages) {
    return messages.replace_extension(".position");
}

/// Size of the message that begins here, with its length field; zero if it is incomplete.
std::size_t frame_at(std::span<const std::byte> bytes) {
    if (bytes.size() < k_length_bytes) return 0;
    const std::size_t frame = k_length_bytes + load_be<std::uint16_t>(bytes.data());
    return frame > k_length_bytes && frame <= bytes.size() ? frame : 0;
}

/// The code of a System Event, if the message is one.
std::optional<char> system_event_in(std::span<const std::byte> frame) {
    using wire::itch::Layout;
    using wire::itch::SystemEvent;
    if (std::to_integer<char>(frame[k_length_bytes]) != Layout<SystemEvent>::k_type ||
        frame.size() != k_length_bytes + Layout<SystemEvent>::k_length)
        return std::nullopt;
    return std::to_integer<char>(frame.back());
}

}  // namespace

std::string FeedSessionId::text() const { return fmt::format("{:08}{:02}", date, number); }

std::optional<FeedSessionId> FeedSessionId::parse(std::string_view text) {
    constexpr std::size_t k_digits = 10;
    std::uint64_t digits = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), digits);
    if (text.size() != k_digits || error != std::errc{} || end != text.end()) return std::nullopt;
    return FeedSessionId{.date = static_cast<std::int32_t>(digits / 100),
                         .number = static_cast<std::uint16_t>(digits % 100)};
}

FeedSession::FeedSession(std::filesystem::path path, FeedSessionId id)
    : path_(std::move(path)), id_(id), offsets_(k_entries) {}

FeedSession::~FeedSession() {
    if (file_ >= 0) ::close(file_);
    if (position_file_ >= 0) ::close(position_file_);
}

std::vector<FeedSessionId> FeedSession::all_in(const std::filesystem::path& folder) {
    std::vector<FeedSessionId> all;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator{folder, error}) {
        const std::filesystem::path& path = entry.path();
        if (path.extension() != ".position") continue;
        if (const auto id = FeedSessionId::parse(path.stem().native())) all.push_back(*id);
    }
    std::ranges::sort(all);
    return all;
}

std::optional<FeedSessionId> FeedSession::last_in(const std::filesystem::path& folder) {
    const auto all = all_in(folder);
    return all.empty() ? std::nullopt : std::optional{all.back()};
}

FeedSession::Result<std::shared_ptr<const FeedSession>> FeedSession::open_earlier(
    const std::filesystem::path& folder, FeedSessionId id) {
    std::shared_ptr<FeedSession> session{new FeedSession{folder / (id.text() + ".itch"), id}};
    session->file_ = ::open(session->path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (session->file_ < 0) return session->failure("cannot open it");
    session->position_file_ = ::open(position_path(session->path_).c_str(), O_RDONLY | O_CLOEXEC);
    const auto saved = session->saved_position();
    if (!saved) return std::unexpected{saved.error()};
    const Position synced = saved->value_or(Position{});
    if (auto whole = session->index_saved(synced); !whole)
        return std::unexpected{std::move(whole.error())};
    std::error_code error;
    const auto bytes = std::filesystem::file_size(session->path_, error);
    if (error) return session->failure("cannot read its size");
    session->position_ = session->index_file(synced, bytes);
    session->messages_.store(session->position_.messages, std::memory_order_release);
    session->end();
    return session;
}

FeedSession::Result<std::shared_ptr<FeedSession>> FeedSession::open_in(
    const std::filesystem::path& folder, FeedSessionId id) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return std::unexpected{
            fmt::format("{}: cannot make the folder: {}", folder.string(), error.message())};
    constexpr int k_flags = O_RDWR | O_CREAT | O_CLOEXEC;
    constexpr mode_t k_mode = 0644;
    std::shared_ptr<FeedSession> session{new FeedSession{folder / (id.text() + ".itch"), id}};
    session->file_ = ::open(session->path_.c_str(), k_flags, k_mode);
    if (session->file_ < 0) return session->failure("cannot open it");
    const std::filesystem::path position = position_path(session->path_);
    session->position_file_ = ::open(position.c_str(), k_flags, k_mode);
    if (session->position_file_ < 0)
        return std::unexpected{
            fmt::format("{}: cannot open it: {}", position.string(), std::strerror(errno))};
    return session;
}

FeedSession::Result<void> FeedSession::check(const std::filesystem::path& folder,
                                             FeedSessionId id) {
    const std::filesystem::path path = folder / (id.text() + ".itch");
    const bool is_new = !std::filesystem::exists(path);
    auto session = open_in(folder, id);
    if (!session) return std::unexpected{std::move(session.error())};
    std::error_code error;
    if (is_new)
        for (const auto& made : {path, position_path(path)}) std::filesystem::remove(made, error);
    return {};
}

FeedSession::Result<std::shared_ptr<FeedSession>> FeedSession::open(
    const std::filesystem::path& folder, FeedSessionId id, std::uint64_t record) {
    const std::filesystem::path messages = folder / (id.text() + ".itch");
    std::error_code error;
    if (std::filesystem::exists(position_path(messages), error) &&
        !std::filesystem::exists(messages, error))
        return std::unexpected{
            fmt::format("{}: missing, and {} is there: restore it from a copy, or {}",
                        messages.string(), position_path(messages).string(), k_begin_anew)};
    auto session = open_in(folder, id);
    if (!session) return session;
    if (auto read = (*session)->read_position(record); !read)
        return std::unexpected{std::move(read.error())};
    return session;
}

FeedSession::Result<std::optional<FeedSession::Position>> FeedSession::saved_position() const {
    SavedPosition saved;
    const ssize_t found = ::pread(position_file_, &saved, sizeof saved, 0);
    if (found < 0) return failure("cannot read its position");
    if (found == 0) return std::nullopt;
    if (found != sizeof saved || saved.checksum != checksum_of(saved.position))
        return std::unexpected{
            fmt::format("{}: damaged: {}", position_path(path_).string(), k_begin_anew)};
    return saved.position;
}

FeedSession::Result<void> FeedSession::index_saved(const Position& saved) {
    const Position found = index_file({}, saved.bytes);
    if (found.bytes != saved.bytes)
        return std::unexpected{
            fmt::format("{}: damaged at offset {}: {}", path_, found.bytes, k_begin_anew)};
    if (found.messages != saved.messages)
        return std::unexpected{fmt::format("{}: has {} messages instead of {}: {}", path_,
                                           found.messages, saved.messages, k_begin_anew)};
    if (found.checksum != saved.checksum)
        return std::unexpected{
            fmt::format("{}: damaged: the checksum of its first {} bytes is {:08x} instead of "
                        "{:08x}: {}",
                        path_, saved.bytes, found.checksum, saved.checksum, k_begin_anew)};
    return {};
}

FeedSession::Result<void> FeedSession::read_position(std::uint64_t record) {
    const auto saved = saved_position();
    if (!saved) return std::unexpected{saved.error()};
    if (!*saved) {
        position_.record = record;
        shown_.store(position_);
        return sync();
    }
    position_ = **saved;
    shown_.store(position_);
    if (auto whole = index_saved(position_); !whole) return whole;
    kept_.store(position_.record, std::memory_order_release);
    ended_.store(position_.ended != 0, std::memory_order_release);
    messages_.store(position_.messages, std::memory_order_release);
    return {};
}

FeedSession::Position FeedSession::index_file(Position from, std::uint64_t bytes) {
    std::vector<std::byte> memory(k_read_bytes);
    Position found = from;
    while (found.bytes < bytes) {
        const std::size_t most = std::min<std::uint64_t>(memory.size(), bytes - found.bytes);
        const auto piece =
            std::span{memory}.first(read(found.bytes, std::span{memory}.first(most)));
        std::size_t whole = 0;
        while (const std::size_t frame = frame_at(piece.subspan(whole))) whole += frame;
        const auto counted = index(piece.first(whole), found.bytes, found.messages);
        if (whole == 0 || !counted) break;
        found.messages += *counted;
        found.bytes += whole;
        found.checksum = after(found.checksum, piece.first(whole));
    }
    return found;
}

std::optional<std::uint64_t> FeedSession::index(std::span<const std::byte> frames,
                                                std::uint64_t offset, std::uint64_t messages) {
    std::uint64_t counted = 0;
    for (std::size_t at = 0; at < frames.size(); ++counted) {
        const std::size_t frame = frame_at(frames.subspan(at));
        const std::uint64_t number = messages + counted;  // of the messages before it
        if (frame == 0 || number / k_stride >= offsets_.size()) return std::nullopt;
        if (number % k_stride == 0) offsets_[number / k_stride] = offset + at;
        if (const auto code = system_event_in(frames.subspan(at, frame))) last_event_ = *code;
        at += frame;
    }
    return counted;
}

FeedSession::Result<void> FeedSession::append(std::span<const std::byte> frames,
                                              std::uint64_t record) {
    DAMRAK_ASSERT(position_.ended == 0);
    if (!frames.empty()) {
        if (!write_all(file_, frames, position_.bytes)) return failure("cannot write");
        const auto counted = index(frames, position_.bytes, position_.messages);
        if (!counted) return std::unexpected{fmt::format("{}: the feed session is full", path_)};
        position_.messages += *counted;
        position_.bytes += frames.size();
        position_.checksum = after(position_.checksum, frames);
    }
    position_.record = record;
    shown_.store(position_);
    messages_.store(position_.messages, std::memory_order_release);
    return {};
}

void FeedSession::end() {
    position_.ended = 1;
    shown_.store(position_);
    ended_.store(true, std::memory_order_release);
}

FeedSession::Result<void> FeedSession::truncate() {
    if (::ftruncate(file_, static_cast<off_t>(position_.bytes)) == 0) return {};
    return failure("cannot cut it");
}

FeedSession::Result<void> FeedSession::sync() {
    const std::lock_guard lock{sync_mutex_};
    SavedPosition saved{.position = shown_.load()};
    saved.checksum = checksum_of(saved.position);
    if (::fdatasync(file_) != 0 ||
        !write_all(position_file_, std::as_bytes(std::span{&saved, 1}), 0) ||
        ::fdatasync(position_file_) != 0)
        return failure("cannot sync");
    kept_.store(saved.position.record, std::memory_order_release);
    return {};
}

std::size_t FeedSession::read(std::uint64_t offset, std::span<std::byte> into) const {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t count = ::pread(file_, into.data() + done, into.size() - done,
                                      static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

std::unexpected<std::string> FeedSession::failure(std::string_view what) const {
    return std::unexpected{fmt::format("{}: {}: {}", path_.string(), what, std::strerror(errno))};
}

FeedReader::FeedReader(std::shared_ptr<const FeedSession> session, std::uint64_t next)
    : session_(std::move(session)) {
    DAMRAK_ASSERT(next > 0 && next <= session_->messages() + 1);
    const std::uint64_t before = next - 1;
    // The writer adds an index entry only after its message is in the file.
    const std::uint64_t entry =
        (before == session_->messages() && before > 0 ? before - 1 : before) /
        FeedSession::k_stride;
    offset_ = session_->offsets_[entry];
    next_ = entry * FeedSession::k_stride + 1;
    std::array<std::byte, FeedSession::k_longest_frame> memory;  // NOLINT: read before it is used
    while (next_ < next) {
        const std::size_t found = session_->read(offset_, memory);
        const auto bytes = std::span<const std::byte>{memory}.first(found);
        std::size_t at = 0;
        for (; next_ < next; ++next_) {
            const std::size_t frame = frame_at(bytes.subspan(at));
            if (frame == 0) break;
            at += frame;
        }
        DAMRAK_ASSERT(at > 0);
        offset_ += at;
    }
}

std::span<const std::byte> FeedReader::read(std::span<std::byte> memory) {
    std::uint64_t left = session_->messages() + 1 - next_;
    if (left == 0) return {};
    const std::size_t found = session_->read(offset_, memory);
    const auto bytes = std::span<const std::byte>{memory}.first(found);
    std::size_t whole = 0;
    for (; left > 0; --left, ++next_) {
        const std::size_t frame = frame_at(bytes.subspan(whole));
        if (frame == 0) break;
        whole += frame;
    }
    offset_ += whole;
    return bytes.first(whole);
}

bool FeedReader::at_end() const { return session_->ended() && next_ == session_->messages() + 1; }

}  // namespace damrak::feed
