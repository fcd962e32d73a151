// The content of a file as a stream of bytes, stored raw, in gzip or in zstd. The first bytes
// determine the encoding, never the name. Gzip members and zstd frames may be concatenated. Used by
// the file readers of wire/, one thread each.
//
// The name `-` is the standard input. Files, pipes and sockets are all read once, front to back; a
// reader that must detect the format uses ahead() instead of opening the file twice.
//
// Memory stays at a few hundred KiB whatever the size of the file (zstd adds its compression
// window, at most 128 MiB). A raw file is read directly into the caller's buffer: about 0.1 ns per
// byte from the page cache. An error is one sentence with the file's name and the offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace damrak::files {

class ByteSource {
  public:
    enum class Encoding : std::uint8_t { raw, gzip, zstd };

    // Stored (compressed) bytes consumed so far, and the total, or 0 if it is unknown.
    struct Progress {
        std::uint64_t consumed_bytes{};
        std::uint64_t total_bytes{};
    };

    [[nodiscard]] static std::expected<ByteSource, std::string> open(
        const std::filesystem::path& path);
    // A source over bytes in memory, which must outlive it. `name` replaces the path in messages.
    [[nodiscard]] static ByteSource over(std::span<const std::byte> bytes, std::string name);

    ByteSource(ByteSource&&) noexcept;
    ByteSource& operator=(ByteSource&&) noexcept;
    ~ByteSource();

    // The first bytes of the content, at most 256, without consuming them. Only before the first
    // read.
    [[nodiscard]] std::expected<std::span<const std::byte>, std::string> ahead();

    // Fills `into` unless the content ends or an error comes first; 0 is the end. All good bytes
    // are delivered before an error. An error is final: every later call returns it again.
    [[nodiscard]] std::expected<std::size_t, std::string> read(std::span<std::byte> into);

    [[nodiscard]] Encoding encoding() const noexcept;
    [[nodiscard]] Progress progress() const noexcept;
    [[nodiscard]] const std::string& name() const noexcept;

  private:
    class Input;
    class Decoder;
    class RawDecoder;
    class GzipDecoder;
    class ZstdDecoder;
    struct State;

    explicit ByteSource(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

}  // namespace damrak::files
