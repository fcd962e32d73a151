// A file that is written front to back, raw or compressed as its name says: `.gz` is gzip, `.zst`
// is zstd, anything else is raw. Used by the file writers of wire/ and by converters, one thread
// each.
//
// The same bytes give the same file: no time stamp or file name goes in. A failed write is
// remembered and told by close(), so that the caller asks once. Memory: some MiB when compressing.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace damrak::wire {

class ByteSink {
  public:
    /// Creates the file, or empties it.
    [[nodiscard]] static std::expected<ByteSink, std::string> create(
        const std::filesystem::path& path);

    ByteSink(ByteSink&&) noexcept;
    ByteSink& operator=(ByteSink&&) = delete;
    ~ByteSink();  // closes; an error then goes unseen

    /// Best called with some kB at a time: each call may be a system call.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span{text})); }

    /// Whether a write has failed; what follows is then thrown away.
    [[nodiscard]] bool failed() const noexcept;
    /// Writes out what is left. The error is the first that occurred.
    [[nodiscard]] std::expected<void, std::string> close();

  private:
    class File;
    class Encoder;
    class GzipEncoder;
    class ZstdEncoder;
    struct State;

    explicit ByteSink(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

}  // namespace damrak::wire
