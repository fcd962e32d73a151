// The index of an archived day: its headers are checked, and that each block continues the one
// before it. A damaged header hides the position of the next block: the scan continues at the next
// sound one.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/checksum.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/files/day_kind.hpp>

namespace damrak::archive {

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

/// A file that is one of ours once it is decompressed.
bool is_compressed(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return file.get() != static_cast<unsigned char>(k_day_magic.front());
}

/// Why another file is not a day.
std::string no_archived_day(const std::filesystem::path& path) {
    const auto kind = files::day_kind(path);
    if (!kind) return kind.error();
    switch (*kind) {
        case files::DayKind::archived_day:
            if (is_compressed(path))
                return fmt::format(
                    "{}: is compressed, and an archived day is read where it lies: decompress it "
                    "first (gunzip, unzstd)",
                    path.string());
            return fmt::format("{}: no archived day: shorter than its header", path.string());
        case files::DayKind::itch:  // or anything else
            return fmt::format("{}: no archived day: damrak archive import makes one",
                               path.string());
        case files::DayKind::lobster:
        case files::DayKind::dbn:
            break;
    }
    return fmt::format("{}: no archived day but {}: damrak archive import makes one of it",
                       path.string(), files::noun_of(*kind));
}

}  // namespace

std::string Day::told(std::uint64_t offset, std::string_view what) const {
    return fmt::format("{}: at offset {}: {}", path_.string(), offset, what);
}

Result<void> Day::check_header() {
    if (size_ >= sizeof header_) header_ = header_at<DayHeader>(data_);
    if (size_ < sizeof header_ || header_.magic != k_day_magic)
        return std::unexpected{no_archived_day(path_)};
    if (header_.version == 1)
        return std::unexpected{
            told(0,
                 "the day has version 1, which this release does not read: import the day again "
                 "with damrak archive import, from its source or from what archive export of the "
                 "earlier release makes of it")};
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
    const bool may_be_marked =
        (header.kind == BlockKind::messages && header.marks == k_breaks_trades) ||
        (header.kind == BlockKind::end && header.marks == k_recording_cut);
    if (header.marks != 0 && !may_be_marked)
        return fmt::format("a block with unknown marks {}", header.marks);
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

Result<void> Day::scan() {
    if (auto checked = check_header(); !checked) return checked;
    std::uint64_t lost_from = 0;
    bool after_foreign = false;
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
        std::string lost = gap;
        if (after_damage)
            lost = "the first sound block after damage" + (gap.empty() ? gap : ": " + gap);
        if (!lost.empty()) damage_.push_back(lost = told(at, lost));
        // Damage, or a block that is plainly of another day, explains why the next does not follow.
        const bool is_foreign = header.day_id != header_.day_id;
        const bool is_explained = after_damage || is_foreign || after_foreign;
        if (!gap.empty() && !is_explained) doubt_first_block();
        after_foreign = is_foreign;
        if (wrong.empty()) add_block(at, header, gap.empty() ? gap : lost);
        at += sizeof header + header.payload_bytes;
    }
    if (lost_from == 0 && at < size_) lost_from = at;
    // A block that is just being written is not damaged.
    if (lost_from != 0 && !is_being_written_) {
        damage_.push_back(told(lost_from, "damaged from here to the end"));
        tail_lost_ = 1;
    }
    return {};
}

// The first block is linked to the header alone, which a day of the same date and source has, too.
// If a sound block does not continue it, either may be of that other day.
void Day::doubt_first_block() {
    if (blocks_.size() != 1 || !blocks_.front().gap.empty()) return;
    Place& first = blocks_.front();
    first.gap = told(first.offset,
                     "it may be of another day: the sound block after it does not continue it");
    damage_.push_back(first.gap);
}

void Day::add_block(std::uint64_t offset, const BlockHeader& header, std::string gap) {
    previous_ = header.checksum;
    if (header.kind == BlockKind::end) {
        complete_ = true;
        announced_ = header.first_message - 1;
        depth_ = depth_of(header_at<DepthRecord>(data_ + offset + sizeof header));
        end_gap_ = std::move(gap);
        if (end_gap_.empty() && header.marks == k_recording_cut)
            end_gap_ = told(offset, "the recording that the day was made from was cut short here");
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

}  // namespace damrak::archive
