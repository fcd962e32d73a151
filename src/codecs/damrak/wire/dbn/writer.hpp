// Writes files in the Databento Binary Encoding, version 3, raw or compressed depending on the name
// (`.dbn.zst`). One thread; an existing file stays until close().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/files/byte_sink.hpp>
#include <damrak/wire/dbn/records.hpp>

namespace damrak::wire::dbn {

/// An instrument's name in a request, and its number in the records.
struct NamedInstrument {
    std::string symbol;
    std::uint32_t number = 0;
};

/// What the writer puts at the head of a file.
struct FileHead {
    Schema schema{};
    std::string dataset;  ///< at most 16 characters
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = 0;     ///< after the last record
    std::int32_t first_date = 0;  ///< yyyymmdd; first date of the mappings
    std::int32_t last_date = 0;   ///< first date after the mappings
    std::vector<NamedInstrument> instruments;
};

class Writer {
  public:
    [[nodiscard]] static std::expected<Writer, std::string> create(
        const std::filesystem::path& path, const FileHead& head);

    template <class Record>
    void write(const Record& record) {
        const std::size_t at = buffer_.size();
        buffer_.resize(at + sizeof record);
        std::memcpy(buffer_.data() + at, &record, sizeof record);
        ++records_;
        if (buffer_.size() >= k_buffer_bytes) flush();
    }
    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] std::expected<void, std::string> close() {
        flush();
        return sink_.close();
    }

  private:
    static constexpr std::size_t k_buffer_bytes = std::size_t{1} << 18U;

    explicit Writer(files::ByteSink sink) : sink_(std::move(sink)) {}
    void flush() {
        sink_.write(buffer_);
        buffer_.clear();
    }

    files::ByteSink sink_;
    std::vector<std::byte> buffer_;
    std::uint64_t records_ = 0;
};

}  // namespace damrak::wire::dbn
