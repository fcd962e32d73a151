// Writes an ITCH 5.0 archive file, a frame a message, through a buffer. For converters and
// generators; one thread. About 2 ns a message and one system call a MiB. A failed write is
// remembered and told by close(), so that the caller asks once.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>

#include <damrak/wire/itch/encode.hpp>

namespace damrak::wire::itch {

class FileWriter {
  public:
    // Creates the file, or empties it.
    [[nodiscard]] static std::expected<FileWriter, std::string> create(
        const std::filesystem::path& path);

    FileWriter(FileWriter&& other) noexcept;
    FileWriter& operator=(FileWriter&& other) noexcept;
    ~FileWriter();  // closes; an error then goes unseen

    template <class M>
    void write(const M& message) {
        if (k_buffer_bytes - used_ < k_frame_length<M>) [[unlikely]]
            flush();
        encode_frame(message, std::span<std::byte, k_frame_length<M>>{buffer_.get() + used_,
                                                                      k_frame_length<M>});
        used_ += k_frame_length<M>;
    }
    void write(const Message& message) {
        std::visit([this](const auto& m) { write(m); }, message);
    }

    // Writes out what is buffered. The error is the first that occurred.
    [[nodiscard]] std::expected<void, std::string> close();

  private:
    static constexpr std::size_t k_buffer_bytes = 1024 * 1024;

    FileWriter(int file, std::string name);
    void flush();

    int file_;
    std::string name_;
    std::string error_;
    std::unique_ptr<std::byte[]> buffer_;
    std::size_t used_{};
};

}  // namespace damrak::wire::itch
