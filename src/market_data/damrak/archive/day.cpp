#include <damrak/archive/day.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <damrak/archive/checksum.hpp>
#include <damrak/archive/columns.hpp>
#include <damrak/archive/detail/view_depth.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/base/crc32c.hpp>
#include <damrak/files/byte_sink.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

/// Counts a message in the header of its block, and ends a full block.
struct IntoBlocks {
    std::vector<BlockHeader>& blocks;
    void on(const auto& message) {
        if (blocks.back().messages == k_block_messages)
            blocks.push_back({.kind = BlockKind::messages,
                              .first_message = blocks.back().first_message + k_block_messages});
        note(blocks.back(), itch::Layout<std::remove_cvref_t<decltype(message)>>::k_type,
             message.stock_locate, message.timestamp_ns);
    }
};

/// Instruments by their directory messages or, without these, by the orders that name them.
struct Directory {
    explicit Directory(std::span<const Instrument> known) : found(known.begin(), known.end()) {
        for (const Instrument& one : known) is_known_[one.locate] = true;
    }
    void on(const itch::StockDirectory& message) { note(message); }
    void on(const itch::StockTradingAction& message) { note(message); }
    void on(const itch::AddOrder& message) { note(message); }
    void on(const itch::AddOrderAttributed& message) { note(message); }

    std::vector<Instrument> found;

  private:
    void note(const auto& message) {
        if (is_known_[message.stock_locate]) return;
        is_known_[message.stock_locate] = true;
        found.push_back({message.stock_locate, std::string{message.stock.text()}});
    }

    std::vector<bool> is_known_ = std::vector<bool>(std::size_t{1} << 16U);
};

}  // namespace

