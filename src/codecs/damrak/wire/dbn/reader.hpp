// Reads files in the Databento Binary Encoding, versions 1 to 3, raw or compressed: the metadata,
// then the records, whatever they are. One thread; an error is one sentence with the file and the
// offset in its content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/files/byte_source.hpp>
#include <damrak/wire/dbn/records.hpp>

namespace damrak::wire::dbn {

/// How the file names a symbol that was requested.
struct Mapping {
    std::string asked;  ///< symbol in the request
    std::string found;  ///< its name in the records, usually a number
};

/// What the head of a file says.
struct Metadata {
    std::uint8_t version = 0;
    Schema schema{};  ///< any number of the format
    std::vector<Mapping> mappings;
};

/// A record as it lies in the file; valid until the next one is read.
struct Record {
    std::span<const std::byte> bytes;

    [[nodiscard]] std::uint8_t type() const { return std::to_integer<std::uint8_t>(bytes[1]); }
    /// It as a T; empty if the file has less than that.
    template <class T>
    [[nodiscard]] std::optional<T> as() const {
        if (bytes.size() < sizeof(T)) return std::nullopt;
        T record;
        std::memcpy(&record, bytes.data(), sizeof record);
        return record;
    }
};

class Reader {
  public:
    template <class T>
    using Result = std::expected<T, std::string>;

    [[nodiscard]] static Result<Reader> open(const std::filesystem::path& path);
    [[nodiscard]] static Result<Reader> over(files::ByteSource source);

    [[nodiscard]] const Metadata& metadata() const { return metadata_; }
    /// Empty at the end of the file.
    [[nodiscard]] Result<std::optional<Record>> next();
    /// An error about the last record read.
    [[nodiscard]] std::unexpected<std::string> fault(std::string_view what) const;
    [[nodiscard]] files::ByteSource::Progress progress() const { return source_.progress(); }

  private:
    explicit Reader(files::ByteSource source) : source_{std::move(source)} {}
    [[nodiscard]] Result<void> read_metadata();
    /// Buffers at least this many bytes; false if the content ends before.
    [[nodiscard]] Result<bool> fill(std::size_t bytes);
    [[nodiscard]] std::span<const std::byte> rest() const {
        return std::span{buffer_}.subspan(begin_, end_ - begin_);
    }
    void skip(std::size_t bytes) {
        begin_ += bytes;
        offset_ += bytes;
    }

    files::ByteSource source_;
    Metadata metadata_;
    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t offset_ = 0;  ///< of begin_ in the content
    std::size_t read_ = 0;      ///< bytes of the last record read, which is at begin_
};

}  // namespace damrak::wire::dbn
