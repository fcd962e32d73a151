#include <support/disk.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <damrak/base/assert.hpp>

namespace damrak::simulation {

namespace {

std::unexpected<std::string> failure(const char* what, const std::string& path, const char* why) {
    return std::unexpected{std::string{"cannot "} + what + " " + path + ": " + why};
}

constexpr const char* k_full = "No space left on device";
constexpr const char* k_broken = "Input/output error";
constexpr const char* k_missing = "No such file or directory";

}  // namespace

class Disk::Mapped final : public journal::MappedFile {
  public:
    Mapped(Disk& disk, std::string path, std::shared_ptr<File> file, Access access)
        : disk_(&disk), path_(std::move(path)), file_(std::move(file)), access_(access) {
        data_ = file_->data();
        size_ = file_->cached_bytes;
        if (access_ == Access::read) ++file_->readers;
    }
    ~Mapped() override {
        if (access_ == Access::read) --file_->readers;
    }
    Result<void> sync(std::size_t offset, std::size_t length) override {
        return disk_->sync(*file_, path_, offset, length);
    }
    void prefault(std::size_t /*offset*/, std::size_t /*length*/) override { disk_->call(); }
    void use_large_pages() override { file_->has_large_pages = true; }

  private:
    Disk* disk_;
    std::string path_;
    std::shared_ptr<File> file_;
    Access access_;
};

class Disk::Output final : public journal::OutputFile {
  public:
    Output(Disk& disk, std::string path, std::shared_ptr<File> file)
        : disk_(&disk), path_(std::move(path)), file_(std::move(file)) {}

    Result<void> write(std::span<const std::byte> bytes) override {
        disk_->call();
        const std::uint64_t taken =
            std::min<std::uint64_t>(disk_->full ? 0 : bytes.size(), disk_->output_bytes_left);
        disk_->output_bytes_left -= taken;
        const std::uint64_t before = file_->cached_bytes;
        file_->cached.resize((before + taken + k_page_bytes - 1) / k_page_bytes);
        std::copy_n(bytes.begin(), taken, file_->data() + before);
        file_->cached_bytes += taken;
        if (taken < bytes.size()) return failure("write", path_, k_full);
        return {};
    }
    Result<void> sync() override { return disk_->sync(*file_, path_, 0, file_->cached_bytes); }

  private:
    Disk* disk_;
    std::string path_;
    std::shared_ptr<File> file_;
};

class Disk::Lock final : public journal::FolderLock {
  public:
    Lock(Disk& disk, std::string folder) : disk_(&disk), folder_(std::move(folder)) {}
    ~Lock() override { disk_->locked_.erase(folder_); }

  private:
    Disk* disk_;
    std::string folder_;
};

Disk::Result<void> Disk::sync(File& file, const std::string& path, std::size_t offset,
                              std::size_t length) {
    call();
    ++syncs_;
    file.stored.resize(file.cached.size());
    const std::size_t first = offset / k_page_bytes;
    const std::size_t last =
        std::min((offset + length + k_page_bytes - 1) / k_page_bytes, file.cached.size());
    for (std::size_t page = first; page < last; ++page)
        if (!sync_fails || random_->coin()) file.stored[page] = file.cached[page];
    if (sync_fails) return failure("sync", path, k_broken);
    file.stored_bytes = file.cached_bytes;
    return {};
}

// Determines the disk's content of a file that was not fully synced.
void Disk::tear(File& file) {
    file.stored.resize(file.cached.size());
    if (random_->coin()) file.stored_bytes = file.cached_bytes;
    for (std::size_t page = 0; page < file.cached.size(); ++page) {
        Page& stored = file.stored[page];
        const Page& cached = file.cached[page];
        if (std::memcmp(&stored, &cached, sizeof stored) == 0) continue;
        constexpr std::uint32_t k_sectors = k_page_bytes / k_sector_bytes;
        const std::size_t sectors = random_->below(3) == 0   ? 0
                                    : random_->below(2) == 0 ? k_sectors
                                                             : random_->below(k_sectors);
        std::memcpy(&stored, &cached, sectors * k_sector_bytes);
    }
    file.cached = file.stored;
    file.cached_bytes = file.stored_bytes;
}

void Disk::lose_power() {
    DAMRAK_ASSERT(locked_.empty());
    for (const auto& [name, file] : names_)
        if (!stored_names_.contains(name) && random_->coin()) stored_names_[name] = file;
    std::erase_if(stored_names_, [this](const auto& entry) {
        return !names_.contains(entry.first) && random_->coin();
    });
    names_ = stored_names_;
    for (auto& [name, file] : names_) tear(*file);
}

void Disk::write_back_some() {
    for (auto& [name, file] : names_) {
        file->stored.resize(file->cached.size());
        for (std::size_t page = 0; page < file->cached.size(); ++page)
            if (random_->below(4) == 0) file->stored[page] = file->cached[page];
    }
}

void Disk::flip_bit(const Path& path, std::uint64_t offset, unsigned bit) {
    File& file = *names_.at(path.string());
    DAMRAK_ASSERT(offset < file.cached_bytes);
    const auto mask = static_cast<std::byte>(1U << bit);
    file.data()[offset] ^= mask;
    file.stored.resize(file.cached.size());
    file.stored[offset / k_page_bytes].bytes[offset % k_page_bytes] ^= mask;
}

void Disk::copy_from(const Disk& other) {
    const auto copy = [](const Names& from) {
        Names to;
        for (const auto& [name, file] : from) {
            to[name] = std::make_shared<File>(*file);
            to[name]->readers = 0;
        }
        return to;
    };
    names_ = copy(other.names_);
    stored_names_ = copy(other.stored_names_);
    folders_ = other.folders_;
}

std::uint64_t Disk::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [name, file] : names_) sum += file->cached_bytes;
    return sum;
}

