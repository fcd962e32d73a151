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
template <class Header>
bool is_sound(const Header& header) {
    const auto bytes = std::as_bytes(std::span{&header, 1});
    return header.checksum == crc32c(bytes.first(sizeof header - sizeof header.checksum));
}

/// Notes a message in the header of its block, and ends one that is full.
struct IntoBlocks {
    std::vector<BlockHeader>& blocks;
    void on(const auto& message) {
        if (blocks.back().messages == k_block_messages)
            blocks.push_back({.kind = BlockKind::messages,
                              .first_message = blocks.back().first_message + k_block_messages});
        note(blocks.back(), message.stock_locate, message.timestamp_ns);
    }
};

/// Instruments by their directory messages; without these, by the orders that name them.
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
      blocks_(std::move(other.blocks_)),
      message_blocks_(std::move(other.message_blocks_)),
      messages_(other.messages_),
      checkpoints_(other.checkpoints_),
      complete_(other.complete_),
      announced_(other.announced_),
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

// The blocks that they will be in, as far as they can be told.
void Day::add_session(std::shared_ptr<const feed::FeedSession> session) {
    session_ = std::move(session);
    if (messages_ >= session_->messages()) return;
    constexpr std::size_t k_read_bytes = std::size_t{1} << 20U;
    std::vector<std::byte> memory(k_read_bytes);
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
    if (message_blocks_.empty()) return sizeof header_;
    const Place& last = blocks_[message_blocks_.back()];
    return last.offset + sizeof last.header + last.header.payload_bytes;
}

Result<void> Day::map(const std::filesystem::path& path) {
    path_ = path;
    const auto failure = [&] {
        return std::unexpected{fmt::format("{}: {}", path.string(), std::strerror(errno))};
    };
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return failure();
    struct stat status{};
    void* mapped = MAP_FAILED;
    if (::fstat(file, &status) == 0 && status.st_size > 0) {
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

// A header that is damaged hides where the next block is: the search goes on to the next one that
// is sound.
Result<void> Day::scan() {
    if (size_ < sizeof header_)
        return std::unexpected{told(0, "no archived day: shorter than its header")};
    header_ = header_at<DayHeader>(data_);
    if (header_.magic != k_day_magic)
        return std::unexpected{told(0, "no archived day: damrak archive import makes one")};
    if (!is_sound(header_)) return std::unexpected{told(0, "the header is damaged")};
    if (header_.version != k_day_version)
        return std::unexpected{told(0, fmt::format("version {} is not known: this release reads {}",
                                                   header_.version, k_day_version))};
    std::uint64_t lost_from = 0;
    for (std::uint64_t at = sizeof header_; at + sizeof(BlockHeader) <= size_;) {
        const auto header = header_at<BlockHeader>(data_ + at);
        if (header.magic != k_block_magic || !is_sound(header) ||
            header.payload_bytes > size_ - at - sizeof header) {
            if (lost_from == 0) lost_from = at;
            ++at;
            continue;
        }
        if (std::exchange(lost_from, 0) != 0)
            damage_.push_back(told(at, "the first sound block after damage"));
        if (header.kind == BlockKind::end) {
            complete_ = true;
            announced_ = header.first_message - 1;
        } else {
            if (header.kind == BlockKind::messages) {
                message_blocks_.push_back(blocks_.size());
                messages_ = header.first_message + header.messages - 1;
            } else if (blocks_.empty() || blocks_.back().header.kind != BlockKind::checkpoint) {
                ++checkpoints_;
            }
            blocks_.push_back({.offset = at, .header = header});
        }
        at += sizeof header + header.payload_bytes;
    }
    if (lost_from != 0) damage_.push_back(told(lost_from, "damaged from here to the end"));
    if (complete_ && announced_ > messages_)
        damage_.push_back(told(size_, fmt::format("messages {} to {} before the end are lost",
                                                  messages_ + 1, announced_)));
    return {};
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
    std::vector<std::byte> columns(header.raw_bytes);
    const std::size_t size =
        ZSTD_decompress(columns.data(), columns.size(), payload.data(), payload.size());
    if (ZSTD_isError(size) != 0 || size != columns.size()) return damaged("it is no zstd");
    auto frames = from_columns(columns);
    if (!frames) return damaged("its columns do not fit together");
    return *std::move(frames);
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

std::string_view Day::source() const {
    const auto end = std::ranges::find(header_.source, '\0');
    return {header_.source.begin(), end};
}

std::int64_t Day::first_time_ns() const {
    return message_blocks_.empty() ? 0 : block(0).first_time_ns;
}
std::int64_t Day::last_time_ns() const {
    return message_blocks_.empty() ? 0 : block(blocks() - 1).last_time_ns;
}

// A damaged block costs the instruments that only it names.
std::vector<Instrument> Day::instruments(std::span<const Instrument> known,
                                         std::uint64_t after) const {
    Directory directory{known};
    const auto look_into = [&](const Place& place) {
        if (const auto frames = read(place)) static_cast<void>(itch::walk(*frames, directory));
    };
    if (after == 0 && !message_blocks_.empty()) {
        look_into(blocks_[message_blocks_.front()]);
        // The last checkpoint has those that came later, up to it.
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
