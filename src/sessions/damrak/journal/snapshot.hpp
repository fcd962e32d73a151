// Snapshots: the state after some record, in a file `snapshot-<sequence, 20 digits>.snap`, so that
// a restart replays only later records. A replica that follows the journal writes them, never the
// sequencing thread; they are read at start. Costs the size of the state, at the speed of its
// checksum.
//
//   offset  bytes
//        0      8  magic "DAMRKSNP"
//        8      4  format_version
//       12      4  layout          of the state; a snapshot of any other is passed over
//       16      8  sequence        of the last record contained in it
//       24      8  timestamp_ns    of that record
//       32      8  state_hash
//       40     16  instance        of the journal
//       56      4  rules_version   of the state
//       60      4  (zero)
//       64      …  state
//     last     16  bytes of state (8), CRC-32C of all before it (4), magic "SNAP"
//
// A file gets its name only once it is complete and on disk, and so are the records up to it.
//
// State is anything with `state_hash()`, `state_layout()` and `transfer(self, archive)`; see
// exchange_state.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/serialize.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/journal/segment.hpp>

namespace damrak::journal {

/// What the head of a snapshot says.
struct SnapshotInfo {
    std::uint64_t sequence = 0;
    Timestamp timestamp{};
    std::uint64_t state_hash = 0;
    std::uint32_t layout = 0;
    std::array<std::uint64_t, 2> instance{};
};

[[nodiscard]] std::string snapshot_name(std::uint64_t sequence);
/// The sequence number in a name of this form.
[[nodiscard]] std::optional<std::uint64_t> parse_snapshot_name(std::string_view name);

/// A snapshot that is there.
struct SnapshotFile {
    std::filesystem::path path;
    std::uint64_t sequence = 0;
    std::uint64_t bytes = 0;
};
/// By their names alone, the newest first.
[[nodiscard]] Result<std::vector<SnapshotFile>> list_snapshots(FileSystem& files,
                                                               const std::filesystem::path& folder);

/// Writes a snapshot piece by piece; errors are reported at the end. Unpublished snapshots are
/// removed.
class SnapshotSink {
  public:
    SnapshotSink(FileSystem& files, const std::filesystem::path& folder, const SnapshotInfo& info);
    SnapshotSink(const SnapshotSink&) = delete;
    SnapshotSink& operator=(const SnapshotSink&) = delete;
    ~SnapshotSink();
    void operator()(std::span<const std::byte> bytes);
    /// Completes the file and syncs it to disk.
    void finish();
    /// Gives the file its name and returns its size; after an error the file is removed.
    [[nodiscard]] Result<std::uint64_t> publish();
    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }

  private:
    void write(std::span<const std::byte> bytes);
    void flush();
    void discard();

    static constexpr std::size_t k_buffer_bytes = std::size_t{256} << 10U;

    FileSystem* files_;
    std::filesystem::path path_;
    std::filesystem::path unfinished_;
    std::unique_ptr<OutputFile> file_;
    std::vector<std::byte> buffer_;
    std::uint64_t sequence_;
    std::uint64_t bytes_ = 0;
    std::uint32_t crc_ = 0;
    bool done_ = false;  ///< it has its name, or was removed
    std::string trouble_;
};

/// A snapshot with a valid checksum, in memory.
struct OpenSnapshot {
    SnapshotInfo info;
    std::unique_ptr<MappedFile> file;
    std::span<const std::byte> state;
    std::string refusal;  ///< why this program cannot read it; empty: it can
};
[[nodiscard]] Result<OpenSnapshot> open_snapshot(FileSystem& files,
                                                 const std::filesystem::path& path);

template <class State>
[[nodiscard]] Result<std::uint64_t> write_snapshot(FileSystem& files,
                                                   const std::filesystem::path& folder,
                                                   const SnapshotInfo& info, const State& state) {
    SnapshotSink sink{files, folder, info};
    SaveArchive archive{sink};
    State::transfer(state, archive);
    sink.finish();
    return sink.publish();
}

/// The newest snapshot that was usable.
struct LoadedSnapshot {
    std::optional<SnapshotInfo> info;  ///< empty: no snapshot was usable
    std::vector<std::string> notes;    ///< why others were passed over
};

/// Loads the newest valid snapshot of this journal into `state`, which must be empty and stays so
/// if there is none. Skips snapshots of records after `latest`. Fails only if a valid snapshot does
/// not load, or another version wrote it.
template <class State>
[[nodiscard]] Result<LoadedSnapshot> load_newest_snapshot(FileSystem& files,
                                                          const std::filesystem::path& folder,
                                                          const JournalIdentity& identity,
                                                          State& state,
                                                          std::uint64_t latest = UINT64_MAX);

// The part that does not depend on the type of the state.
[[nodiscard]] Result<std::optional<OpenSnapshot>> find_snapshot(
    FileSystem& files, const std::filesystem::path& folder, const JournalIdentity& identity,
    std::uint32_t layout, std::uint64_t latest, std::vector<std::string>& notes);

template <class State>
Result<LoadedSnapshot> load_newest_snapshot(FileSystem& files, const std::filesystem::path& folder,
                                            const JournalIdentity& identity, State& state,
                                            std::uint64_t latest) {
    LoadedSnapshot result;
    const auto found =
        find_snapshot(files, folder, identity, State::state_layout(), latest, result.notes);
    if (!found) return std::unexpected{found.error()};
    if (!*found) return result;
    LoadArchive archive{(*found)->state};
    State::transfer(state, archive);
    result.info = (*found)->info;
    if (archive.complete() && state.state_hash() == result.info->state_hash) return result;
    return std::unexpected{(folder / snapshot_name(result.info->sequence)).string() +
                           ": its checksum is right, but its content is not that of a state: "
                           "remove it, and the journal is replayed from an earlier place"};
}

}  // namespace damrak::journal
