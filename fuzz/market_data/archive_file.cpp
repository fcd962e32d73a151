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

#include <damrak/archive/day.hpp>
#include <damrak/base/crc32c.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_archive_file {

namespace {

using damrak::archive::BlockHeader;
using damrak::archive::DayHeader;

template <class Header>
void seal(std::span<std::byte> bytes) {
    const auto covered = bytes.first(sizeof(Header) - sizeof(std::uint32_t));
    const std::uint32_t checksum = damrak::crc32c(covered);
    std::memcpy(bytes.data() + covered.size(), &checksum, sizeof checksum);
}

void seal_all(std::span<std::byte> bytes) {
    if (bytes.size() < sizeof(DayHeader)) return;
    seal<DayHeader>(bytes);
    for (std::size_t at = sizeof(DayHeader); at + sizeof(BlockHeader) <= bytes.size();) {
        BlockHeader header;
        std::memcpy(&header, bytes.data() + at, sizeof header);
        const std::size_t left = bytes.size() - at - sizeof header;
        const std::size_t payload = std::min<std::size_t>(header.payload_bytes, left);
        header.payload_checksum = damrak::crc32c(bytes.subspan(at + sizeof header, payload));
        std::memcpy(bytes.data() + at, &header, sizeof header);
        seal<BlockHeader>(bytes.subspan(at));
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
