// Where the blocks of an archived day lie in its file, for tests that damage it. Reads the headers
// one after the other and checks nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include <damrak/archive/detail/day_format.hpp>

namespace damrak::testing {

struct DayBlock {
    std::uint64_t offset = 0;  ///< of its header
    archive::BlockHeader header{};

    [[nodiscard]] std::uint64_t payload() const { return offset + sizeof header; }
    [[nodiscard]] std::uint64_t end() const { return payload() + header.payload_bytes; }
};

[[nodiscard]] inline std::vector<DayBlock> blocks_of(const std::filesystem::path& day) {
    std::ifstream file{day, std::ios::binary};
    archive::DayHeader header;
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    std::vector<DayBlock> blocks;
    std::uint64_t at = sizeof header + header.source_bytes;
    for (DayBlock block{.offset = at};
         file.seekg(static_cast<std::streamoff>(at)) &&
         file.read(reinterpret_cast<char*>(&block.header), sizeof block.header);
         block.offset = at) {
        blocks.push_back(block);
        at = block.end();
    }
    return blocks;
}

}  // namespace damrak::testing
