// The checksum in the headers of archive files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/archive/detail/day_format.hpp>
#include <damrak/base/crc32c.hpp>

namespace damrak::archive {

template <class T>
[[nodiscard]] std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span{&value, 1});
}

/// The checksum of a header, whose last field it is.
template <class Header>
[[nodiscard]] std::uint32_t header_checksum(const Header& header) {
    return crc32c(bytes_of(header).first(sizeof header - sizeof header.checksum));
}

/// The checksum of a day's header, which covers the source after it.
[[nodiscard]] inline std::uint32_t day_checksum(const DayHeader& header,
                                                std::span<const std::byte> source) {
    return crc32c(source, header_checksum(header));
}

}  // namespace damrak::archive
