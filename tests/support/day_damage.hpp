// What can happen to the file of an archived day, for tests that no reader takes a part of the day
// for the whole. Each kind of damage makes a new file from a sound one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "support/day_blocks.hpp"

namespace damrak::testing {

struct DayDamage {
    std::string name;
    /// The bytes of a day, from those of a sound one.
    std::function<std::string(std::string)> make;
};

[[nodiscard]] inline std::string bytes_of_file(const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

/// Of this day: a damage of each kind, and of each block where there are several. `same_name` has
/// its date and source, but other messages; `other` also another source.
[[nodiscard]] inline std::vector<DayDamage> damages_of(const std::filesystem::path& day,
                                                       const std::filesystem::path& same_name,
                                                       const std::filesystem::path& other) {
    using archive::BlockKind;
    std::vector<DayDamage> damages;
    const auto blocks = blocks_of(day);
    const auto flip = [&](std::string name, std::uint64_t offset) {
        damages.push_back({std::move(name), [offset](std::string bytes) {
                               bytes[offset] = static_cast<char>(bytes[offset] ^ 1);
                               return bytes;
                           }});
    };
    const auto cut = [&](std::string name, std::uint64_t size) {
        damages.push_back({std::move(name), [size](std::string bytes) {
                               bytes.resize(size);
                               return bytes;
                           }});
    };
    const auto replace = [&](std::string name, const DayBlock& block, std::string with) {
        damages.push_back({std::move(name), [block, with](std::string bytes) {
                               return bytes.replace(block.offset, block.end() - block.offset, with);
                           }});
    };
    const auto splice = [&](const std::string& name, std::size_t i,
                            const std::filesystem::path& from) {
        const auto foreign = blocks_of(from);
        if (i >= foreign.size() || foreign[i].header.kind != blocks[i].header.kind) return;
        replace(
            name, blocks[i],
            bytes_of_file(from).substr(foreign[i].offset, foreign[i].end() - foreign[i].offset));
    };
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const DayBlock& block = blocks[i];
        const std::string number = " " + std::to_string(i);
        if (block.header.kind == BlockKind::end) {
            cut("without its end", block.offset);
            flip("a bit in the header of the end", block.offset + 20);
            flip("a bit in the payload of the end", block.payload());
            continue;
        }
        flip("a bit in the header of block" + number, block.offset + 20);
        cut("cut before block" + number, block.offset);
        cut("cut within block" + number, block.payload() + block.header.payload_bytes / 2);
        cut("cut within the header of block" + number, block.offset + 10);
        if (block.header.kind == BlockKind::messages) {
            flip("a bit in the payload of block" + number,
                 block.payload() + block.header.payload_bytes / 2);
            replace("without block" + number, block, "");
            splice("the block of another day instead of block" + number, i, other);
            splice("the block of a day of the same name instead of block" + number, i, same_name);
        } else {
            replace("without checkpoint" + number, block, "");
            splice("the checkpoint of a day of the same name" + number, i, same_name);
        }
    }
    return damages;
}

}  // namespace damrak::testing
