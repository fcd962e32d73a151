// An append-only text file with its own block of memory, which is written out when it may have no
// room for the next row. The block is small enough that those of all files stay in the cache, and
// large enough that the cost of writes is negligible. For the collector's thread. A file that
// cannot be opened or written loses its rows from then on: error() says why, lost_rows() how many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <damrak/telemetry/detail/csv.hpp>

namespace damrak::telemetry {

class LogFile {
  public:
    /// Creates or truncates the file, for its owner only, and writes `header`, a line.
    LogFile(std::filesystem::path path, std::string_view header);
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;
    /// Writes out the rest of the block.
    ~LogFile();

    template <class Record>
    void add(const Record& record) {
        static_assert(csv::k_row_room<Record> <= k_block_bytes);
        if (csv::k_row_room<Record> > k_block_bytes - used_) [[unlikely]]
            flush();
        used_ = static_cast<std::size_t>(writer_.put_row(&block_[used_], record) - block_.get());
    }
    void flush();

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// Why rows were lost; empty if none were.
    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] std::uint64_t lost_rows() const { return lost_rows_; }

  private:
    void fail();

    static constexpr std::size_t k_block_bytes = std::size_t{1} << 16U;

    std::filesystem::path path_;
    int descriptor_;
    std::unique_ptr<char[]> block_;
    std::size_t used_ = 0;
    std::size_t header_bytes_;
    csv::RowWriter writer_;
    std::string error_;
    std::uint64_t bytes_ = 0;
    std::uint64_t lost_rows_ = 0;
};

}  // namespace damrak::telemetry
