#include <damrak/telemetry/log_file.hpp>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

namespace damrak::telemetry {

std::expected<LogFile, std::string> LogFile::make(const std::filesystem::path& path,
                                                  std::string_view header) {
    const int descriptor =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);  // NOLINT(*-vararg)
    if (descriptor < 0)
        return std::unexpected{
            fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno))};
    LogFile made{descriptor, path};
    DAMRAK_ASSERT(header.size() <= k_block_bytes);
    made.used_ = header.copy(made.block_.get(), header.size());
    return made;
}

LogFile::LogFile(int descriptor, std::filesystem::path path)
    : descriptor_(descriptor),
      path_(std::move(path)),
      block_(std::make_unique_for_overwrite<char[]>(k_block_bytes)) {}

LogFile::LogFile(LogFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      block_(std::move(other.block_)),
      used_(other.used_),
      error_(std::move(other.error_)),
      bytes_(other.bytes_) {}

LogFile::~LogFile() {
    if (descriptor_ < 0) return;
    flush();
    ::close(descriptor_);
}

void LogFile::flush() {
    std::string_view rest{block_.get(), used_};
    while (!rest.empty() && error_.empty()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
            bytes_ += static_cast<std::uint64_t>(written);
        } else if (errno != EINTR) {
            error_ = fmt::format("{}: cannot be written, dropping rows: {}", path_.string(),
                                 std::strerror(errno));
        }
    }
    used_ = 0;
}

}  // namespace damrak::telemetry
