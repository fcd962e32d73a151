// The system's files: POSIX calls; every error names its file.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <damrak/base/helper_pacing.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::journal {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_page_bytes = 4'096;
/// Reserve and unmap in pieces of this size: during one such call the kernel does not release the
/// core.
constexpr std::size_t k_piece_bytes = 256 * k_page_bytes;

std::unexpected<std::string> failure(std::string_view what, const fs::path& path, int error) {
    return std::unexpected{fmt::format("cannot {} {}: {}", what, path.string(),
                                       std::generic_category().message(error))};
}

class Descriptor {
  public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() { close(); }
    void close() {
        if (value_ >= 0) ::close(std::exchange(value_, -1));
    }
    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] bool valid() const { return value_ >= 0; }

  private:
    int value_;
};

/// The error number, or zero.
int reserve(const Descriptor& file, std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t length = std::min<std::uint64_t>(k_piece_bytes, bytes - done);
        if (const int error =
                ::posix_fallocate(file.get(), static_cast<off_t>(done), static_cast<off_t>(length));
            error != 0)
            return error;
        done += length;
        if (done < bytes) pause_helper();
    }
    return 0;
}

class RealMappedFile final : public MappedFile {
  public:
    static Result<std::unique_ptr<MappedFile>> map(const fs::path& path, Descriptor file,
                                                   std::uint64_t bytes, int protection) {
        void* data = nullptr;
        if (bytes > 0) data = ::mmap(nullptr, bytes, protection, MAP_SHARED, file.get(), 0);
        if (data == MAP_FAILED) return failure("map", path, errno);
        return std::make_unique<RealMappedFile>(path, std::move(file), data, bytes);
    }
    RealMappedFile(fs::path path, Descriptor file, void* data, std::size_t bytes)
        : path_(std::move(path)), file_(std::move(file)) {
        data_ = static_cast<std::byte*>(data);
        size_ = bytes;
    }
    ~RealMappedFile() override {
        while (size_ > 0) {
            const std::size_t length = std::min(k_piece_bytes, size_);
            ::munmap(data_, length);
            data_ += length;
            size_ -= length;
            if (size_ > 0) pause_helper();
        }
    }

    // The following sync reports errors of this call.
    void begin_sync(std::size_t offset, std::size_t length) override {
        if (!file_.valid()) return;
        const std::size_t first = offset / k_page_bytes * k_page_bytes;
        ::sync_file_range(file_.get(), static_cast<off_t>(first),
                          static_cast<off_t>(offset + length - first), SYNC_FILE_RANGE_WRITE);
    }

    Result<void> sync(std::size_t offset, std::size_t length) override {
        const std::size_t first = offset / k_page_bytes * k_page_bytes;
        if (::msync(data_ + first, offset + length - first, MS_SYNC) == 0) return {};
        const int error = errno;
        return failure("sync", name(), error);
    }

    void prefault(std::size_t offset, std::size_t length) override {
        if (offset >= size_) return;
        const std::size_t first = offset / k_page_bytes * k_page_bytes;
        const std::size_t last = std::min(offset + length, size_);
        if (::madvise(data_ + first, last - first, MADV_POPULATE_WRITE) == 0) return;
        // Before Linux 5.14: a store that changes nothing, even if another thread writes there.
        for (std::size_t at = first; at < last; at += k_page_bytes)
            __atomic_fetch_or(reinterpret_cast<unsigned char*>(data_ + at), 0, __ATOMIC_RELAXED);
    }

    void use_large_pages() override { ::madvise(data_, size_, MADV_HUGEPAGE); }

    void close_descriptor() override { file_.close(); }

    std::size_t next_data(std::size_t offset) const override {
        if (!file_.valid()) return offset;
        const off_t found = ::lseek(file_.get(), static_cast<off_t>(offset), SEEK_DATA);
        if (found >= 0) return static_cast<std::size_t>(found);
        return errno == ENXIO ? size_ : offset;  // ENXIO: a hole up to the end
    }

  private:
    // Current name of the file, which may have been renamed since it was opened.
    [[nodiscard]] fs::path name() const {
        std::error_code error;
        const fs::path link = fmt::format("/proc/self/fd/{}", file_.get());
        const fs::path found = fs::read_symlink(link, error);
        return !error && fs::exists(found, error) ? found : path_;
    }

    fs::path path_;
    Descriptor file_;
};

class RealOutputFile final : public OutputFile {
  public:
    RealOutputFile(fs::path path, Descriptor file)
        : path_(std::move(path)), file_(std::move(file)) {}

