#include <damrak/wire/itch/file_writer.hpp>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace damrak::wire::itch {

std::expected<FileWriter, std::string> FileWriter::create(const std::filesystem::path& path) {
    constexpr int k_mode = 0644;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, k_mode);
    if (file < 0) {
        return std::unexpected{fmt::format("{}: cannot create: {}", path.string(),
                                           std::generic_category().message(errno))};
    }
    return FileWriter{file, path.string()};
}

FileWriter::FileWriter(int file, std::string name)
    : file_{file},
      name_{std::move(name)},
      buffer_{std::make_unique_for_overwrite<std::byte[]>(k_buffer_bytes)} {}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : file_{std::exchange(other.file_, -1)},
      name_{std::move(other.name_)},
      error_{std::move(other.error_)},
      buffer_{std::move(other.buffer_)},
      used_{std::exchange(other.used_, 0)} {}

FileWriter& FileWriter::operator=(FileWriter&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(name_, other.name_);
    std::swap(error_, other.error_);
    std::swap(buffer_, other.buffer_);
    std::swap(used_, other.used_);
    return *this;
}

FileWriter::~FileWriter() { (void)close(); }

void FileWriter::flush() {
    std::size_t done = 0;
    while (done < used_ && error_.empty()) {
        const ssize_t count = ::write(file_, buffer_.get() + done, used_ - done);
        if (count >= 0) {
            done += static_cast<std::size_t>(count);
        } else if (errno != EINTR) {
            error_ =
                fmt::format("{}: cannot write: {}", name_, std::generic_category().message(errno));
        }
    }
    used_ = 0;
}

std::expected<void, std::string> FileWriter::close() {
    if (file_ >= 0) {
        flush();
        if (::close(std::exchange(file_, -1)) != 0 && error_.empty()) {
            error_ =
                fmt::format("{}: cannot close: {}", name_, std::generic_category().message(errno));
        }
    }
    if (!error_.empty()) return std::unexpected{error_};
    return {};
}

}  // namespace damrak::wire::itch
