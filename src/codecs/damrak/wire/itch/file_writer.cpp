#include <damrak/wire/itch/file_writer.hpp>

#include <utility>

namespace damrak::wire::itch {

std::expected<FileWriter, std::string> FileWriter::create(const std::filesystem::path& path) {
    auto sink = files::ByteSink::create(path);
    if (!sink) return std::unexpected{std::move(sink.error())};
    return FileWriter{std::move(*sink)};
}

FileWriter::FileWriter(files::ByteSink sink)
    : sink_{std::move(sink)},
      buffer_{std::make_unique_for_overwrite<std::byte[]>(k_buffer_bytes)} {}

FileWriter::~FileWriter() = default;

void FileWriter::flush() {
    if (used_ > 0) sink_.write(std::span{buffer_.get(), used_});
    flushed_bytes_ += std::exchange(used_, 0);
}

std::expected<void, std::string> FileWriter::close() {
    flush();
    return sink_.close();
}

}  // namespace damrak::wire::itch
