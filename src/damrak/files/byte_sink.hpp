// A file that is written front to back, raw or compressed as its name says: `.gz` is gzip, `.zst`
// is zstd, anything else is raw. Used by the file writers of wire/ and by converters, one thread
// each.
//
// The same bytes give the same file: no time stamp or file name goes in. A failed write is
// remembered and reported by close(), so that the caller asks once. Memory: some MiB when
// compressing.
//
// A file is written without a name beside the one that it replaces, and takes its place whole in
// close(): who fails or is killed before leaves what was there. Room for both is needed meanwhile.
// Where the file system has no files without a name, it is called `.NAME.PID.part`, and a kill
// leaves that behind. The standard output (`-`), pipes and devices are written as they are.
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
    /// Continues a raw file behind its first `size` bytes and cuts off the rest. It keeps its name.
    [[nodiscard]] static std::expected<ByteSink, std::string> append_to(
        const std::filesystem::path& path, std::uint64_t size);

    ByteSink(ByteSink&&) noexcept;
    ByteSink& operator=(ByteSink&&) = delete;
    ~ByteSink();  // without close() nothing replaces the old file

    /// Best called with some kB at a time: each call may be a system call.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span{text})); }

    /// Gives a raw file its name now, for readers who watch it grow: each write is in it at once.
    void show();
    /// Whether a write has failed; later output is discarded.
    [[nodiscard]] bool failed() const noexcept;
    /// Writes out the rest, but does not replace the old file yet. For callers that write several
    /// files and want to replace all or none.
    [[nodiscard]] std::expected<void, std::string> finish();
    /// Finishes, and gives the file its name. The error is the first that occurred.
    [[nodiscard]] std::expected<void, std::string> close();

  private:
    class Encoder;
    class GzipEncoder;
    class ZstdEncoder;
    struct State;

    explicit ByteSink(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

}  // namespace damrak::files
