#include "support/faulty_files.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sys/mman.h>

namespace damrak::testing {

namespace {

constexpr std::size_t k_page = 4'096;
constexpr std::size_t k_sector = 512;

// Hidden name of a removed file until a power loss; no test uses such names.
std::filesystem::path hidden(const std::filesystem::path& path) {
    return path.parent_path() / (".removed-" + path.filename().string());
}

std::unexpected<std::string> failure(const char* what, const std::filesystem::path& path,
                                     const char* why) {
    return std::unexpected{std::string{"cannot "} + what + " " + path.string() + ": " + why};
}

}  // namespace

// Shows a copy of the file; the file itself represents the contents of the disk.
class FaultyFiles::Mapped final : public journal::MappedFile {
  public:
    Mapped(FaultyFiles& owner, std::filesystem::path path,
           std::unique_ptr<journal::MappedFile> disk, bool writable)
        : owner_(&owner), path_(std::move(path)), disk_(std::move(disk)), writable_(writable) {
        size_ = disk_->size();
        if (size_ > 0) {
            void* copy =
                ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (copy == MAP_FAILED) throw std::bad_alloc();
            data_ = static_cast<std::byte*>(copy);
            std::memcpy(data_, disk_->data(), size_);
        }
        owner_->mapped_.insert(this);
    }
    // Without a power loss the kernel sooner or later writes back unsynced data.
    ~Mapped() override {
        owner_->mapped_.erase(this);
        if (writable_ && !owner_->powerless_ && !owner_->sync_fails)
            std::memcpy(disk_->data(), data_, size_);
        if (data_ != nullptr) ::munmap(data_, size_);
    }

    Result<void> sync(std::size_t offset, std::size_t length) override {
        ++owner_->syncs_;
        if (owner_->sync_fails || owner_->powerless_)
            return failure("sync", path_, "Input/output error");
        const std::size_t first = offset / k_page * k_page;
        const std::size_t last = std::min((offset + length + k_page - 1) / k_page * k_page, size_);
        std::memcpy(disk_->data() + first, data_ + first, last - first);
        return {};
    }
    void prefault(std::size_t /*offset*/, std::size_t /*length*/) override {}

    void tear(RandomStream& random) {
        if (!writable_) return;
        for (std::size_t page = 0; page < size_; page += k_page) {
            if (std::memcmp(disk_->data() + page, data_ + page, k_page) == 0) continue;
            const std::size_t kept = random.below(3) == 0   ? 0
                                     : random.below(2) == 0 ? k_page
                                                            : random.below(8) * k_sector;
            std::memcpy(disk_->data() + page, data_ + page, kept);
        }
    }

  private:
    FaultyFiles* owner_;
    std::filesystem::path path_;
    std::unique_ptr<journal::MappedFile> disk_;
    bool writable_;
};

class FaultyFiles::Output final : public journal::OutputFile {
  public:
    Output(FaultyFiles& owner, std::filesystem::path path,
           std::unique_ptr<journal::OutputFile> disk)
        : owner_(&owner), path_(std::move(path)), disk_(std::move(disk)) {}

    Result<void> write(std::span<const std::byte> bytes) override {
        const std::uint64_t taken =
            std::min<std::uint64_t>(owner_->full ? 0 : bytes.size(), owner_->output_bytes_left);
        owner_->output_bytes_left -= taken;
        if (const auto written = disk_->write(bytes.first(taken)); !written) return written;
        if (taken < bytes.size()) return failure("write", path_, "No space left on device");
        return {};
    }
    Result<void> sync() override {
        ++owner_->syncs_;
        if (owner_->sync_fails || owner_->powerless_)
            return failure("sync", path_, "Input/output error");
        return disk_->sync();
    }

  private:
    FaultyFiles* owner_;
    std::filesystem::path path_;
    std::unique_ptr<journal::OutputFile> disk_;
};

void FaultyFiles::lose_power(RandomStream& random) {
    for (Mapped* file : mapped_) file->tear(random);
    for (const auto& path : lingering_)
        if (random.below(2) == 0) std::filesystem::rename(hidden(path), path);
    powerless_ = true;
}

journal::Result<std::unique_ptr<journal::MappedFile>> FaultyFiles::create_mapped(
    const std::filesystem::path& path, std::uint64_t bytes) {
    if (full) return failure("reserve room for", path, "No space left on device");
    auto disk = journal::real_files().create_mapped(path, bytes);
    if (!disk) return disk;
    return std::make_unique<Mapped>(*this, path, std::move(*disk), true);
}

journal::Result<std::unique_ptr<journal::MappedFile>> FaultyFiles::open_mapped(
    const std::filesystem::path& path, Access access) {
    auto disk = journal::real_files().open_mapped(path, access);
    if (!disk) return disk;
    return std::make_unique<Mapped>(*this, path, std::move(*disk), access == Access::write);
}

journal::Result<std::unique_ptr<journal::OutputFile>> FaultyFiles::create_output(
    const std::filesystem::path& path) {
    if (full) return failure("create", path, "No space left on device");
    auto disk = journal::real_files().create_output(path);
    if (!disk) return disk;
    return std::make_unique<Output>(*this, path, std::move(*disk));
}

journal::Result<void> FaultyFiles::rename(const std::filesystem::path& from,
                                          const std::filesystem::path& to) {
    if (rename_fails) return failure("rename", from, "Input/output error");
    return journal::real_files().rename(from, to);
}

journal::Result<void> FaultyFiles::remove(const std::filesystem::path& path) {
    if (!sync_fails) return journal::real_files().remove(path);
    std::filesystem::rename(path, hidden(path));
    lingering_.push_back(path);
    return failure("sync", path.parent_path(), "Input/output error");
}

journal::Result<std::vector<FaultyFiles::Entry>> FaultyFiles::list(
    const std::filesystem::path& folder) {
    auto found = journal::real_files().list(folder);
    if (removed_after_listing.parent_path() == folder)
        std::filesystem::remove(std::exchange(removed_after_listing, {}));
    return found;
}

journal::Result<void> FaultyFiles::create_folder(const std::filesystem::path& folder) {
    return journal::real_files().create_folder(folder);
}

journal::Result<std::unique_ptr<journal::FolderLock>> FaultyFiles::lock(
    const std::filesystem::path& folder) {
    return journal::real_files().lock(folder);
}

}  // namespace damrak::testing
