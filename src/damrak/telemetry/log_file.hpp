// A text file that is only added to, through a buffer of its own. For the collector's thread. A
// failed write is told once by error(), and everything after it is counted as lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
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
    /// Writes what is still in the buffer.
    ~LogFile();

    template <class Record>
    void add(const Record& record) {
        csv::append_row(buffer_, record);
        ++rows_;
        if (buffer_.size() >= k_buffer_bytes) flush();
    }
    void flush();

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// Why rows were lost; empty if none was.
    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    LogFile(int descriptor, std::filesystem::path path);

    static constexpr std::size_t k_buffer_bytes = std::size_t{1} << 18U;

    int descriptor_;
    std::filesystem::path path_;
    std::string buffer_;
    std::string error_;
    std::uint64_t rows_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace damrak::telemetry
