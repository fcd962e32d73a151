#include <damrak/archive/day.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
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
#include <damrak/base/byte_order.hpp>
#include <damrak/base/crc32c.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

template <class Header>
Header header_at(const std::byte* bytes) {
    Header header;
    std::memcpy(&header, bytes, sizeof header);
    return header;
}
bool is_sound(const BlockHeader& header) { return header.checksum == header_checksum(header); }

bool is_date(std::int32_t yyyymmdd) {
    using namespace std::chrono;
    return year_month_day{year{yyyymmdd / 10'000},
                          month{static_cast<unsigned>(yyyymmdd / 100 % 100)},
                          std::chrono::day{static_cast<unsigned>(yyyymmdd % 100)}}
               .ok() &&
           yyyymmdd > 0;
}

/// Counts a message in the header of its block, and ends a full block.
struct IntoBlocks {
    std::vector<BlockHeader>& blocks;
    void on(const auto& message) {
        if (blocks.back().messages == k_block_messages)
            blocks.push_back({.kind = BlockKind::messages,
                              .first_message = blocks.back().first_message + k_block_messages});
        note(blocks.back(), message.stock_locate, message.timestamp_ns);
    }
};

/// Instruments by their directory messages or, without these, by the orders that name them.
struct Directory {
    explicit Directory(std::span<const Instrument> known) : found(known.begin(), known.end()) {
        for (const Instrument& one : known) is_known[one.locate] = true;
    }
    void on(const itch::StockDirectory& message) { note(message); }
    void on(const itch::StockTradingAction& message) { note(message); }
    void on(const itch::AddOrder& message) { note(message); }
    void on(const itch::AddOrderAttributed& message) { note(message); }

    std::vector<Instrument> found;

  private:
    void note(const auto& message) {
        if (is_known[message.stock_locate]) return;
        is_known[message.stock_locate] = true;
        found.push_back({message.stock_locate, std::string{message.stock.text()}});
    }

    std::vector<bool> is_known = std::vector<bool>(std::size_t{1} << 16U);
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
      announced_(other.announced_),
      end_gap_(std::move(other.end_gap_)),
      previous_(other.previous_),
      tail_lost_(other.tail_lost_),
      damage_(std::move(other.damage_)),
      session_(std::move(other.session_)) {}

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
    ::close(file);
    if (size_ == 0) return std::unexpected{fmt::format("{}: the file is empty", path.string())};
    if (mapped == MAP_FAILED) return failure();
    data_ = static_cast<const std::byte*>(mapped);
    return {};
}

std::string Day::told(std::uint64_t offset, std::string_view what) const {
    return fmt::format("{}: at offset {}: {}", path_.string(), offset, what);
}

Result<void> Day::check_header() {
    if (size_ < sizeof header_)
        return std::unexpected{told(0, "no archived day: shorter than its header")};
    header_ = header_at<DayHeader>(data_);
    if (header_.magic != k_day_magic)
        return std::unexpected{told(0, "no archived day: damrak archive import makes one")};
    if (header_.version == 1)
        return std::unexpected{
            told(0,
                 "the day has version 1, which this release does not read: import the day again "
                 "from its source with damrak archive import")};
    if (header_.source_bytes > std::min<std::uint64_t>(k_most_source_bytes, size_ - sizeof header_))
        return std::unexpected{told(0, "the header is damaged")};
    const auto source = std::span{data_ + sizeof header_, header_.source_bytes};
    if (header_.checksum != day_checksum(header_, source))
        return std::unexpected{told(0, "the header is damaged")};
    if (header_.version != k_day_version)
        return std::unexpected{told(0, fmt::format("version {} is not known: this release reads {}",
                                                   header_.version, k_day_version))};
    source_.assign(reinterpret_cast<const char*>(source.data()), source.size());
    if (!is_plain(header_.depth) || header_.day_id != day_id_of(header_.date, source_))
        return std::unexpected{told(0, "the header has values that no writer makes")};
    if (header_.date != 0 && !is_date(header_.date))
        return std::unexpected{told(0, fmt::format("{} is not a date", header_.date))};
    depth_ = depth_of(header_.depth);
    previous_ = header_.checksum;
    return {};
}

// A checksum finds accidental damage. This check finds files that no writer produces, before
// anything is allocated for them.
std::string Day::misfit(std::uint64_t offset, const BlockHeader& header) const {
    if (complete_) return "a block after the end of the day";
    if (header.day_id != header_.day_id) return "a block of another day";
    if (header.kind != BlockKind::messages && header.kind != BlockKind::checkpoint &&
        header.kind != BlockKind::end)
        return fmt::format("a block of unknown kind {}", static_cast<std::uint32_t>(header.kind));
    const std::uint64_t next = messages_ + 1;
    if (header.first_message < next)
        return fmt::format("a block of message {} after message {}", header.first_message,
                           messages_);
    const bool has_times = header.first_time_ns != 0 || header.last_time_ns != 0;
    if (has_times && header.kind != BlockKind::messages)
        return "a field without meaning is not zero";
    if (header.kind == BlockKind::end) {
        if (header.payload_bytes != sizeof(DepthRecord) ||
            header.raw_bytes != sizeof(DepthRecord) || header.messages != 0 || header.locates != 0)
            return "the end of the day is not one that a writer makes";
        const std::byte* const payload = data_ + offset + sizeof header;
        if (crc32c(std::span{payload, sizeof(DepthRecord)}) != header.payload_checksum)
            return "the end of the day is damaged: its checksum differs";
        return is_plain(header_at<DepthRecord>(payload)) ? ""
                                                         : "the end has a depth that is not known";
    }
    if (header.raw_bytes > k_most_raw_bytes ||
        header.raw_bytes >
            k_columns_header_bytes + std::uint64_t{header.messages} * k_most_message_bytes)
        return fmt::format("{} bytes for {} messages", header.raw_bytes, header.messages);
    if (header.kind == BlockKind::checkpoint) {
        const bool has_range =
            header.locates >> 32U == 0 && (header.locates & 0xFFFFU) <= header.locates >> 16U;
        return has_range ? "" : "a checkpoint of no range of locates";
    }
    if (header.messages == 0 || header.messages > k_block_messages)
        return fmt::format("a block of {} messages", header.messages);
    if (header.first_message > std::numeric_limits<std::uint64_t>::max() - header.messages)
        return fmt::format("a block of message {}", header.first_message);
    if (header.first_time_ns < last_time_ns_ || header.last_time_ns < header.first_time_ns)
        return fmt::format("times {} to {} after {}", header.first_time_ns, header.last_time_ns,
                           last_time_ns_);
    return "";
}

// A missing block shows in the numbers of the messages, or else in the chain: each header names the
// checksum of the one before it.
std::string Day::gap_before(const BlockHeader& header) const {
    if (header.first_message > next_)
        return fmt::format("messages {} to {} before it are missing", next_,
                           header.first_message - 1);
    if (header.first_message < next_)
        return fmt::format("the checkpoint before it is of message {}", next_);
    if (header.previous != previous_)
        return "it does not continue the block before it: one was taken out, or put in";
    return {};
}

// A damaged header hides the position of the next block: the scan continues at the next sound
// header.
Result<void> Day::scan() {
    if (auto checked = check_header(); !checked) return checked;
    std::uint64_t lost_from = 0;
    std::uint64_t at = sizeof header_ + source_.size();
    while (at + sizeof(BlockHeader) <= size_) {
        const auto header = header_at<BlockHeader>(data_ + at);
        if (header.magic != k_block_magic || !is_sound(header) ||
            header.payload_bytes > size_ - at - sizeof header) {
            if (lost_from == 0) lost_from = at;
            ++at;
            continue;
        }
        const bool after_damage = std::exchange(lost_from, 0) != 0;
        const std::string wrong = misfit(at, header);
        const std::string gap = wrong.empty() ? gap_before(header) : wrong;
        if (after_damage)
            damage_.push_back(
                told(at, "the first sound block after damage" + (gap.empty() ? gap : ": " + gap)));
        else if (!gap.empty())
            damage_.push_back(told(at, gap));
        if (wrong.empty()) add_block(at, header);
        at += sizeof header + header.payload_bytes;
    }
    if (lost_from == 0 && at < size_) lost_from = at;
    if (lost_from != 0) {
        damage_.push_back(told(lost_from, "damaged from here to the end"));
        tail_lost_ = 1;
    }
    return {};
}

void Day::add_block(std::uint64_t offset, const BlockHeader& header) {
    std::string gap = gap_before(header);
    if (!gap.empty()) gap = told(offset, gap);
    previous_ = header.checksum;
    if (header.kind == BlockKind::end) {
        complete_ = true;
        announced_ = header.first_message - 1;
        depth_ = depth_of(header_at<DepthRecord>(data_ + offset + sizeof header));
        end_gap_ = std::move(gap);
        return;
    }
    if (header.kind == BlockKind::messages) {
        message_blocks_.push_back(blocks_.size());
        messages_ = header.first_message + header.messages - 1;
        last_time_ns_ = header.last_time_ns;
    } else if (blocks_.empty() || blocks_.back().header.kind != BlockKind::checkpoint) {
        ++checkpoints_;
    }
    next_ = header.first_message + (header.kind == BlockKind::messages ? header.messages : 0);
    blocks_.push_back({.offset = offset, .header = header, .gap = std::move(gap)});
}

Result<std::vector<std::byte>> Day::read(const Place& place) const {
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

std::int64_t Day::first_time_ns() const {
    return message_blocks_.empty() ? 0 : block(0).first_time_ns;
}
std::int64_t Day::last_time_ns() const {
    return message_blocks_.empty() ? 0 : block(blocks() - 1).last_time_ns;
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
    for (std::size_t i = 0; i < blocks(); ++i)
        if (block(i).first_message + block(i).messages > after + 1)
            look_into(blocks_[message_blocks_[i]]);
    std::ranges::sort(directory.found, {}, &Instrument::locate);
    return std::move(directory.found);
}

}  // namespace damrak::archive
