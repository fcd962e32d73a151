// Opens any bytes as the file of an archived day, with corrected checksums: every query has a
// result or an error.
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
#include <damrak/archive/day.hpp>
#include <damrak/base/crc32c.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_archive_file {

namespace {

using damrak::archive::BlockHeader;
using damrak::archive::DayHeader;

template <class Header>
Header load(std::span<const std::byte> bytes) {
    Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    return header;
}

/// Makes the checksums and links right, so that the rest of what the bytes say is looked at.
void seal_all(std::span<std::byte> bytes) {
    if (bytes.size() < sizeof(DayHeader)) return;
    auto day = load<DayHeader>(bytes);
    const std::size_t most = bytes.size() - sizeof day;
    day.source_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(day.source_bytes, most));
    const auto source = bytes.subspan(sizeof day, day.source_bytes);
    day.day_id = damrak::archive::day_id_of(
        day.date, {reinterpret_cast<const char*>(source.data()), source.size()});
    day.checksum = damrak::archive::day_checksum(day, source);
    std::memcpy(bytes.data(), &day, sizeof day);
    std::uint32_t previous = day.checksum;
    for (std::size_t at = sizeof day + source.size(); at + sizeof(BlockHeader) <= bytes.size();) {
        auto header = load<BlockHeader>(bytes.subspan(at));
        const std::size_t left = bytes.size() - at - sizeof header;
        const std::size_t payload = std::min<std::size_t>(header.payload_bytes, left);
        header.payload_checksum = damrak::crc32c(bytes.subspan(at + sizeof header, payload));
        // Some blocks keep their links, which are wrong then.
        if (header.previous % 8 != 7) {
            header.day_id = day.day_id;
            header.previous = previous;
        }
        header.checksum = previous = damrak::archive::header_checksum(header);
        std::memcpy(bytes.data() + at, &header, sizeof header);
        at += sizeof header + payload;
    }
}

}  // namespace

DAMRAK_FUZZ_TARGET(archive_file)(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("damrak_fuzz_{}.dar", ::getpid());
    std::vector<std::byte> bytes(size);
    std::ranges::copy(std::as_bytes(std::span{data, size}), bytes.begin());
    seal_all(bytes);
    std::ofstream{file, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                                static_cast<std::streamsize>(bytes.size()));
    if (const auto day = damrak::archive::Day::open(file)) {
        static_cast<void>(day->instruments());
        static_cast<void>(day->book_at(1, day->last_time_ns()));
        static_cast<void>(day->book_after(1, day->messages() / 2 + 1));
        static_cast<void>(day->verify([] {}));
    }
    std::filesystem::remove(file);
    return 0;
}

}  // namespace damrak::fuzz_archive_file
