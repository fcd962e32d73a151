#include <damrak/archive/columns.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

// Offsets common to every message; see wire/itch/descriptor.hpp.
constexpr std::size_t k_frame_header = 2;
constexpr std::size_t k_locate = 1;
constexpr std::size_t k_tracking = 3;
constexpr std::size_t k_time = 5;
constexpr std::uint64_t k_latest_time = (std::uint64_t{1} << 48U) - 1;
constexpr std::size_t k_body = 11;
constexpr std::size_t k_reference_bytes = 8;

constexpr std::string_view k_types = "SRHYLVWKJhAFECXDUPQBINO";
// Columns: four common to all messages; then for each type its references and its remaining bytes;
// then the second references of replaces.
constexpr std::size_t k_type_column = 0;
constexpr std::size_t k_locate_column = 1;
constexpr std::size_t k_tracking_column = 2;
constexpr std::size_t k_time_column = 3;
constexpr std::size_t k_new_reference_column = 4;
constexpr std::size_t k_first_type_column = 5;
constexpr std::size_t k_columns = k_first_type_column + 2 * k_types.size();
constexpr std::size_t k_header_bytes = k_columns * sizeof(std::uint32_t);

constexpr auto k_place_of = [] {
    std::array<std::uint8_t, 256> places{};
    places.fill(0xFF);
    for (std::size_t i = 0; i < k_types.size(); ++i)
        places[static_cast<unsigned char>(k_types[i])] = static_cast<std::uint8_t>(i);
    return places;
}();

std::size_t reference_column(std::size_t place) { return k_first_type_column + 2 * place; }
std::size_t rest_column(std::size_t place) { return reference_column(place) + 1; }

std::uint64_t zigzag(std::uint64_t difference) {
    return difference << 1U ^ (0 - (difference >> 63U));
}
std::uint64_t unzigzag(std::uint64_t value) { return value >> 1U ^ (0 - (value & 1U)); }

using Column = std::vector<std::byte>;

void put_number(Column& column, std::uint64_t value) {
    for (; value >= 128; value >>= 7U) column.push_back(static_cast<std::byte>(value | 128U));
    column.push_back(static_cast<std::byte>(value));
}

/// Previous values, from which the columns hold differences.
struct Last {
    std::uint64_t time = 0;
    std::uint64_t newest = 0;  ///< highest reference
};

class Reader {
  public:
    [[nodiscard]] bool open(std::span<const std::byte> bytes) {
        if (bytes.size() < k_header_bytes) return false;
        std::size_t at = k_header_bytes;
        for (std::size_t i = 0; i < k_columns; ++i) {
            const std::size_t length =
                load_be<std::uint32_t>(bytes.data() + i * sizeof(std::uint32_t));
            if (length > bytes.size() - at) return false;
            columns_[i] = bytes.subspan(at, length);
            at += length;
        }
        return at == bytes.size();
    }
    [[nodiscard]] bool at_end() const { return columns_[k_type_column].empty(); }
    /// Every column was read to its end.
    [[nodiscard]] bool all_read() const {
        return std::ranges::all_of(columns_, [](const auto& column) { return column.empty(); });
    }
    /// Returns false if the columns do not fit together.
    [[nodiscard]] bool next(DecodedBlock& block) {
        Column& out = block.frames;
        const std::byte type = columns_[k_type_column][0];
        const std::size_t place = k_place_of[std::to_integer<std::size_t>(type)];
        if (place >= k_types.size()) return false;
        const char letter = k_types[place];
        const std::size_t length = itch::message_length(letter);
        const std::size_t begin = out.size();
        out.resize(begin + k_frame_header + length);
        std::byte* const frame = out.data() + begin;
        std::byte* const message = frame + k_frame_header;
        store_be(frame, static_cast<std::uint16_t>(length));
        columns_[k_type_column] = columns_[k_type_column].subspan(1);
        message[0] = type;
        std::uint64_t number = 0;
        if (!copy(k_locate_column, message + k_locate, 2) ||
            !copy(k_tracking_column, message + k_tracking, 2) || !get(k_time_column, number))
            return false;
        const std::uint64_t time = last_.time + unzigzag(number);
        if (time > k_latest_time) return false;
        block.in_time_order &= time >= last_.time;
        last_.time = time;
        store_be48(message + k_time, time);
        note(block.noted, letter, load_be<std::uint16_t>(message + k_locate),
             static_cast<std::int64_t>(time));
        std::size_t done = k_body;
        if (itch::is_about_order(letter)) {
            if (!get(reference_column(place), number)) return false;
            const std::uint64_t reference = last_.newest - unzigzag(number);
            store_be(message + done, reference);
            if (letter == 'A' || letter == 'F') last_.newest = std::max(last_.newest, reference);
            done += k_reference_bytes;
        }
        if (letter == 'U') {
            if (!get(k_new_reference_column, number)) return false;
            const std::uint64_t reference = last_.newest - unzigzag(number);
            store_be(message + done, reference);
            last_.newest = std::max(last_.newest, reference);
            done += k_reference_bytes;
        }
        return copy(rest_column(place), message + done, length - done);
    }

