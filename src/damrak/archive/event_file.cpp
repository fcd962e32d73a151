#include <damrak/archive/event_file.hpp>

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

bool is_sound(const EventBlockHeader& header) {
    const bool events = header.kind == EventBlockKind::events;
    return header.magic == k_event_block_magic && header.checksum == header_checksum(header) &&
           (events || header.kind == EventBlockKind::instruments) &&
           header.count <= k_most_block_events && header.first_record <= header.last_record + 1 &&
           header.payload_bytes <= ZSTD_compressBound(header.count * k_event_bytes);
}

}  // namespace

EventFile::Result<EventFile> EventFile::open(const std::filesystem::path& path) {
    EventFile file{path};
    if (!file.file_) return std::unexpected{fmt::format("{}: {}", path, std::strerror(errno))};
    if (auto scanned = file.scan(); !scanned) return std::unexpected{std::move(scanned.error())};
    return file;
}

EventFile::Result<void> EventFile::scan() {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path_, error);
    const bool is_read = !error && read_at(0, &header_, sizeof header_);
    if (!is_read || header_.magic != EventFileHeader{}.magic)
        return std::unexpected{told(0, "this is no file of events of an exchange")};
    if (header_.checksum != header_checksum(header_))
        return std::unexpected{told(0, "the header is damaged")};
    if (header_.version != EventFileHeader{}.version)
        return std::unexpected{told(0, fmt::format("its version is {}, and this program reads {}",
                                                   header_.version, EventFileHeader{}.version))};
    whole_bytes_ = sizeof header_;
    while (whole_bytes_ < size) {
        Place place{.offset = whole_bytes_};
        const std::uint64_t left = size - whole_bytes_;
        if (left < sizeof place.header ||
            !read_at(place.offset, &place.header, sizeof place.header) || !is_sound(place.header) ||
            left - sizeof place.header < place.header.payload_bytes) {
            damage_.push_back(told(whole_bytes_, "damaged from here to the end"));
            break;
        }
        whole_bytes_ += sizeof place.header + place.header.payload_bytes;
        if (place.header.kind == EventBlockKind::instruments) {
            const auto rows = payload(place, sizeof(LoggedInstrument));
            if (!rows) {
                damage_.push_back(rows.error());
                continue;
            }
            const std::size_t before = instruments_.size();
            instruments_.resize(before + place.header.count);
            if (!rows->empty())
                std::memcpy(instruments_.data() + before, rows->data(), rows->size());
            continue;
        }
        if (!blocks_.empty() && place.header.first_record != last_record() + 1)
            damage_.push_back(
                told(place.offset, fmt::format("records {} to {} are missing", last_record() + 1,
                                               place.header.first_record - 1)));
        events_ += place.header.count;
        blocks_.push_back(place);
    }
    return {};
}

EventFile::Result<std::vector<LoggedEvent>> EventFile::read_block(std::size_t i) {
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
