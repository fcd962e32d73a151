// The blocks of an archived day: where they lie in its file, for tests that damage it (the headers
// are read one after the other, and nothing is checked), and what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
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

/// The blocks of messages up to the end, or to where something is missing.
[[nodiscard]] inline std::vector<archive::MessageBlock> message_blocks_of(const archive::Day& day) {
    std::vector<archive::MessageBlock> blocks;
    archive::DayCursor cursor{day};
    for (auto block = cursor.next(); block && *block; block = cursor.next())
        blocks.push_back(**std::move(block));
    return blocks;
}
/// Their messages, each after its length.
[[nodiscard]] inline std::vector<std::byte> frames_of(const archive::Day& day) {
    std::vector<std::byte> all;
    for (const archive::MessageBlock& block : message_blocks_of(day))
        all.insert(all.end(), block.frames.begin(), block.frames.end());
    return all;
}

}  // namespace damrak::testing
