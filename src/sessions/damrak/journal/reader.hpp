// Reads the records of a journal in order, from any of them on, and checks each: checksum,
// position, schema, and that time does not go back. Records are used in place, in the mapped file.
// One thread; a record costs its checksum, some 10 ns. It can follow a journal that is being
// written: at the end it returns nothing, and more later.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <damrak/journal/file_system.hpp>
#include <damrak/journal/folder.hpp>
#include <damrak/journal/record.hpp>

namespace damrak::journal {

/// Reads the records of a journal in order, while it is written.
class JournalReader {
  public:
    /// Maximum records in a batch.
    static constexpr std::size_t k_batch = 64;

    /// Begins with record `from`, which need not exist yet. The record before it must, unless
    /// `from` is the first.
    [[nodiscard]] static Result<JournalReader> open(FileSystem& files,
                                                    const std::filesystem::path& folder,
                                                    std::uint64_t from);
    /// The same for folder contents that were already read.
    [[nodiscard]] static Result<JournalReader> open(FileSystem& files,
                                                    const std::filesystem::path& folder,
                                                    const JournalFolder& contents,
                                                    std::uint64_t from);

    /// The next valid records, up to `limit`; none at the end, or if the next one is invalid.
    [[nodiscard]] std::span<const Record> next(std::size_t limit = k_batch);

    /// Why next() returned nothing.
    enum class Stop : std::uint8_t {
        end,         ///< there is no record here, or none yet
        unsound,     ///< a record differs from what was written: see trouble()
        unreadable,  ///< a record or segment in an unreadable format: see trouble()
    };
    [[nodiscard]] Stop stop() const { return stop_; }
    /// What is wrong, where, and what was expected.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }

    /// The next record that next() would return.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// Time of the previous record; the minimum if there was none.
    [[nodiscard]] Timestamp last_timestamp() const { return last_timestamp_; }
    /// The segment that is being read.
    [[nodiscard]] const SegmentFile& segment() const { return segment_; }

  private:
    JournalReader(FileSystem& files, std::filesystem::path folder)
        : files_(&files), folder_(std::move(folder)) {}

    [[nodiscard]] Result<void> enter(const std::filesystem::path& path);
    [[nodiscard]] bool enter_next();
    [[nodiscard]] bool check(const Record& record);
    [[nodiscard]] const Record* record_at(std::uint64_t sequence) const;
    void explain(const Record& record, std::uint64_t sequence);

    FileSystem* files_;
    std::filesystem::path folder_;
    std::unique_ptr<MappedFile> file_;
    SegmentFile segment_;
    std::uint64_t position_ = 1;
    Timestamp last_timestamp_{INT64_MIN};
    Stop stop_ = Stop::end;
    std::string trouble_;
};

}  // namespace damrak::journal
