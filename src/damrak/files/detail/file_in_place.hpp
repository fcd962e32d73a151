// A file that replaces another one completely, or not at all. For ByteSink, which explains it; one
// thread. The first error is kept; later calls do nothing.
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

    /// Writes behind the first `size` bytes of an existing file, directly.
    [[nodiscard]] static std::expected<FileInPlace, std::string> append_to(
        const std::filesystem::path& path, std::uint64_t size);

    FileInPlace(FileInPlace&& other) noexcept;
    FileInPlace& operator=(FileInPlace&&) = delete;
    ~FileInPlace();

    void write(std::span<const std::byte> bytes);
    /// Everything written is in a file now; `path` still names the old contents.
    void finish();
    void take_place();
    /// Takes its place at once; what is written later is visible directly.
    void show();
    void fail(std::string_view why);

    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    FileInPlace(int descriptor, std::string name)
        : descriptor_{descriptor}, name_{std::move(name)} {}
    void link_beside();
    static std::expected<FileInPlace, std::string> create_beside(const std::filesystem::path& path,
                                                                 unsigned mode);

    int descriptor_;
    std::string name_;
    std::filesystem::path target_;  // empty: written directly
    std::filesystem::path beside_;  // temporary name until it replaces the target
    bool named_{false};             // whether it has the temporary name yet
    std::string error_;
};

}  // namespace damrak::files::detail
