#include <damrak/wire/dbn/writer.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace damrak::wire::dbn {

namespace {

constexpr std::uint8_t k_version = 3;
constexpr std::size_t k_dataset_bytes = 16;
constexpr std::uint16_t k_text_bytes = 71;
constexpr std::size_t k_reserved_bytes = 53;
constexpr std::size_t k_padding = 8;
constexpr std::uint8_t k_raw_symbol = 1;
constexpr std::uint8_t k_instrument_id = 0;

/// Builds the metadata front to back.
class MetadataBytes {
  public:
    template <class T>
    void number(T value) {
        for (const std::byte byte : std::as_bytes(std::span{&value, 1})) bytes_.push_back(byte);
    }
    void text(std::string_view text, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i)
            number(i < text.size() && i + 1 < length ? text[i] : '\0');
    }
    void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }
    [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

std::vector<std::byte> metadata_of(const FileHead& head) {
    MetadataBytes parts;
    const std::string dataset = head.dataset.substr(0, k_dataset_bytes);
    for (std::size_t i = 0; i < k_dataset_bytes; ++i)
        parts.number(i < dataset.size() ? dataset[i] : '\0');
    parts.number(head.schema);
    parts.number(head.start_ns);
    parts.number(head.end_ns);
    parts.number(std::uint64_t{0});  // no limit
    parts.number(k_raw_symbol);
    parts.number(k_instrument_id);
    parts.number(std::uint8_t{0});  // no time of sending
    parts.number(k_text_bytes);
    parts.zeros(k_reserved_bytes);
    parts.number(std::uint32_t{0});  // no schema definition
    const auto count = static_cast<std::uint32_t>(head.instruments.size());
    parts.number(count);
    for (const NamedInstrument& one : head.instruments) parts.text(one.symbol, k_text_bytes);
    parts.number(std::uint32_t{0});  // partly found
    parts.number(std::uint32_t{0});  // not found
    parts.number(count);
    for (const NamedInstrument& one : head.instruments) {
        parts.text(one.symbol, k_text_bytes);
        parts.number(std::uint32_t{1});
        parts.number(head.first_date);
        parts.number(head.last_date);
        parts.text(fmt::to_string(one.number), k_text_bytes);
    }
    parts.zeros((k_padding - parts.bytes().size() % k_padding) % k_padding);
    return std::move(parts.bytes());
}

}  // namespace

std::expected<Writer, std::string> Writer::create(const std::filesystem::path& path,
                                                  const FileHead& head) {
    auto sink = files::ByteSink::create(path);
    if (!sink) return std::unexpected{std::move(sink.error())};
    Writer writer{*std::move(sink)};
    const std::vector<std::byte> metadata = metadata_of(head);
    MetadataBytes prefix;
    for (const char letter : {'D', 'B', 'N'}) prefix.number(letter);
    prefix.number(k_version);
    prefix.number(static_cast<std::uint32_t>(metadata.size()));
    writer.buffer_ = std::move(prefix.bytes());
    writer.buffer_.insert(writer.buffer_.end(), metadata.begin(), metadata.end());
    return writer;
}

}  // namespace damrak::wire::dbn
