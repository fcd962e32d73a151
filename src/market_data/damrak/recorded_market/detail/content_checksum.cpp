#include <damrak/recorded_market/detail/content_checksum.hpp>

#include <cstddef>
#include <fstream>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <damrak/base/crc32c.hpp>

namespace damrak::recorded_market::detail {

std::expected<std::uint32_t, std::string> content_checksum(const std::filesystem::path& file,
                                                           std::uint32_t before) {
    std::ifstream content{file, std::ios::binary};
    std::vector<char> part(std::size_t{1} << 20U);
    while (content.read(part.data(), static_cast<std::streamsize>(part.size())),
           content.gcount() > 0)
        before =
            crc32c(std::as_bytes(std::span{part}.first(static_cast<std::size_t>(content.gcount()))),
                   before);
    if (content.bad() || !content.eof())
        return std::unexpected{fmt::format("{}: it cannot be read", file.string())};
    return before;
}

}  // namespace damrak::recorded_market::detail
