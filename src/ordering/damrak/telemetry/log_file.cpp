#include <damrak/telemetry/log_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

namespace damrak::telemetry {

LogFile::LogFile(std::filesystem::path path, std::string_view header)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)),  // NOLINT
      block_(std::make_unique_for_overwrite<char[]>(k_block_bytes)),
      header_bytes_(header.size()) {
    if (descriptor_ < 0) fail();
    DAMRAK_ASSERT(header.size() <= k_block_bytes);
    used_ = header.copy(block_.get(), header.size());
}

void LogFile::fail() {
    error_ = fmt::format("{}: cannot be written, dropping rows: {}", path_.string(),
                         std::strerror(errno));
}

LogFile::~LogFile() {
    flush();
    if (descriptor_ >= 0) ::close(descriptor_);
}

void LogFile::flush() {
    std::string_view rest{block_.get(), used_};
    while (!rest.empty() && error_.empty()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
            bytes_ += static_cast<std::uint64_t>(written);
        } else if (errno != EINTR) {
            fail();
        }
    }
    // The header is a line and no row.
    const auto lost = static_cast<std::uint64_t>(std::ranges::count(rest, '\n'));
    lost_rows_ += lost - (lost > 0 && bytes_ < header_bytes_ ? 1 : 0);
    header_bytes_ = 0;
    used_ = 0;
}

}  // namespace damrak::telemetry