Day::Day(Day&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(other.size_),
      header_(other.header_),
      source_(std::move(other.source_)),
      depth_(other.depth_),
      blocks_(std::move(other.blocks_)),
      message_blocks_(std::move(other.message_blocks_)),
      messages_(other.messages_),
      next_(other.next_),
      checkpoints_(other.checkpoints_),
      last_time_ns_(other.last_time_ns_),
      complete_(other.complete_),
      is_being_written_(other.is_being_written_),
      announced_(other.announced_),
      end_gap_(std::move(other.end_gap_)),
      previous_(other.previous_),
      tail_lost_(other.tail_lost_),
      damage_(std::move(other.damage_)),
      session_(std::move(other.session_)),
      on_block_(std::move(other.on_block_)) {}

Day::~Day() {
    if (data_ != nullptr)
        ::munmap(const_cast<std::byte*>(data_), size_);  // NOLINT: as munmap wants it
}

Result<Day> Day::open(const std::filesystem::path& path) {
    Day day;
    if (auto mapped = day.map(path); !mapped) return std::unexpected{std::move(mapped.error())};
    if (auto scanned = day.scan(); !scanned) return std::unexpected{std::move(scanned.error())};
    return day;
}

Result<Day> Day::open_live(const std::filesystem::path& path,
                           std::shared_ptr<const feed::FeedSession> session) {
    std::error_code unknown;
    auto day = std::filesystem::exists(path, unknown) ? open(path) : Result<Day>{Day{}};
    if (!day || day->complete_) return day;
    day->path_ = path;
    day->header_.date = session->id().date;
    day->add_session(std::move(session));
    return day;
}

// Predicts the blocks of the session's messages.
void Day::add_session(std::shared_ptr<const feed::FeedSession> session) {
    session_ = std::move(session);
    is_being_written_ = true;
    if (messages_ == 0) depth_ = ViewDepth::of(session_);
    if (messages_ >= session_->messages()) return;
    constexpr std::size_t k_session_read_bytes = std::size_t{1} << 20U;
    std::vector<std::byte> memory(k_session_read_bytes);
    std::vector<BlockHeader> found{{.kind = BlockKind::messages, .first_message = messages_ + 1}};
    IntoBlocks visitor{found};
    feed::FeedReader reader{session_, messages_ + 1};
    for (auto frames = reader.read(memory); !frames.empty(); frames = reader.read(memory))
        static_cast<void>(itch::walk(frames, visitor));
    for (const BlockHeader& header : found) {
        message_blocks_.push_back(blocks_.size());
        blocks_.push_back({.offset = 0, .header = header});
        messages_ += header.messages;
    }
}

std::uint64_t Day::whole_bytes() const {
    if (message_blocks_.empty()) return sizeof header_ + source_.size();
    const Place& last = blocks_[message_blocks_.back()];
    return last.offset + sizeof last.header + last.header.payload_bytes;
}

std::uint32_t Day::last_checksum() const {
    return message_blocks_.empty() ? header_.checksum
                                   : blocks_[message_blocks_.back()].header.checksum;
}

Result<void> Day::map(const std::filesystem::path& path) {
    path_ = path;
    const auto failure = [&] {
        return std::unexpected{fmt::format("{}: {}", path.string(), std::strerror(errno))};
    };
    // Without O_NONBLOCK a pipe would be waited for.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return failure();
    struct stat status{};
    void* mapped = MAP_FAILED;
    const bool is_known = ::fstat(file, &status) == 0;
    if (is_known && S_ISDIR(status.st_mode)) {
        ::close(file);
        return std::unexpected{
            fmt::format("{}: is a directory; give an archived day", path.string())};
    }
    if (is_known && !S_ISREG(status.st_mode)) {
        ::close(file);
        return std::unexpected{
            fmt::format("{}: is no regular file; give an archived day", path.string())};
    }
    if (is_known && status.st_size > 0) {
        size_ = static_cast<std::size_t>(status.st_size);
        mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    is_being_written_ = files::is_being_written(file);
    ::close(file);
    if (size_ == 0) return std::unexpected{fmt::format("{}: the file is empty", path.string())};
    if (mapped == MAP_FAILED) return failure();
    data_ = static_cast<const std::byte*>(mapped);
    return {};
}

Result<std::vector<std::byte>> Day::read(const Place& place) const {
    if (on_block_) on_block_();
    const BlockHeader& header = place.header;
    if (place.offset == 0) return read_session(header);
    const auto payload =
        std::span{data_ + place.offset + sizeof header, std::size_t{header.payload_bytes}};
    const auto damaged = [&](std::string_view what) {
        return std::unexpected{
            told(place.offset,
                 fmt::format("the block of messages {} to {} is damaged: {}", header.first_message,
                             header.first_message + header.messages - 1, what))};
    };
    if (crc32c(payload) != header.payload_checksum) return damaged("its checksum differs");
    if (ZSTD_getFrameContentSize(payload.data(), payload.size()) != header.raw_bytes)
        return damaged("it is not a zstd frame of its length");
    std::vector<std::byte> columns(header.raw_bytes);
    const std::size_t size =
        ZSTD_decompress(columns.data(), columns.size(), payload.data(), payload.size());
    if (ZSTD_isError(size) != 0 || size != columns.size()) return damaged("it is no zstd");
    auto block = from_columns(columns);
    if (!block) return damaged("its columns do not fit together");
    if (!block->fits(header)) return damaged("its messages differ from its header");
    return std::move(block->frames);
}

Result<std::vector<std::byte>> Day::read_session(const BlockHeader& header) const {
    constexpr std::size_t k_most_bytes = std::size_t{64} * k_block_messages;
    std::vector<std::byte> memory(std::max(k_most_bytes, feed::FeedSession::k_longest_frame));
    feed::FeedReader reader{session_, header.first_message};
    std::vector<std::byte> found;
    const std::uint64_t end = header.first_message + header.messages;
    while (reader.next() < end) {
        const std::uint64_t next = reader.next();
        auto frames = reader.read(memory);
        if (frames.empty())
            return std::unexpected{told(0, fmt::format("message {} cannot be read", next))};
        for (std::uint64_t i = next; i < end && !frames.empty(); ++i) {
            const std::size_t length =
                sizeof(std::uint16_t) + load_be<std::uint16_t>(frames.data());
            found.insert(found.end(), frames.begin(),
                         frames.begin() + static_cast<std::ptrdiff_t>(length));
            frames = frames.subspan(length);
        }
    }
    return found;
}

std::int64_t Day::last_time_before(std::size_t place) const {
    const auto after = std::ranges::lower_bound(message_blocks_, place);
    return after == message_blocks_.begin() ? 0 : blocks_[*(after - 1)].header.last_time_ns;
}

std::int64_t Day::first_time_ns() const {
    return message_blocks_.empty() ? 0 : blocks_[message_blocks_.front()].header.first_time_ns;
}
std::int64_t Day::last_time_ns() const {
    return message_blocks_.empty() ? 0 : blocks_[message_blocks_.back()].header.last_time_ns;
}

// A damaged block costs only the instruments that no other block names.
std::vector<Instrument> Day::instruments(std::span<const Instrument> known,
                                         std::uint64_t after) const {
    Directory directory{known};
    const auto look_into = [&](const Place& place) {
        if (const auto frames = read(place)) static_cast<void>(itch::walk(*frames, directory));
    };
    if (after == 0 && !message_blocks_.empty()) {
        look_into(blocks_[message_blocks_.front()]);
        // The last checkpoint has the instruments that were added before it.
        auto place = blocks_.rbegin();
        while (place != blocks_.rend() && place->header.kind != BlockKind::checkpoint) ++place;
        for (; place != blocks_.rend() && place->header.kind == BlockKind::checkpoint; ++place) {
            look_into(*place);
            after = place->header.first_message - 1;
        }
    }
    for (const std::size_t place : message_blocks_) {
        const BlockHeader& header = blocks_[place].header;
        if (header.first_message + header.messages > after + 1) look_into(blocks_[place]);
    }
    std::ranges::sort(directory.found, {}, &Instrument::locate);
    return std::move(directory.found);
}

}  // namespace damrak::archive
