// A file that takes the place of another one whole, or not at all. For ByteSink, which says what
// that means; one thread. The first error is kept, and whatever follows it does nothing.
#pragma once

#include <cstddef>
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

    FileInPlace(FileInPlace&& other) noexcept;
    FileInPlace& operator=(FileInPlace&&) = delete;
    ~FileInPlace();

    void write(std::span<const std::byte> bytes);
    /// All that was written is in a file; `path` still names what was there before.
    void finish();
    void take_place();
    void fail(std::string_view why);

    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    FileInPlace(int descriptor, std::string name)
        : descriptor_{descriptor}, name_{std::move(name)} {}
    static std::expected<FileInPlace, std::string> create_beside(const std::filesystem::path& path,
                                                                 unsigned mode);

    int descriptor_;
    std::string name_;
    std::filesystem::path target_;  // empty: written as it is
    std::filesystem::path beside_;  // what the file is called until it takes its place
    bool named_{false};             // whether it has that name yet
    std::string error_;
};

}  // namespace damrak::files::detail
