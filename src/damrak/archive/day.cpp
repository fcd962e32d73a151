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
#include <damrak/base/crc32c.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
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

/// Hands the messages of one instrument up to a time to a flow, and counts all of them.
template <class Flow>
struct UpTo {
    Flow& flow;
    std::uint16_t locate;
    std::int64_t until_ns;
    std::uint64_t messages = 0;

    bool on(const auto& message) {
        if (message.timestamp_ns > until_ns) return false;
        ++messages;
        if constexpr (requires { flow.on(message); })
            if (message.stock_locate == locate) static_cast<void>(flow.on(message));
        return true;
    }
};

/// Instruments by their directory messages; without these, by the orders that name them.
struct Directory {
    std::vector<Instrument> found;
    std::vector<bool> is_known = std::vector<bool>(std::size_t{1} << 16U);
    void on(const itch::StockDirectory& message) { note(message); }
    void on(const itch::StockTradingAction& message) { note(message); }
    void on(const itch::AddOrder& message) { note(message); }
    void on(const itch::AddOrderAttributed& message) { note(message); }

  private:
    void note(const auto& message) {
        if (is_known[message.stock_locate]) return;
        is_known[message.stock_locate] = true;
        found.push_back({message.stock_locate, std::string{message.stock.text()}});
    }
};

}  // namespace

std::vector<BookLevel> Book::levels(std::span<const BookOrder> orders) {
    std::vector<BookLevel> levels;
    for (const BookOrder& order : orders) {
        if (levels.empty() || levels.back().price_e4 != order.price_e4)
            levels.push_back({.price_e4 = order.price_e4});
        levels.back().shares += order.shares;
        ++levels.back().orders;
    }
    return levels;
}

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
      damage_(std::move(other.damage_)) {}

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
    return {};
}

Result<std::vector<std::byte>> Day::read(const Place& place) const {
    const BlockHeader& header = place.header;
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
std::vector<Instrument> Day::instruments() const {
    Directory directory;
    const auto look_into = [&](const Place& place) {
        if (const auto frames = read(place)) static_cast<void>(itch::walk(*frames, directory));
    };
    if (!message_blocks_.empty()) look_into(blocks_[message_blocks_.front()]);
    // The last checkpoint has those that came later.
    bool in_checkpoint = false;
    for (auto place = blocks_.rbegin(); place != blocks_.rend(); ++place) {
        const bool is_checkpoint = place->header.kind == BlockKind::checkpoint;
        if (in_checkpoint && !is_checkpoint) break;
        in_checkpoint |= is_checkpoint;
        if (is_checkpoint) look_into(*place);
    }
    std::ranges::sort(directory.found, {}, &Instrument::locate);
    return std::move(directory.found);
}

Result<void> Day::has_all(std::size_t from, std::size_t to, std::int64_t time_ns) const {
    std::uint64_t next = 1;
    std::int64_t last_time_ns = -1;
    if (from > 0) next = blocks_[from - 1].header.first_message;  // a checkpoint
    const auto lost = [&](std::uint64_t offset, std::uint64_t until) -> Result<void> {
        return std::unexpected{told(
            offset, fmt::format("messages {} to {} before it are lost to damage, and with them the "
                                "book at this time",
                                next, until))};
    };
    for (std::size_t i = from; i < blocks_.size(); ++i) {
        const BlockHeader& header = blocks_[i].header;
        if (header.kind != BlockKind::messages) continue;
        if (i >= to && time_ns < last_time_ns) return {};
        if (header.first_message != next) return lost(blocks_[i].offset, header.first_message - 1);
        if (i >= to) return {};
        next += header.messages;
        last_time_ns = header.last_time_ns;
    }
    if (complete_ && announced_ >= next && time_ns >= last_time_ns) return lost(size_, announced_);
    return {};
}

std::optional<std::size_t> Day::checkpoint_for(std::uint16_t locate, std::size_t before) const {
    for (std::size_t i = before; i-- > 0;) {
        const BlockHeader& header = blocks_[i].header;
        if (header.kind != BlockKind::checkpoint) continue;
        const std::uint64_t lowest = header.locates & 0xFFFFU;
        const std::uint64_t highest = header.locates >> 16U;
        if (locate >= lowest && locate <= highest) return i;
    }
    return std::nullopt;
}

Result<Book> Day::book_at(std::uint16_t locate, std::int64_t time_ns) const {
    Book book{.time_ns = time_ns, .sequence = 0, .bids = {}, .asks = {}};
    // The first block that begins later has nothing of it any more.
    const auto end = std::ranges::upper_bound(message_blocks_, time_ns, {}, [&](std::size_t i) {
        return blocks_[i].header.first_time_ns;
    });
    const std::size_t begun = end == message_blocks_.begin() ? 0 : *(end - 1) + 1;

    order_flow::BookBuilder<> builder;
    order_flow::ItchFlow flow{builder, order_flow::Selection{}};
    UpTo<decltype(flow)> visitor{flow, locate, time_ns};
    const auto apply = [&](const Place& place) -> Result<void> {
        const auto frames = read(place);
        if (!frames) return std::unexpected{frames.error()};
        visitor.messages = 0;
        const auto walked = itch::walk(*frames, visitor);
        if (walked.end == itch::WalkEnd::fault)
            return std::unexpected{told(place.offset, "a message of the block is invalid")};
        return {};
    };
    // An earlier checkpoint does as well where one is damaged.
    std::size_t first = 0;
    for (std::size_t before = begun; first == 0;) {
        const auto checkpoint = checkpoint_for(locate, before);
        if (!checkpoint) break;
        if (apply(blocks_[*checkpoint])) first = *checkpoint + 1;
        before = *checkpoint;
    }
    if (auto whole = has_all(first, begun, time_ns); !whole)
        return std::unexpected{std::move(whole.error())};
    if (begun == 0) return book;
    const std::size_t last = begun - 1;
    constexpr std::uint64_t k_locate_bits = 64;
    for (std::size_t i = first; i <= last; ++i) {
        const BlockHeader& header = blocks_[i].header;
        const bool has_it = (header.locates >> (locate % k_locate_bits) & 1U) != 0;
        if (header.kind != BlockKind::messages || (i != last && !has_it)) continue;
        if (auto applied = apply(blocks_[i]); !applied)
            return std::unexpected{std::move(applied.error())};
    }
    book.sequence = blocks_[last].header.first_message + visitor.messages - 1;
    if (builder.instruments() == 0) return book;
    for (const Side side : {Side::buy, Side::sell})
        builder.book(InstrumentId{1})
            .book.for_each_order(builder.store(), side, [&](OrderIndex index) {
                const Order& order = builder.store().order(index);
                (side == Side::buy ? book.bids : book.asks)
                    .push_back(
                        {.reference = order.id.value,
                         .price_e4 = static_cast<std::uint32_t>(builder.price_of(order).value),
                         .shares = static_cast<std::uint32_t>(order.quantity.value)});
                return true;
            });
    return book;
}

}  // namespace damrak::archive
