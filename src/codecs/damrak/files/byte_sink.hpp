// A file that is written front to back. Its name selects the encoding: `.gz` is gzip, `.zst` is
// zstd, anything else is raw. Used by the file writers of wire/ and by converters, one thread each.
//
// The same bytes give the same file: it contains no time stamp or file name. A failed write is
// remembered and reported by close(), so callers check once. Compression takes some MiB of memory.
//
// The new file has no name until close(), which replaces the old file atomically: a failure or a
// kill before that leaves the old file. Meanwhile the disk needs room for both. On file systems
// without unnamed files it is called `.NAME.PID.part`, and a kill leaves it behind. The standard
// output (`-`), pipes and devices are written directly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace damrak::files {

class ByteSink {
  public:
    [[nodiscard]] static std::expected<ByteSink, std::string> create(
        const std::filesystem::path& path);
    /// Appends to a raw file after its first `size` bytes, and truncates the rest. The file keeps
    /// its name.
    [[nodiscard]] static std::expected<ByteSink, std::string> append_to(
        const std::filesystem::path& path, std::uint64_t size);

    ByteSink(ByteSink&&) noexcept;
    ByteSink& operator=(ByteSink&&) = delete;
    ~ByteSink();  // without close() the old file stays

    /// Call with some kB at a time: each call may be a system call.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span{text})); }

    /// Gives a raw file its name now, for readers that watch it grow: each write is visible at
    /// once.
    void show();
    /// Brings what was written to a raw file to the disk, and its name, if it has one by now.
    void sync();
    /// Whether a write has failed; later output is discarded.
    [[nodiscard]] bool failed() const noexcept;
    /// Writes out the rest, but does not replace the old file yet. For callers that write several
    /// files and want to replace all or none.
    [[nodiscard]] std::expected<void, std::string> finish();
    /// Finishes, and replaces the old file. Returns the first error.
    [[nodiscard]] std::expected<void, std::string> close();

  private:
    class Encoder;
    class GzipEncoder;
    class ZstdEncoder;
    struct State;

    explicit ByteSink(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

/// Whether a ByteSink of any process is writing this open file, since show() or append_to().
[[nodiscard]] bool is_being_written(int descriptor);

}  // namespace damrak::files
