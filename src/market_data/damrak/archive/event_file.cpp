#include <damrak/archive/event_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/std.h>
#include <zstd.h>

#include <damrak/archive/checksum.hpp>

namespace damrak::archive {

namespace {

constexpr std::size_t k_event_bytes = 16 + sizeof(Event);

constexpr std::size_t k_search_bytes = std::size_t{1} << 20U;

bool is_sound(const EventBlockHeader& header) {
    const bool events = header.kind == EventBlockKind::events;
    const bool none = header.kind == EventBlockKind::missing;
    return header.magic == k_event_block_magic && header.checksum == header_checksum(header) &&
           (events || none || header.kind == EventBlockKind::instruments) &&
           header.count <= (none ? 0 : k_most_block_events) &&
           header.first_record <= header.last_record + 1 &&
           header.payload_bytes <= (none ? 0 : ZSTD_compressBound(header.count * k_event_bytes));
}

}  // namespace

EventFile::Result<EventFile> EventFile::open(const std::filesystem::path& path) {
    std::error_code unknown;
    // A pipe would be waited for.
    if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown))
        return std::unexpected{fmt::format("{}: is no regular file", path)};
    EventFile file{path};
    if (!file.file_) return std::unexpected{fmt::format("{}: {}", path, std::strerror(errno))};
    if (auto scanned = file.scan(); !scanned) return std::unexpected{std::move(scanned.error())};
    return file;
}

EventFile::Result<void> EventFile::check_header() {
    const bool is_read = read_at(0, &header_, sizeof header_);
    if (!is_read || header_.magic != EventFileHeader{}.magic)
        return std::unexpected{told(0, "this is no file of events of an exchange")};
    if (header_.checksum != header_checksum(header_))
        return std::unexpected{told(0, "the header is damaged")};
    if (header_.version != EventFileHeader{}.version)
        return std::unexpected{told(0, fmt::format("its version is {}, and this program reads {}",
                                                   header_.version, EventFileHeader{}.version))};
    return {};
}

EventFile::Result<void> EventFile::scan() {
    if (auto checked = check_header(); !checked) return checked;
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path_, error);
    if (error) return std::unexpected{told(0, error.message())};
    whole_bytes_ = sizeof header_;
    while (whole_bytes_ < size) {
        const auto place = find_block(whole_bytes_, size);
        if (!place) {
            damage_.push_back(told(whole_bytes_, "damaged from here to the end"));
            break;
        }
        if (place->offset != whole_bytes_)
            damage_.push_back(
                told(whole_bytes_, fmt::format("damaged from here to offset {}", place->offset)));
        whole_bytes_ = place->end();
        if (auto wrong = misfit(place->header); !wrong.empty())
            damage_.push_back(told(place->offset, wrong));
        else
            add_block(*place);
    }
    return {};
}

std::optional<EventFile::Place> EventFile::find_block(std::uint64_t from, std::uint64_t size) {
    const auto fits = [&](const Place& place) {
        return is_sound(place.header) && place.end() <= size;
    };
    Place place{.offset = from};
    if (read_at(from, &place.header, sizeof place.header) && fits(place)) return place;
    std::vector<char> bytes(std::min<std::uint64_t>(k_search_bytes, size - from));
    const std::string_view magic{reinterpret_cast<const char*>(&k_event_block_magic),
                                 sizeof k_event_block_magic};
    while (from + sizeof place.header <= size) {
        const auto some =
            static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), size - from));
        if (!read_at(from, bytes.data(), some)) return std::nullopt;
        const std::string_view text{bytes.data(), some};
        for (auto at = text.find(magic);
             at != std::string_view::npos && at + sizeof place.header <= some;
             at = text.find(magic, at + 1)) {
            place.offset = from + at;
            std::memcpy(&place.header, bytes.data() + at, sizeof place.header);
            if (fits(place)) return place;
        }
        // A header may lie across two of these pieces.
        from += some - sizeof place.header + 1;
    }
    return std::nullopt;
}

std::string EventFile::misfit(const EventBlockHeader& header) const {
    if (header.kind != EventBlockKind::instruments && header.first_record <= last_record())
        return fmt::format("a block of record {} after record {}", header.first_record,
                           last_record());
    if (header.kind == EventBlockKind::missing && !blocks_.empty())
        return "missing records are only told at the beginning of a file";
    return {};
}

void EventFile::add_block(const Place& place) {
    const EventBlockHeader& header = place.header;
    if (header.kind == EventBlockKind::missing) {
        damage_.push_back(told(place.offset, fmt::format("records {} to {} are missing",
                                                         header.first_record, header.last_record)));
        return;
    }
    if (header.kind == EventBlockKind::instruments) {
        const auto rows = payload(place, sizeof(LoggedInstrument));
        if (!rows) {
            damage_.push_back(rows.error());
            return;
        }
        const std::size_t before = instruments_.size();
        instruments_.resize(before + header.count);
        if (!rows->empty()) std::memcpy(instruments_.data() + before, rows->data(), rows->size());
        return;
    }
    if (!blocks_.empty() && header.first_record != last_record() + 1)
        damage_.push_back(
            told(place.offset, fmt::format("records {} to {} are missing", last_record() + 1,
                                           header.first_record - 1)));
    events_ += header.count;
    blocks_.push_back(place);
}

EventFile::Result<std::vector<LoggedEvent>> EventFile::read_block(std::size_t i) {
    if (on_block_) on_block_();
    const auto columns = payload(blocks_[i], k_event_bytes);
    if (!columns) return std::unexpected{columns.error()};
    return *from_event_columns(*columns, blocks_[i].header.count);
}

EventFile::Result<std::vector<std::byte>> EventFile::payload(const Place& place,
                                                             std::size_t entry_bytes) {
    std::vector<std::byte> compressed(place.header.payload_bytes);
    std::vector<std::byte> bytes(place.header.count * entry_bytes);
    if (compressed.empty() && bytes.empty()) return bytes;
    const bool sound =
        read_at(place.offset + sizeof place.header, compressed.data(), compressed.size()) &&
        crc32c(compressed) == place.header.payload_checksum;
    const std::size_t size =
        sound ? ZSTD_decompress(bytes.data(), bytes.size(), compressed.data(), compressed.size())
              : 0;
    if (!sound || ZSTD_isError(size) != 0 || size != bytes.size())
        return std::unexpected{
            told(place.offset, fmt::format("the block with records {} to {} is damaged",
                                           place.header.first_record, place.header.last_record))};
    return bytes;
}

bool EventFile::read_at(std::uint64_t offset, void* to, std::size_t bytes) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    return static_cast<std::size_t>(file_.gcount()) == bytes;
}

std::string EventFile::told(std::uint64_t offset, std::string_view what) const {
    return fmt::format("{}: at offset {}: {}", path_, offset, what);
}

}  // namespace damrak::archive