bool Disk::has_large_pages(const Path& path) const {
    return names_.at(path.string())->has_large_pages;
}

Disk::Result<std::unique_ptr<journal::MappedFile>> Disk::create_mapped(const Path& path,
                                                                       std::uint64_t bytes) {
    call();
    if (full) return failure("reserve room for", path.string(), k_full);
    if (names_.contains(path.string())) return failure("create", path.string(), "File exists");
    auto file = std::make_shared<File>();
    file->cached.resize((bytes + k_page_bytes - 1) / k_page_bytes);
    file->stored = file->cached;
    file->cached_bytes = file->stored_bytes = bytes;
    names_[path.string()] = file;
    return std::make_unique<Mapped>(*this, path.string(), std::move(file), Access::write);
}

Disk::Result<std::unique_ptr<journal::MappedFile>> Disk::open_mapped(const Path& path,
                                                                     Access access) {
    call();
    const auto found = names_.find(path.string());
    if (found == names_.end()) return failure("open", path.string(), k_missing);
    return std::make_unique<Mapped>(*this, path.string(), found->second, access);
}

bool Disk::is_being_read(const Path& path) {
    call();
    const auto found = names_.find(path.string());
    return found == names_.end() || found->second->readers > 0;
}

Disk::Result<std::unique_ptr<journal::OutputFile>> Disk::create_output(const Path& path) {
    call();
    if (full) return failure("create", path.string(), k_full);
    auto file = std::make_shared<File>();
    names_[path.string()] = file;
    return std::make_unique<Output>(*this, path.string(), std::move(file));
}

Disk::Result<void> Disk::rename(const Path& from, const Path& to) {
    call();
    auto moved = names_.extract(from.string());
    if (moved.empty()) return failure("rename", from.string(), k_missing);
    names_.insert_or_assign(to.string(), std::move(moved.mapped()));
    stored_names_ = names_;
    return {};
}

Disk::Result<void> Disk::remove(const Path& path) {
    call();
    if (orphaned) return failure("remove", path.string(), k_broken);
    if (names_.erase(path.string()) == 0) return failure("remove", path.string(), k_missing);
    if (sync_fails) return failure("sync", path.parent_path().string(), k_broken);
    if (!removals_linger) stored_names_ = names_;
    return {};
}

Disk::Result<std::vector<Disk::Entry>> Disk::list(const Path& folder) {
    call();
    std::vector<Entry> entries;
    for (const auto& [name, file] : names_)
        if (const Path path = name; path.parent_path() == folder)
            entries.push_back({path.filename().string(), file->cached_bytes});
    return entries;
}

Disk::Result<void> Disk::create_folder(const Path& folder) {
    call();
    folders_.insert(folder.string());
    return {};
}

Disk::Result<std::unique_ptr<journal::FolderLock>> Disk::lock(const Path& folder) {
    call();
    if (!folders_.contains(folder.string())) return failure("lock", folder.string(), k_missing);
    if (!locked_.insert(folder.string()).second)
        return failure("lock", folder.string(), "in use by another exchange");
    return std::make_unique<Lock>(*this, folder.string());
}

}  // namespace damrak::simulation
