// A file that replaces another one completely, or not at all. The implementation of ByteSink, whose
// header explains it. One thread. The first error is kept; later calls do nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace damrak::files::detail {

class FileInPlace {
  public:
    [[nodiscard]] static std::expected<FileInPlace, std::string> create(
        const std::filesystem::path& path);

    /// Writes directly to an existing file after its first `size` bytes.
    [[nodiscard]] static std::expected<FileInPlace, std::string> append_to(
        const std::filesystem::path& path, std::uint64_t size);

    FileInPlace(FileInPlace&& other) noexcept;
    FileInPlace& operator=(FileInPlace&&) = delete;
    ~FileInPlace();

    void write(std::span<const std::byte> bytes);
    /// Writes everything to the file; `path` still names the old one.
    void finish();
    void take_place();
    /// Replaces the old file now; later writes are visible directly.
    void show();
    /// To the disk, with the name that it has taken.
    void sync();
    void fail(std::string_view why);

    /// Whether show() or append_to() of any process has this open file, for as long as it writes.
    [[nodiscard]] static bool is_claimed(int descriptor);

    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    FileInPlace(int descriptor, std::string name)
        : descriptor_{descriptor}, name_{std::move(name)} {}
    void link_beside();
    void claim() const;
    void sync_folder();
    static std::expected<FileInPlace, std::string> create_beside(const std::filesystem::path& path,
                                                                 unsigned mode);

    int descriptor_;
    std::string name_;
    std::filesystem::path target_;  // empty: written directly
    std::filesystem::path beside_;  // temporary name until it replaces the target
    bool named_{false};             // whether it has the temporary name yet
    bool name_synced_{true};        // the name that it took is on the disk
    std::filesystem::path folder_;  // in which it took its name
    std::string error_;
};

}  // namespace damrak::files::detail
