// Reads the records of a journal in their order, from any of them on, and checks each: checksum,
// place, schema, that time does not go back. Records are looked at where they lie, in the mapped
// file. One thread; a record costs its checksum, some 10 ns. It may follow a journal that is being
// written: at its end it gives nothing, and more later.
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

class JournalReader {
  public:
    /// The most records of one batch.
    static constexpr std::size_t k_batch = 64;

    /// Begins with record `from`, which need not be there yet; the one before it must be, if it is
    /// not the first of all.
    [[nodiscard]] static Result<JournalReader> open(FileSystem& files,
                                                    const std::filesystem::path& folder,
                                                    std::uint64_t from);
    /// The same, in a folder that was looked at.
    [[nodiscard]] static Result<JournalReader> open(FileSystem& files,
                                                    const std::filesystem::path& folder,
                                                    const JournalFolder& contents,
                                                    std::uint64_t from);

    /// The next records, sound ones, up to `limit`; none at the end, or where one is not sound.
    [[nodiscard]] std::span<const Record> next(std::size_t limit = k_batch);

    /// Why next() gave nothing.
    enum class Stop : std::uint8_t {
        end,         ///< no record is here, or none yet
        unsound,     ///< a record differs from what was written: see trouble()
        unreadable,  ///< a record or segment of a form that cannot be read: see trouble()
    };
    [[nodiscard]] Stop stop() const { return stop_; }
    /// What is wrong, where, and what was expected.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }

    /// The record that next() would give first.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// Time of the previous record; the minimum if there was none.
    [[nodiscard]] Timestamp last_timestamp() const { return last_timestamp_; }
    /// The segment that it reads.
    [[nodiscard]] const SegmentFile& segment() const { return segment_; }

  private:
    JournalReader(FileSystem& files, std::filesystem::path folder)
        : files_(&files), folder_(std::move(folder)) {}

    [[nodiscard]] Result<void> enter(const std::filesystem::path& path,
                                     const std::vector<FileSystem::Entry>& entries);
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
