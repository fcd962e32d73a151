#include <damrak/telemetry/log_file.hpp>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace damrak::telemetry {

std::expected<LogFile, std::string> LogFile::make(const std::filesystem::path& path,
                                                  std::string_view header) {
    const int descriptor =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);  // NOLINT(*-vararg)
    if (descriptor < 0)
        return std::unexpected{
            fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno))};
    LogFile made{descriptor, path};
    made.buffer_ = header;
    return made;
}

LogFile::LogFile(int descriptor, std::filesystem::path path)
    : descriptor_(descriptor), path_(std::move(path)) {
    constexpr std::size_t k_longest_row = 512;
    buffer_.reserve(k_buffer_bytes + k_longest_row);
}

LogFile::LogFile(LogFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      buffer_(std::move(other.buffer_)),
      error_(std::move(other.error_)),
      rows_(other.rows_),
      bytes_(other.bytes_) {}

LogFile::~LogFile() {
    if (descriptor_ < 0) return;
    flush();
    ::close(descriptor_);
}

void LogFile::flush() {
    std::string_view rest = buffer_;
    while (!rest.empty() && error_.empty()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
            bytes_ += static_cast<std::uint64_t>(written);
        } else if (errno != EINTR) {
            error_ = fmt::format("{}: cannot be written, rows are lost: {}", path_.string(),
                                 std::strerror(errno));
        }
    }
    buffer_.clear();
}

}  // namespace damrak::telemetry
