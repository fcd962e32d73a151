#include <damrak/files/detail/file_in_place.hpp>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace damrak::files::detail {

namespace {

constexpr mode_t k_new_file_mode = 0644;

std::string error_text() { return std::generic_category().message(errno); }

std::unexpected<std::string> cannot_create(const std::string& name) {
    return std::unexpected{fmt::format("{}: cannot create: {}", name, error_text())};
}

// Resolves symbolic links: the file is replaced, not the link.
std::filesystem::path real_path(const std::filesystem::path& path) {
    std::error_code unknown;
    auto real = std::filesystem::weakly_canonical(path, unknown);
    return unknown ? path : real;
}

}  // namespace

std::expected<FileInPlace, std::string> FileInPlace::create(const std::filesystem::path& path) {
    if (path == "-") {
        const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        if (out < 0) return cannot_create("standard output");
        return FileInPlace{out, "standard output"};
    }
    struct stat info{};
    const bool exists = ::stat(path.c_str(), &info) == 0;
    if (!exists) return create_beside(path, k_new_file_mode);
    if (!S_ISREG(info.st_mode)) {
        const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file < 0) return cannot_create(path.string());
        return FileInPlace{file, path.string()};
    }
    // A read-only file must not be replaced either.
    if (::access(path.c_str(), W_OK) != 0) return cannot_create(path.string());
    auto created = create_beside(path, k_new_file_mode);
    if (created) ::fchmod(created->descriptor_, info.st_mode & 07777U);
    return created;
}

std::expected<FileInPlace, std::string> FileInPlace::append_to(const std::filesystem::path& path,
                                                               std::uint64_t size) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return std::unexpected{fmt::format("{}: cannot open: {}", path.string(), error_text())};
    FileInPlace appended{file, path.string()};
    const auto end = static_cast<off_t>(size);
    if (::ftruncate(file, end) != 0 || ::lseek(file, end, SEEK_SET) != end)
        return std::unexpected{fmt::format("{}: cannot append: {}", path.string(), error_text())};
    // The process that made it may have been killed before its name was on the disk.
    appended.name_synced_ = false;
    appended.folder_ = path.has_parent_path() ? path.parent_path() : ".";
    appended.claim();
    return appended;
}

std::expected<FileInPlace, std::string> FileInPlace::create_beside(
    const std::filesystem::path& path, unsigned mode) {
    const std::filesystem::path target = real_path(path);
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    const auto beside = folder / fmt::format(".{}.{}.part", target.filename().string(), ::getpid());
    int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    const bool nameless = file >= 0;
    if (!nameless && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (file < 0) return cannot_create(path.string());
    FileInPlace created{file, path.string()};
    created.target_ = target;
    created.beside_ = beside;
    created.named_ = !nameless;
    return created;
}

FileInPlace::FileInPlace(FileInPlace&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)},
      name_{std::move(other.name_)},
      target_{std::move(other.target_)},
      beside_{std::move(other.beside_)},
      named_{std::exchange(other.named_, false)},
      name_synced_{other.name_synced_},
      folder_{std::move(other.folder_)},
      error_{std::move(other.error_)} {}

FileInPlace::~FileInPlace() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (named_) ::unlink(beside_.c_str());
}

void FileInPlace::write(std::span<const std::byte> bytes) {
    while (!bytes.empty() && error_.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            fail(error_text());
        }
    }
}

// Some file systems report a full disk only when the file is closed. So the file gets a temporary
// name before closing, and its final name after it.
void FileInPlace::finish() {
    if (descriptor_ < 0 || !error_.empty()) return;
    link_beside();
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(error_text());
}

void FileInPlace::link_beside() {
    if (target_.empty() || named_) return;
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
    ::unlink(beside_.c_str());  // left by an earlier process with the same id
    named_ = ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, beside_.c_str(), AT_SYMLINK_FOLLOW) == 0;
    if (!named_) fail(error_text());
}

void FileInPlace::show() {
    if (!error_.empty()) return;
    claim();
    link_beside();
    take_place();
    target_.clear();  // the file has its name now
}

// Only readers look at the lock, so a file system without locks costs them a word, not the file.
void FileInPlace::claim() const {
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    ::fcntl(descriptor_, F_OFD_SETLK, &lock);
}

bool FileInPlace::is_claimed(int descriptor) {
    struct flock lock{};
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    return ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void FileInPlace::take_place() {
    if (!named_ || !error_.empty()) return;
    if (::rename(beside_.c_str(), target_.c_str()) != 0) return fail(error_text());
    named_ = false;
    name_synced_ = false;
    folder_ = target_.has_parent_path() ? target_.parent_path() : ".";
}

void FileInPlace::sync() {
    if (descriptor_ < 0 || !error_.empty()) return;
    if (::fdatasync(descriptor_) != 0) return fail(error_text());
    if (!name_synced_) sync_folder();
}

void FileInPlace::sync_folder() {
    const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && ::fsync(folder) == 0;
    if (!synced) fail(error_text());
    if (folder >= 0) ::close(folder);
    name_synced_ = synced;
}

void FileInPlace::fail(std::string_view why) {
    if (error_.empty()) error_ = fmt::format("{}: cannot write: {}", name_, why);
}

}  // namespace damrak::files::detail
