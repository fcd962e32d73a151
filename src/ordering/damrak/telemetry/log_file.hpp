// An append-only text file with its own block of memory, which is written out when it may have no
// room for the next row. The block is small enough that those of all files stay in the cache, and
// large enough that the cost of writes is negligible. For the collector's thread. error() reports a
// failed write once; all later rows are lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <damrak/telemetry/detail/csv.hpp>

namespace damrak::telemetry {

class LogFile {
  public:
    /// Creates or truncates the file and writes `header`.
    [[nodiscard]] static std::expected<LogFile, std::string> make(const std::filesystem::path& path,
                                                                  std::string_view header);
    LogFile(LogFile&& other) noexcept;
    LogFile& operator=(LogFile&&) = delete;
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

  private:
    LogFile(int descriptor, std::filesystem::path path);

    static constexpr std::size_t k_block_bytes = std::size_t{1} << 16U;

    int descriptor_;
    std::filesystem::path path_;
    std::unique_ptr<char[]> block_;
    std::size_t used_ = 0;
    csv::RowWriter writer_;
    std::string error_;
    std::uint64_t bytes_ = 0;
};

}  // namespace damrak::telemetry