  private:
    [[nodiscard]] bool copy(std::size_t column, std::byte* to, std::size_t bytes) {
        auto& from = columns_[column];
        if (from.size() < bytes) return false;
        std::copy_n(from.begin(), bytes, to);
        from = from.subspan(bytes);
        return true;
    }
    [[nodiscard]] bool get(std::size_t column, std::uint64_t& value) {
        auto& from = columns_[column];
        value = 0;
        constexpr unsigned k_most_bits = 64;
        for (unsigned shift = 0; shift < k_most_bits; shift += 7) {
            if (from.empty()) return false;
            const auto byte = std::to_integer<std::uint64_t>(from[0]);
            from = from.subspan(1);
            value |= (byte & 127U) << shift;
            if (byte < 128) return true;
        }
        return false;
    }

    std::array<std::span<const std::byte>, k_columns> columns_;
    Last last_;
};

}  // namespace

class ColumnEncoder::Writer {
  public:
    void add(std::span<const std::byte> message) {
        const std::byte type = message[0];
        const std::size_t place = k_place_of[std::to_integer<std::size_t>(type)];
        DAMRAK_ASSERT(place < k_types.size());
        columns_[k_type_column].push_back(type);
        append(k_locate_column, message.subspan(k_locate, 2));
        append(k_tracking_column, message.subspan(k_tracking, 2));
        const std::uint64_t time = load_be48(message.data() + k_time);
        put_number(columns_[k_time_column], zigzag(time - last_.time));
        last_.time = time;
        std::size_t done = k_body;
        const char letter = k_types[place];
        if (itch::is_about_order(letter)) {
            const auto reference = load_be<std::uint64_t>(message.data() + done);
            put_number(columns_[reference_column(place)], zigzag(last_.newest - reference));
            if (letter == 'A' || letter == 'F') last_.newest = std::max(last_.newest, reference);
            done += k_reference_bytes;
        }
        if (letter == 'U') {
            const auto reference = load_be<std::uint64_t>(message.data() + done);
            put_number(columns_[k_new_reference_column], zigzag(last_.newest - reference));
            last_.newest = std::max(last_.newest, reference);
            done += k_reference_bytes;
        }
        append(rest_column(place), message.subspan(done));
    }
    [[nodiscard]] std::span<const std::byte> take() {
        all_.resize(k_header_bytes);
        for (std::size_t i = 0; i < k_columns; ++i) {
            store_be(all_.data() + i * sizeof(std::uint32_t),
                     static_cast<std::uint32_t>(columns_[i].size()));
        }
        for (Column& column : columns_) {
            all_.insert(all_.end(), column.begin(), column.end());
            column.clear();
        }
        last_ = {};
        return all_;
    }

  private:
    void append(std::size_t column, std::span<const std::byte> bytes) {
        columns_[column].insert(columns_[column].end(), bytes.begin(), bytes.end());
    }

    std::array<Column, k_columns> columns_;
    Column all_;
    Last last_;
};

ColumnEncoder::ColumnEncoder() : writer_(std::make_unique<Writer>()) {}
ColumnEncoder::ColumnEncoder(ColumnEncoder&&) noexcept = default;
ColumnEncoder::~ColumnEncoder() = default;

std::span<const std::byte> ColumnEncoder::encode(std::span<const std::byte> frames) {
    while (!frames.empty()) {
        const std::size_t length = load_be<std::uint16_t>(frames.data());
        writer_->add(frames.subspan(k_frame_header, length));
        frames = frames.subspan(k_frame_header + length);
    }
    return writer_->take();
}

std::vector<std::byte> to_columns(std::span<const std::byte> frames) {
    ColumnEncoder encoder;
    const auto columns = encoder.encode(frames);
    return {columns.begin(), columns.end()};
}

std::optional<DecodedBlock> from_columns(std::span<const std::byte> columns) {
    Reader reader;
    if (!reader.open(columns)) return std::nullopt;
    DecodedBlock block;
    block.frames.reserve(columns.size() * 2);
    while (!reader.at_end())
        if (!reader.next(block)) return std::nullopt;
    if (!reader.all_read()) return std::nullopt;
    return block;
}

}  // namespace damrak::archive
