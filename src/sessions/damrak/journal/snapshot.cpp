#include <damrak/journal/snapshot.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/crc32c.hpp>
#include <damrak/base/helper_pacing.hpp>
#include <damrak/journal/folder.hpp>

namespace damrak::journal {

namespace {

constexpr std::string_view k_prefix = "snapshot-";
constexpr std::string_view k_suffix = ".snap";
constexpr std::uint32_t k_snapshot_format = 1;
constexpr std::array<char, 8> k_magic{'D', 'A', 'M', 'R', 'K', 'S', 'N', 'P'};
constexpr std::array<char, 4> k_end_magic{'S', 'N', 'A', 'P'};

struct HeaderLayout {
    std::array<char, 8> magic;
    std::uint32_t format_version;
    std::uint32_t layout;
    std::uint64_t sequence;
    std::int64_t timestamp_ns;
    std::uint64_t state_hash;
    std::array<std::uint64_t, 2> instance;
    std::uint32_t rules_version;
    std::uint32_t zero;
};
static_assert(sizeof(HeaderLayout) == 64 && offsetof(HeaderLayout, instance) == 40);

struct EndLayout {
    std::uint64_t state_bytes;
    std::uint32_t crc;
    std::array<char, 4> magic;
};
static_assert(sizeof(EndLayout) == 16);

std::string refusal_of(const HeaderLayout& header) {
    if (header.format_version != k_snapshot_format)
        return of_another_version("snapshot format", header.format_version, k_snapshot_format);
    if (header.rules_version != k_rules_version)
        return of_another_version("rules version", header.rules_version, k_rules_version);
    return {};
}

}  // namespace

std::string snapshot_name(std::uint64_t sequence) {
    return fmt::format("{}{:020}{}", k_prefix, sequence, k_suffix);
}

std::optional<std::uint64_t> parse_snapshot_name(std::string_view name) {
    if (!name.starts_with(k_prefix) || !name.ends_with(k_suffix)) return std::nullopt;
    const auto digits =
        name.substr(k_prefix.size(), name.size() - k_prefix.size() - k_suffix.size());
    std::uint64_t sequence = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), sequence);
    if (error != std::errc{} || name != snapshot_name(sequence)) return std::nullopt;
    return sequence;
}

Result<std::vector<SnapshotFile>> list_snapshots(FileSystem& files,
                                                 const std::filesystem::path& folder) {
    const auto entries = files.list(folder);
    if (!entries) return std::unexpected{entries.error()};
    std::vector<SnapshotFile> found;
    for (const FileSystem::Entry& entry : *entries) {
        const auto sequence = parse_snapshot_name(entry.name);
        if (!sequence) continue;
        found.push_back({.path = folder / entry.name, .sequence = *sequence, .bytes = entry.bytes});
    }
    std::ranges::sort(found, std::ranges::greater{}, &SnapshotFile::sequence);
    return found;
}

SnapshotSink::SnapshotSink(FileSystem& files, const std::filesystem::path& folder,
                           const SnapshotInfo& info)
    : files_(&files),
      path_(folder / snapshot_name(info.sequence)),
      unfinished_(path_.string() + std::string{k_unfinished_suffix}),
      sequence_(info.sequence) {
    buffer_.reserve(k_buffer_bytes);
    auto file = files.create_output(unfinished_);
    if (file) {
        file_ = std::move(*file);
    } else {
        trouble_ = file.error();
    }
    const HeaderLayout header{.magic = k_magic,
                              .format_version = k_snapshot_format,
                              .layout = info.layout,
                              .sequence = info.sequence,
                              .timestamp_ns = info.timestamp.value,
                              .state_hash = info.state_hash,
                              .instance = info.instance,
                              .rules_version = k_rules_version,
                              .zero = 0};
    write(std::as_bytes(std::span{&header, 1}));
}

void SnapshotSink::operator()(std::span<const std::byte> bytes) {
    bytes_ += bytes.size();
    write(bytes);
}

void SnapshotSink::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const std::size_t taken = std::min(bytes.size(), k_buffer_bytes - buffer_.size());
        buffer_.insert(buffer_.end(), bytes.begin(),
                       bytes.begin() + static_cast<std::ptrdiff_t>(taken));
        bytes = bytes.subspan(taken);
        if (buffer_.size() < k_buffer_bytes) continue;
        flush();
        pause_helper();
    }
}

