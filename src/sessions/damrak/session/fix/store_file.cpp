#include <damrak/session/fix/store_file.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>

#include <fmt/format.h>

#include <damrak/base/crc32c.hpp>

namespace damrak::session::fix {

namespace {

constexpr std::string_view k_prefix = "messages-";
constexpr std::string_view k_suffix = ".fix";
constexpr std::size_t k_digits = 20;
constexpr std::array<char, 8> k_magic{'D', 'A', 'M', 'R', 'K', 'F', 'I', 'X'};
constexpr std::size_t k_alignment = 8;

struct HeaderLayout {
    std::array<char, 8> magic;
    std::uint32_t format_version;
    std::uint32_t header_bytes;
    std::uint64_t file_bytes;
    std::uint64_t number;
    std::int64_t created_ns;
    std::uint32_t crc;
};
static_assert(offsetof(HeaderLayout, number) == 24 && offsetof(HeaderLayout, crc) == 40);

std::uint32_t crc_of(const HeaderLayout& header) {
    return crc32c(std::as_bytes(std::span{&header, 1}).first(offsetof(HeaderLayout, crc)));
}

// A record's first word says that the rest is complete, to readers in other processes too.
std::uint32_t bytes_at(std::span<const std::byte> file, std::uint64_t offset) {
    const auto* first = reinterpret_cast<const std::uint32_t*>(file.data() + offset);
    return __atomic_load_n(first, __ATOMIC_ACQUIRE);
}

bool all_zero(std::span<const std::byte> bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{}; });
}

}  // namespace

std::string store_file_name(std::uint64_t number) {
    return fmt::format("{}{:020}{}", k_prefix, number, k_suffix);
}

std::optional<std::uint64_t> parse_store_file_name(std::string_view name) {
    if (name.size() != k_prefix.size() + k_digits + k_suffix.size() ||
        !name.starts_with(k_prefix) || !name.ends_with(k_suffix))
        return std::nullopt;
    const char* begin = name.data() + k_prefix.size();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(begin, begin + k_digits, number);
    if (error != std::errc{} || end != begin + k_digits || number == 0) return std::nullopt;
    return number;
}

void write_store_header(std::span<std::byte> file, const StoreFileHeader& header) {
    HeaderLayout layout{.magic = k_magic,
                        .format_version = k_store_format_version,
                        .header_bytes = k_store_header_bytes,
                        .file_bytes = header.bytes,
                        .number = header.number,
                        .created_ns = header.created.value,
                        .crc = 0};
    layout.crc = crc_of(layout);
    std::memcpy(file.data(), &layout, sizeof layout);
}

std::expected<StoreFileHeader, std::string> read_store_header(const std::filesystem::path& path,
                                                              std::span<const std::byte> file) {
    const auto refuse = [&](std::string_view why) {
        return std::unexpected{fmt::format("{}: {}", path.string(), why)};
    };
    if (file.size() < k_store_header_bytes)
        return refuse(
            fmt::format("{} bytes are too few for a file of FIX messages, which begins "
                        "with {}: restore it from a complete copy",
                        file.size(), k_store_header_bytes));
    HeaderLayout layout;
    std::memcpy(&layout, file.data(), sizeof layout);
    if (layout.magic != k_magic)
        return refuse("offset 0: not a FIX message file (expected \"DAMRKFIX\")");
    if (layout.crc != crc_of(layout))
        return refuse(
            fmt::format("offset 0: the header is damaged: its checksum is {:08x}, and "
                        "its bytes give {:08x}: restore the file from a copy",
                        layout.crc, crc_of(layout)));
    if (layout.format_version != k_store_format_version ||
        layout.header_bytes != k_store_header_bytes)
        return refuse(
            fmt::format("it is of format {}, and this program reads format {}: use the "
                        "version of Damrak that wrote it",
                        layout.format_version, k_store_format_version));
    return StoreFileHeader{.bytes = layout.file_bytes,
                           .number = layout.number,
                           .created = Timestamp{layout.created_ns}};
}

std::optional<StoreRecord> read_record(std::span<const std::byte> file, std::uint64_t file_number,
                                       std::uint64_t offset) {
    if (file.size() < offset + k_record_header_bytes) return std::nullopt;
    if (bytes_at(file, offset) == 0) return std::nullopt;
    RecordWords words;
    std::memcpy(words.data(), file.data() + offset, sizeof words);
    const RecordHeader header = from_words(words);
    const auto bytes = static_cast<std::uint32_t>(words[0]);
    if (header.content_offset < k_record_header_bytes || bytes > file.size() - offset ||
        bytes != record_bytes(header.content_offset, header.content_bytes) ||
        header.file_number != static_cast<std::uint32_t>(file_number))
        return std::nullopt;
    const std::span content{
        reinterpret_cast<const char*>(file.data()) + offset + header.content_offset,
        header.content_bytes};
    if (words[0] >> 32U != record_crc(words, content)) return std::nullopt;
    StoreRecord record{.offset = offset,
                       .kind = header.kind,
                       .sequence = header.sequence,
                       .kept = {.time = Timestamp{header.time_ns},
                                .position = header.position,
                                .administrative = header.administrative},
                       .content = content,
                       .numbers = {}};
    if (header.kind == RecordKind::numbers) {
        if (content.size() != sizeof record.numbers) return std::nullopt;
        std::memcpy(&record.numbers, content.data(), sizeof record.numbers);
    }
    return record;
}

StoreFileReader::Found StoreFileReader::next() {
    if (file_.size() < offset_ + k_record_header_bytes) return Found::end;
    if (auto read = read_record(file_, number_, offset_)) {
        record_ = *read;
        offset_ += bytes_at(file_, offset_);
        return Found::record;
    }
    if (bytes_at(file_, offset_) == 0 &&
        all_zero(file_.subspan(offset_ + sizeof(std::uint32_t), k_record_header_bytes)))
        return Found::end;
    // These bytes are not a record: the next valid record shows the extent of the damage.
    damage_ = {.offset = offset_};
    for (std::uint64_t at = offset_ + k_alignment; at + k_record_header_bytes <= file_.size();
         at += k_alignment) {
        if (bytes_at(file_, at) == 0 || !read_record(file_, number_, at)) continue;
        damage_.bytes = at - offset_;
        offset_ = at;
        return Found::damage;
    }
    std::uint64_t end = file_.size();
    while (end > offset_ && file_[end - 1] == std::byte{}) --end;
    damage_.bytes = end - offset_;
    damage_.at_the_end = true;
    damage_.unfinished = bytes_at(file_, offset_) == 0;
    return Found::damage;
}

}  // namespace damrak::session::fix
