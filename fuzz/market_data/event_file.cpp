// Opens any bytes as a file of events, with corrected checksums: every block has its events or an
// error.
#include <damrak/archive/event_file.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <damrak/archive/checksum.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_event_file {

namespace {

using damrak::archive::EventBlockHeader;
using damrak::archive::EventFileHeader;

template <class Header>
void seal(std::span<std::byte> bytes) {
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    header.checksum = damrak::archive::header_checksum(header);
    std::memcpy(bytes.data(), &header, sizeof header);
}

void seal_all(std::span<std::byte> bytes) {
    if (bytes.size() < sizeof(EventFileHeader)) return;
    seal<EventFileHeader>(bytes);
    for (std::size_t at = sizeof(EventFileHeader); at + sizeof(EventBlockHeader) <= bytes.size();) {
        EventBlockHeader header;
        std::memcpy(&header, bytes.data() + at, sizeof header);
        const std::size_t left = bytes.size() - at - sizeof header;
        const std::size_t payload = std::min<std::size_t>(header.payload_bytes, left);
        header.payload_checksum = damrak::crc32c(bytes.subspan(at + sizeof header, payload));
        std::memcpy(bytes.data() + at, &header, sizeof header);
        seal<EventBlockHeader>(bytes.subspan(at));
        at += sizeof header + payload;
    }
}

}  // namespace

DAMRAK_FUZZ_TARGET(event_file)(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path path =
        std::filesystem::temp_directory_path() / fmt::format("damrak_fuzz_{}.events", ::getpid());
    std::vector<std::byte> bytes(size);
    std::ranges::copy(std::as_bytes(std::span{data, size}), bytes.begin());
    seal_all(bytes);
    std::ofstream{path, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                                static_cast<std::streamsize>(bytes.size()));
    if (auto file = damrak::archive::EventFile::open(path))
        for (std::size_t i = 0; i < file->blocks(); ++i)
            if (const auto events = file->read_block(i);
                events && events->size() != file->block(i).count)
                std::abort();
    return 0;
}

}  // namespace damrak::fuzz_event_file
