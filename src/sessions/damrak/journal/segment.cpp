#include <damrak/journal/segment.hpp>

#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include <damrak/base/crc32c.hpp>

namespace damrak::journal {

namespace {

constexpr std::string_view k_prefix = "journal-";
constexpr std::string_view k_suffix = ".seg";
constexpr std::size_t k_digits = 20;
constexpr std::array<char, 8> k_magic{'D', 'A', 'M', 'R', 'K', 'J', 'N', 'L'};

struct EngineLayout {
    std::uint32_t order_id_source;
    std::uint32_t maximum_instruments;
    std::uint32_t maximum_participants;
    std::uint32_t maximum_orders;
    std::uint32_t maximum_extensions;
    std::uint32_t maximum_accounts;
    std::uint32_t maximum_levels;
    std::uint32_t maximum_ladder_nodes;
    std::uint32_t maximum_events;
    std::uint32_t unused;
};
static_assert(sizeof(EngineLayout) == sizeof(EngineConfig) + sizeof(EngineLayout::unused),
              "a field of the engine is missing");
constexpr std::uint32_t k_unused = 1'000;

struct HeaderLayout {
    std::array<char, 8> magic;
    std::uint32_t format_version;
    std::uint32_t header_bytes;
    std::uint32_t record_bytes;
    std::uint32_t record_schema_version;
    std::uint64_t segment_bytes;
    std::uint64_t number;
    std::uint64_t first_sequence;
    std::int64_t created_ns;
    std::array<std::uint64_t, 2> instance;
    EngineLayout engine;
    std::uint32_t crc;
};
static_assert(offsetof(HeaderLayout, segment_bytes) == 24 &&
              offsetof(HeaderLayout, first_sequence) == 40 &&
              offsetof(HeaderLayout, instance) == 56 && offsetof(HeaderLayout, engine) == 72 &&
              offsetof(HeaderLayout, crc) == 112);

// Behind the first checksum.
struct MoreLayout {
    std::uint32_t rules_version;
    std::array<std::uint32_t, 33> zero;
    std::uint32_t crc;
};
constexpr std::size_t k_more_offset = 116;
static_assert(sizeof(HeaderLayout) == 120 && offsetof(HeaderLayout, crc) + 4 == k_more_offset &&
              offsetof(MoreLayout, crc) == 136);

struct MarkLayout {
    std::uint64_t sequence;
    std::uint32_t crc;
    std::uint32_t zero;
};
constexpr std::array<std::size_t, 2> k_mark_offsets{1'024, 2'048};

std::uint32_t crc_of(const HeaderLayout& header) {
    return crc32c(std::as_bytes(std::span{&header, 1}).first(offsetof(HeaderLayout, crc)));
}
std::uint32_t crc_of(const MoreLayout& more) {
    return crc32c(std::as_bytes(std::span{&more, 1}).first(offsetof(MoreLayout, crc)));
}
std::uint32_t crc_of_mark(std::uint64_t sequence) {
    return crc32c(std::as_bytes(std::span{&sequence, 1}));
}

EngineLayout layout_of(const EngineConfig& config) {
    return {.order_id_source = static_cast<std::uint32_t>(config.order_id_source),
            .maximum_instruments = config.maximum_instruments,
            .maximum_participants = config.maximum_participants,
            .maximum_orders = config.maximum_orders,
            .maximum_extensions = config.maximum_extensions,
            .maximum_accounts = config.maximum_accounts,
            .maximum_levels = config.maximum_levels,
            .maximum_ladder_nodes = config.maximum_ladder_nodes,
            .maximum_events = config.maximum_events,
            .unused = k_unused};
}
EngineConfig config_of(const EngineLayout& layout) {
    return {.order_id_source = static_cast<OrderIdSource>(layout.order_id_source),
            .maximum_instruments = layout.maximum_instruments,
            .maximum_participants = layout.maximum_participants,
            .maximum_orders = layout.maximum_orders,
            .maximum_extensions = layout.maximum_extensions,
            .maximum_accounts = layout.maximum_accounts,
            .maximum_levels = layout.maximum_levels,
            .maximum_ladder_nodes = layout.maximum_ladder_nodes,
            .maximum_events = layout.maximum_events};
}

// Why such a header is rejected, or empty. Its checksums are right.
std::string refusal_of(const HeaderLayout& layout, std::size_t file_bytes) {
    if (layout.segment_bytes != file_bytes)
        return fmt::format(
            "the file has {} bytes, and its header says {}: restore it from a complete copy",
            file_bytes, layout.segment_bytes);
    if (layout.header_bytes != k_header_bytes || layout.record_bytes != k_record_bytes ||
        !is_segment_size(layout.segment_bytes) || layout.first_sequence == 0 ||
        layout.engine.order_id_source > static_cast<std::uint32_t>(OrderIdSource::engine_apart) ||
        layout.first_sequence > UINT64_MAX - layout.segment_bytes)
        return "its header has valid checksums but invalid values: it was not written by Damrak";
    return {};
}

std::string damage(std::size_t offset, std::uint32_t kept, std::uint32_t given) {
    return fmt::format(
        "offset {}: the header is damaged: its checksum is {:08x}, and its bytes give {:08x}: "
        "restore the segment from a copy",
        offset, kept, given);
}

}  // namespace

std::string of_another_version(std::string_view what, std::uint32_t found, std::uint32_t ours) {
    return fmt::format(
        "{} version of Damrak wrote it ({} {}; this one reads {} {}): use that version, or begin "
        "in an empty directory",
        found < ours ? "an earlier" : "a later", what, found, what, ours);
}

std::string segment_name(std::uint64_t first_sequence) {
    return fmt::format("{}{:020}{}", k_prefix, first_sequence, k_suffix);
}

std::optional<std::uint64_t> parse_segment_name(std::string_view name) {
    if (name.size() != k_prefix.size() + k_digits + k_suffix.size() ||
        !name.starts_with(k_prefix) || !name.ends_with(k_suffix))
        return std::nullopt;
    const char* begin = name.data() + k_prefix.size();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(begin, begin + k_digits, value);
    if (error != std::errc{} || end != begin + k_digits) return std::nullopt;
    return value;
}

void write_header(std::span<std::byte> page, const SegmentHeader& header) {
    HeaderLayout layout{.magic = k_magic,
                        .format_version = k_format_version,
                        .header_bytes = k_header_bytes,
                        .record_bytes = k_record_bytes,
                        .record_schema_version = k_record_schema_version,
                        .segment_bytes = header.segment_bytes,
                        .number = header.number,
                        .first_sequence = header.first_sequence,
                        .created_ns = header.created.value,
                        .instance = header.identity.instance,
                        .engine = layout_of(header.identity.engine),
                        .crc = 0};
    layout.crc = crc_of(layout);
    std::memcpy(page.data(), &layout, sizeof layout);
    MoreLayout more{.rules_version = k_rules_version, .zero = {}, .crc = 0};
    more.crc = crc_of(more);
    std::memcpy(page.data() + k_more_offset, &more, sizeof more);
}

Result<SegmentHeader> read_header(const std::filesystem::path& path,
                                  std::span<const std::byte> file) {
    const auto refuse = [&](std::string_view why) {
        return std::unexpected{fmt::format("{}: {}", path.string(), why)};
    };
    if (file.size() < k_header_bytes)
        return refuse(
            fmt::format("{} bytes are too few for a journal segment, which begins with "
                        "{}: restore it from a complete copy",
                        file.size(), k_header_bytes));
    HeaderLayout layout;
    std::memcpy(&layout, file.data(), sizeof layout);
    if (layout.magic != k_magic)
        return refuse(
            "offset 0: not a journal segment (they begin with \"DAMRKJNL\"): remove "
            "it from the directory, or restore the segment from a copy");
    if (layout.crc != crc_of(layout)) return refuse(damage(0, layout.crc, crc_of(layout)));
    const auto refuse_version = [&](std::string_view what, std::uint32_t found,
                                    std::uint32_t ours) {
        return refuse(of_another_version(what, found, ours));
    };
    if (layout.format_version != k_format_version)
        return refuse_version("journal format", layout.format_version, k_format_version);
    MoreLayout more;
    std::memcpy(&more, file.data() + k_more_offset, sizeof more);
    if (more.crc != crc_of(more)) return refuse(damage(k_more_offset, more.crc, crc_of(more)));
    if (layout.record_schema_version != k_record_schema_version)
        return refuse_version("schema", layout.record_schema_version, k_record_schema_version);
    if (more.rules_version != k_rules_version)
        return refuse_version("rules version", more.rules_version, k_rules_version);
    if (const std::string why = refusal_of(layout, file.size()); !why.empty()) return refuse(why);
    return SegmentHeader{
        .identity = {.instance = layout.instance, .engine = config_of(layout.engine)},
        .segment_bytes = layout.segment_bytes,
        .number = layout.number,
        .first_sequence = layout.first_sequence,
        .created = Timestamp{layout.created_ns}};
}

std::uint64_t read_mark(std::span<const std::byte> file) {
    std::uint64_t newest = 0;
    for (const std::size_t offset : k_mark_offsets) {
        MarkLayout mark;
        std::memcpy(&mark, file.data() + offset, sizeof mark);
        if (mark.crc == crc_of_mark(mark.sequence)) newest = std::max(newest, mark.sequence);
    }
    return newest;
}

void write_mark(std::span<std::byte> file, std::uint64_t sequence) {
    // The newer mark stays until this one is complete, so the older place is overwritten.
    MarkLayout first;
    std::memcpy(&first, file.data() + k_mark_offsets[0], sizeof first);
    const bool first_is_newest =
        first.crc == crc_of_mark(first.sequence) && first.sequence == read_mark(file);
    const MarkLayout mark{.sequence = sequence, .crc = crc_of_mark(sequence), .zero = 0};
    std::memcpy(file.data() + k_mark_offsets[first_is_newest ? 1 : 0], &mark, sizeof mark);
}

}  // namespace damrak::journal
