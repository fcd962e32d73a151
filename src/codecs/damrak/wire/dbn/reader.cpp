#include <damrak/wire/dbn/reader.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/byte_order.hpp>

namespace damrak::wire::dbn {

namespace {

constexpr std::size_t k_prefix_bytes = 8;  ///< "DBN", version, length of the metadata
constexpr std::size_t k_fixed_bytes = 100;
constexpr std::size_t k_schema_offset = 16;  ///< these are relative to the end of the prefix
constexpr std::size_t k_text_length_offset = 45;
constexpr std::size_t k_first_text_bytes = 22;  ///< in version 1, which does not state it
constexpr std::uint8_t k_last_version = 3;
constexpr std::uint32_t k_most_metadata_bytes = 1U << 28U;
constexpr std::size_t k_buffer_bytes = std::size_t{1} << 20U;

constexpr std::size_t k_header_bytes = 16;
constexpr std::size_t k_word_bytes = 4;

/// Takes parts from the front. Once the data is too short, this and all later parts are empty.
class Parts {
  public:
    explicit Parts(std::span<const std::byte> bytes) : bytes_{bytes} {}
    [[nodiscard]] bool good() const { return good_; }
    std::span<const std::byte> take(std::size_t bytes) {
        good_ = good_ && bytes <= bytes_.size();
        if (!good_) return {};
        const auto taken = bytes_.first(bytes);
        bytes_ = bytes_.subspan(bytes);
        return taken;
    }
    std::uint32_t number() {
        const auto taken = take(sizeof(std::uint32_t));
        return good_ ? load_le<std::uint32_t>(taken.data()) : 0;
    }
    std::string text(std::size_t bytes) {
        const auto taken = take(bytes);
        const auto end = std::ranges::find(taken, std::byte{0});
        std::string text;
        for (const std::byte one : std::span{taken.begin(), end})
            text.push_back(static_cast<char>(one));
        return text;
    }

  private:
    std::span<const std::byte> bytes_;
    bool good_ = true;
};

}  // namespace

Reader::Result<Reader> Reader::open(const std::filesystem::path& path) {
    auto source = files::ByteSource::open(path);
    if (!source) return std::unexpected{std::move(source.error())};
    return over(*std::move(source));
}

Reader::Result<Reader> Reader::over(files::ByteSource source) {
    Reader reader{std::move(source)};
    if (auto read = reader.read_metadata(); !read) return std::unexpected{std::move(read.error())};
    return reader;
}

std::unexpected<std::string> Reader::fault(std::string_view what) const {
    return std::unexpected{fmt::format("{}: at offset {}: {}", source_.name(), offset_, what)};
}

Reader::Result<bool> Reader::fill(std::size_t bytes) {
    if (end_ - begin_ >= bytes) return true;
    std::ranges::move(rest(), buffer_.begin());
    end_ -= std::exchange(begin_, 0);
    buffer_.resize(std::max({buffer_.size(), bytes, k_buffer_bytes}));
    while (end_ < bytes) {
        const auto read = source_.read(std::span{buffer_}.subspan(end_));
        if (!read) return std::unexpected{read.error()};
        if (*read == 0) return false;
        end_ += *read;
    }
    return true;
}

Reader::Result<void> Reader::read_metadata() {
    const auto begun = fill(k_prefix_bytes);
    if (!begun) return std::unexpected{begun.error()};
    if (!*begun || static_cast<char>(rest()[0]) != 'D' || static_cast<char>(rest()[1]) != 'B' ||
        static_cast<char>(rest()[2]) != 'N')
        return fault("not a DBN file: it does not begin with DBN");
    metadata_.version = std::to_integer<std::uint8_t>(rest()[3]);
    if (metadata_.version == 0 || metadata_.version > k_last_version)
        return fault(fmt::format("unknown DBN version {}; expected 1 to 3", metadata_.version));
    const auto length = load_le<std::uint32_t>(rest().data() + 4);
    if (length < k_fixed_bytes || length > k_most_metadata_bytes)
        return fault(fmt::format("metadata of {} bytes", length));
    skip(k_prefix_bytes);
    const auto whole = fill(length);
    if (!whole) return std::unexpected{whole.error()};
    if (!*whole) return fault("the file ends within the metadata");
    const auto bytes = rest().first(length);
    metadata_.schema = Schema{load_le<std::uint16_t>(bytes.data() + k_schema_offset)};
    const std::size_t text = metadata_.version == 1
                                 ? k_first_text_bytes
                                 : load_le<std::uint16_t>(bytes.data() + k_text_length_offset);
    Parts parts{bytes.subspan(k_fixed_bytes)};
    parts.take(parts.number());           // definition of the schema
    for (int list = 0; list < 3; ++list)  // symbols, partly found, not found
        parts.take(std::size_t{parts.number()} * text);
    for (std::uint32_t left = parts.number(); left > 0 && parts.good(); --left) {
        const std::string asked = parts.text(text);
        for (std::uint32_t intervals = parts.number(); intervals > 0 && parts.good(); --intervals) {
            parts.take(2 * sizeof(std::uint32_t));  // first and last date
            metadata_.mappings.push_back({asked, parts.text(text)});
        }
    }
    if (!parts.good()) return fault("the metadata is shorter than its lists");
    skip(length);
    return {};
}

Reader::Result<std::optional<Record>> Reader::next() {
    skip(std::exchange(read_, 0));
    const auto header = fill(k_header_bytes);
    if (!header) return std::unexpected{header.error()};
    if (!*header && rest().empty()) return std::nullopt;
    if (!*header) return fault("the file ends within a record");
    const std::size_t length = std::to_integer<std::size_t>(rest()[0]) * k_word_bytes;
    if (length < k_header_bytes) return fault("a record shorter than its header");
    const auto whole = fill(length);
    if (!whole) return std::unexpected{whole.error()};
    if (!*whole) return fault("the file ends within a record");
    read_ = length;
    return Record{rest().first(length)};
}

}  // namespace damrak::wire::dbn
