// Folders of files that an earlier release wrote, each compressed as NAME.zst in the test tree.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <damrak/files/byte_source.hpp>

namespace damrak::testing {

/// Creates the folder `to` with the original files.
inline void unpack(const std::filesystem::path& from, const std::filesystem::path& to) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator{from}) {
        if (entry.path().extension() != ".zst") continue;
        auto path = to / entry.path().lexically_relative(from);
        path.replace_extension();
        std::filesystem::create_directories(path.parent_path());
        std::ofstream file{path, std::ios::binary};
        auto source = files::ByteSource::open(entry.path());
        if (!source) throw std::runtime_error{source.error()};
        std::vector<std::byte> piece(std::size_t{64} << 10U);
        for (;;) {
            const auto got = source->read(piece);
            if (!got) throw std::runtime_error{got.error()};
            if (*got == 0) break;
            file.write(reinterpret_cast<const char*>(piece.data()),
                       static_cast<std::streamsize>(*got));
        }
    }
}

}  // namespace damrak::testing
