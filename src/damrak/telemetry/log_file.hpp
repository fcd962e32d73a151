// A text file that is only added to, through a block of memory of its own that is written when the
// next row may have no room in it: small enough that those of all files stay in the cache beside
// what the exchange uses, large enough that the writes do not count. For the collector's thread. A
// failed write is told once by error(), and everything after it is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <damrak/telemetry/csv.hpp>

namespace damrak::telemetry {

class LogFile {
  public:
    /// Makes the file anew and writes `header` into it.
    [[nodiscard]] static std::expected<LogFile, std::string> make(const std::filesystem::path& path,
                                                                  std::string_view header);
    LogFile(LogFile&& other) noexcept;
    LogFile& operator=(LogFile&&) = delete;
    /// Writes what is still in the block.
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
    /// Why rows were lost; empty if none was.
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