void SnapshotSink::flush() {
    crc_ = crc32c(buffer_, crc_);
    if (trouble_.empty())
        if (const auto written = file_->write(buffer_); !written) trouble_ = written.error();
    buffer_.clear();
}

void SnapshotSink::finish() {
    flush();
    const EndLayout end{.state_bytes = bytes_, .crc = crc_, .magic = k_end_magic};
    write(std::as_bytes(std::span{&end, 1}));
    flush();
    if (trouble_.empty())
        if (const auto synced = file_->sync(); !synced) trouble_ = synced.error();
}

Result<std::uint64_t> SnapshotSink::publish() {
    if (trouble_.empty())
        if (const auto named = files_->rename(unfinished_, path_); !named) trouble_ = named.error();
    if (!trouble_.empty()) {
        discard();
        return std::unexpected{trouble_};
    }
    done_ = true;
    return sizeof(HeaderLayout) + bytes_ + sizeof(EndLayout);
}

// If removal fails, the file does not have a snapshot's name, and the next snapshot of this
// sequence overwrites it.
void SnapshotSink::discard() {
    if (!std::exchange(done_, true)) static_cast<void>(files_->remove(unfinished_));
}

SnapshotSink::~SnapshotSink() { discard(); }

Result<OpenSnapshot> open_snapshot(FileSystem& files, const std::filesystem::path& path) {
    const auto refuse = [&](std::string_view why) {
        return std::unexpected{fmt::format("{}: {}", path.string(), why)};
    };
    auto file = files.open_mapped(path, FileSystem::Access::read);
    if (!file) return std::unexpected{file.error()};
    const std::span<const std::byte> bytes{(*file)->data(), (*file)->size()};
    if (bytes.size() < sizeof(HeaderLayout) + sizeof(EndLayout))
        return refuse(fmt::format("{} bytes are too few for a snapshot", bytes.size()));
    HeaderLayout header;
    std::memcpy(&header, bytes.data(), sizeof header);
    EndLayout end;
    const auto content = bytes.first(bytes.size() - sizeof end);
    std::memcpy(&end, content.data() + content.size(), sizeof end);
    if (header.magic != k_magic) return refuse("offset 0: not a snapshot");
    if (end.magic != k_end_magic || end.state_bytes != content.size() - sizeof header)
        return refuse(fmt::format("offset {}: the snapshot is not complete", content.size()));
    if (const std::uint32_t crc = crc32c(content); crc != end.crc)
        return refuse(
            fmt::format("the snapshot is damaged: its checksum is {:08x}, and its bytes "
                        "give {:08x}",
                        end.crc, crc));
    return OpenSnapshot{.info = {.sequence = header.sequence,
                                 .timestamp = Timestamp{header.timestamp_ns},
                                 .state_hash = header.state_hash,
                                 .layout = header.layout,
                                 .instance = header.instance},
                        .file = std::move(*file),
                        .state = content.subspan(sizeof header),
                        .refusal = refusal_of(header)};
}

Result<std::optional<OpenSnapshot>> find_snapshot(FileSystem& files,
                                                  const std::filesystem::path& folder,
                                                  const JournalIdentity& identity,
                                                  std::uint32_t layout, std::uint64_t latest,
                                                  std::vector<std::string>& notes) {
    const auto snapshots = list_snapshots(files, folder);
    if (!snapshots) return std::unexpected{snapshots.error()};
    for (const SnapshotFile& snapshot : *snapshots) {
        if (snapshot.sequence > latest) {
            notes.push_back(fmt::format("{}: a follower still needs earlier records: passed over",
                                        snapshot.path.string()));
            continue;
        }
        auto opened = open_snapshot(files, snapshot.path);
        if (!opened) {
            notes.push_back(opened.error() + ": passed over");
        } else if (opened->info.sequence != snapshot.sequence) {
            notes.push_back(
                fmt::format("{}: its sequence is {}, which differs from its name: "
                            "passed over",
                            snapshot.path.string(), opened->info.sequence));
        } else if (opened->info.instance != identity.instance) {
            notes.push_back(snapshot.path.string() + ": it is of another journal: passed over");
        } else if (!opened->refusal.empty()) {
            return std::unexpected{snapshot.path.string() + ": " + opened->refusal};
        } else if (opened->info.layout != layout) {
            notes.push_back(snapshot.path.string() +
                            ": another version of Damrak wrote it, and this one cannot read "
                            "its snapshots: passed over");
        } else {
            return *std::move(opened);
        }
    }
    return std::nullopt;
}

}  // namespace damrak::journal
