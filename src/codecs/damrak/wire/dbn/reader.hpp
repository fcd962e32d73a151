// Reads orders from files in the Databento Binary Encoding, versions 1 to 3, raw or compressed: the
// metadata, then the records of the schema "mbo". Skips records of other types. One thread; an
// error is one sentence with the file and the offset in its content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/files/byte_source.hpp>

namespace damrak::wire::dbn {

struct Mapping {
    std::string asked;  ///< symbol in the request
    std::string found;  ///< its name in the records, usually a number
};

struct Metadata {
    std::uint8_t version = 0;
    std::uint64_t start_ns = 0;  ///< since the epoch, UTC
    std::vector<Mapping> mappings;
};

/// An order event. Actions: `A` add, `C` cancel, `M` modify, `R` clear, `T` trade, `F` fill,
/// `N` none.
struct Mbo {
    std::uint32_t instrument = 0;
    std::uint64_t event_ns = 0;  ///< since the epoch, UTC
    std::uint64_t order = 0;
    std::int64_t price_e9 = 0;
    std::uint32_t size = 0;
    char action = 0;
    char side = 0;  ///< `B`, `A`, `N`
};

class Reader {
  public:
    template <class T>
    using Result = std::expected<T, std::string>;

    [[nodiscard]] static Result<Reader> open(const std::filesystem::path& path);
    [[nodiscard]] static Result<Reader> over(files::ByteSource source);

    [[nodiscard]] const Metadata& metadata() const { return metadata_; }
    /// Empty at the end of the file.
    [[nodiscard]] Result<std::optional<Mbo>> next();
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
    [[nodiscard]] std::unexpected<std::string> fault(std::string_view what) const;

    files::ByteSource source_;
    Metadata metadata_;
    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t offset_ = 0;  ///< of begin_ in the content
};

}  // namespace damrak::wire::dbn
