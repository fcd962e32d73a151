// Writes an ITCH 5.0 archive file through a buffer, one frame per message; compressed if the name
// ends in .gz or .zst (byte_sink.hpp). For converters and generators; one thread. About 2 ns a
// message and one system call per MiB. A failed write is remembered and reported by close(), so
// callers check once.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>

#include <damrak/files/byte_sink.hpp>
#include <damrak/wire/itch/encode.hpp>

namespace damrak::wire::itch {

class FileWriter {
  public:
    // An existing file stays unchanged until close().
    [[nodiscard]] static std::expected<FileWriter, std::string> create(
        const std::filesystem::path& path);

    FileWriter(FileWriter&&) noexcept = default;
    FileWriter& operator=(FileWriter&&) = delete;
    ~FileWriter();  // without close() nothing is written

    template <class M>
    void write(const M& message) {
        if (k_buffer_bytes - used_ < k_frame_length<M>) [[unlikely]]
            flush();
        encode_frame(message, std::span<std::byte, k_frame_length<M>>{buffer_.get() + used_,
                                                                      k_frame_length<M>});
        used_ += k_frame_length<M>;
        ++messages_;
    }
    void write(const Message& message) {
        std::visit([this](const auto& m) { write(m); }, message);
    }

    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
    // Before compression.
    [[nodiscard]] std::uint64_t content_bytes() const noexcept { return flushed_bytes_ + used_; }
    // Whether a write has failed, so that continuing is pointless.
    [[nodiscard]] bool failed() const noexcept { return sink_.failed(); }

    // Writes the buffered messages. Returns the first error.
    [[nodiscard]] std::expected<void, std::string> close();

  private:
    static constexpr std::size_t k_buffer_bytes = 1024UL * 1024;

    explicit FileWriter(files::ByteSink sink);
    void flush();

    files::ByteSink sink_;
    std::unique_ptr<std::byte[]> buffer_;
    std::size_t used_{};
    std::uint64_t flushed_bytes_{};
    std::uint64_t messages_{};
};

}  // namespace damrak::wire::itch
