// A CSV file for each kind of record, in one folder, named after the records. For the collector's
// thread. Stops at a maximum size, so that a forgotten log does not fill the disk, and counts the
// rows dropped after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <tuple>

#include <damrak/telemetry/detail/csv.hpp>
#include <damrak/telemetry/log_file.hpp>

namespace damrak::telemetry {

template <class... Records>
class FileSet {
  public:
    /// Creates the folder and the files.
    FileSet(const std::filesystem::path& folder, std::uint64_t maximum_bytes)
        : files_(File<Records>{make_file<Records>(folder)}...), maximum_bytes_(maximum_bytes) {}

    template <class Record>
    void add(const Record& record) {
        if (full_) [[unlikely]] {
            ++skipped_rows_;
            return;
        }
        std::get<File<Record>>(files_).file->add(record);
    }

    /// Makes the rows so far visible to readers, and checks the maximum size.
    void flush() {
        std::uint64_t bytes = 0;
        each([&](LogFile& file) {
            file.flush();
            bytes += file.bytes();
        });
        full_ = bytes >= maximum_bytes_;
    }

    [[nodiscard]] std::uint64_t skipped_rows() const { return skipped_rows_; }
    /// Why rows were lost; empty if none were.
    [[nodiscard]] std::string error() const {
        std::string first;
        each([&](const LogFile& file) {
            if (first.empty()) first = file.error();
        });
        return first;
    }
    [[nodiscard]] std::uint64_t lost_rows() const {
        std::uint64_t rows = 0;
        each([&](const LogFile& file) { rows += file.lost_rows(); });
        return rows;
    }
    static void each_name(auto&& see) { (see(Records::k_name), ...); }

  private:
    template <class Record>
    struct File {
        std::unique_ptr<LogFile> file;
    };
    using Files = std::tuple<File<Records>...>;

    // What is wrong with the folder is wrong with its files.
    template <class Record>
    [[nodiscard]] static std::unique_ptr<LogFile> make_file(const std::filesystem::path& folder) {
        std::error_code ignored;
        std::filesystem::create_directories(folder, ignored);
        return std::make_unique<LogFile>(folder / (std::string{Record::k_name} + ".csv"),
                                         csv::header<Record>());
    }
    void each(auto&& see) const { (see(*std::get<File<Records>>(files_).file), ...); }

    Files files_;
    std::uint64_t maximum_bytes_;
    std::uint64_t skipped_rows_ = 0;
    bool full_ = false;
};

}  // namespace damrak::telemetry