    Result<void> write(std::span<const std::byte> bytes) override {
        while (!bytes.empty()) {
            const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
            if (written < 0) {
                if (errno == EINTR) continue;
                return failure("write", path_, errno);
            }
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        return {};
    }
    Result<void> sync() override {
        if (::fsync(file_.get()) != 0) return failure("sync", path_, errno);
        return {};
    }

  private:
    fs::path path_;
    Descriptor file_;
};

class RealFolderLock final : public FolderLock {
  public:
    explicit RealFolderLock(Descriptor file) : file_(std::move(file)) {}

  private:
    Descriptor file_;
};

// For is_being_read(): a lock that lasts as long as the map does. False: the file has another name
// by now, and the process that changed it may have seen no reader. Where files have no such locks,
// all are taken to be read.
bool begin_reading(const Descriptor& file, const fs::path& path) {
    if (::flock(file.get(), LOCK_SH | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    struct stat opened{};
    struct stat named{};
    return ::fstat(file.get(), &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Syncs the directory, so that the file's name is on disk.
Result<void> sync_folder_of(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path{"."};
    const Descriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!opened.valid()) return failure("open", folder, errno);
    if (::fsync(opened.get()) != 0) return failure("sync", folder, errno);
    return {};
}

class RealFiles final : public FileSystem {
  public:
    Result<std::unique_ptr<MappedFile>> create_mapped(const fs::path& path,
                                                      std::uint64_t bytes) override {
        Descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644)};
        if (!file.valid()) return failure("create", path, errno);
        if (const int error = reserve(file, bytes); error != 0) {
            ::unlink(path.c_str());
            return failure(fmt::format("reserve {} bytes for", bytes), path, error);
        }
        auto mapped = RealMappedFile::map(path, std::move(file), bytes, PROT_READ | PROT_WRITE);
        // There is nothing to read ahead. For a fault on the first page the kernel would make up to
        // 8 MiB present, which takes a millisecond and more.
        if (mapped) ::madvise((*mapped)->data(), bytes, MADV_RANDOM);
        return mapped;
    }

    Result<std::unique_ptr<MappedFile>> open_mapped(const fs::path& path, Access access) override {
        const bool writable = access == Access::write;
        Descriptor file{::open(path.c_str(), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC)};
        if (!file.valid()) return failure("open", path, errno);
        if (!writable && !begin_reading(file, path)) return open_mapped(path, access);
        struct stat status{};
        if (::fstat(file.get(), &status) != 0) return failure("examine", path, errno);
        return RealMappedFile::map(path, std::move(file),
                                   static_cast<std::uint64_t>(status.st_size),
                                   writable ? PROT_READ | PROT_WRITE : PROT_READ);
    }

    bool is_being_read(const fs::path& path) override {
        const Descriptor file{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
        return !file.valid() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0;
    }

    Result<std::unique_ptr<OutputFile>> create_output(const fs::path& path) override {
        Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
        if (!file.valid()) return failure("create", path, errno);
        return std::make_unique<RealOutputFile>(path, std::move(file));
    }

    Result<void> rename(const fs::path& from, const fs::path& to) override {
        if (::rename(from.c_str(), to.c_str()) != 0) return failure("rename", from, errno);
        return sync_folder_of(to);
    }

    Result<void> remove(const fs::path& path) override {
        if (::unlink(path.c_str()) != 0) return failure("remove", path, errno);
        return sync_folder_of(path);
    }

    Result<std::vector<Entry>> list(const fs::path& folder) override {
        std::vector<Entry> entries;
        std::error_code error;
        if (!fs::exists(folder, error)) return entries;
        for (fs::directory_iterator at{folder, error}, end; !error && at != end;
             at.increment(error)) {
            std::error_code vanished;  // a file may vanish meanwhile
            const std::uintmax_t bytes =
                at->is_regular_file(vanished) ? at->file_size(vanished) : 0;
            if (!vanished && at->is_regular_file(vanished))
                entries.push_back({at->path().filename().string(), bytes});
        }
        if (error) return failure("list", folder, error.value());
        std::ranges::sort(entries, {}, &Entry::name);
        return entries;
    }

    Result<void> create_folder(const fs::path& folder) override {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error) return failure("create", folder, error.value());
        return {};
    }

    Result<std::unique_ptr<FolderLock>> lock(const fs::path& folder) override {
        Descriptor file{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
        if (!file.valid()) return failure("open", folder, errno);
        if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK) return failure("lock", folder, errno);
            return std::unexpected{fmt::format(
                "{} is in use by another exchange; stop it, or choose another directory",
                folder.string())};
        }
        return std::make_unique<RealFolderLock>(std::move(file));
    }
};

}  // namespace

FileSystem& real_files() {
    static RealFiles files;
    return files;
}

}  // namespace damrak::journal
