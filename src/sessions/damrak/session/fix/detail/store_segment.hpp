// One mapped file of a MessageStore with the ranges of its messages. Created by the helper or at
// start; from then on used only by the store's thread, until it is retired.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/detail/message_index.hpp>

namespace damrak::session::fix::detail {

/// Suffix of a file name until the header is written.
inline constexpr std::string_view k_unfinished_suffix = ".new";

struct StoreSegment {
    std::filesystem::path path;
    std::uint64_t number = 0;
    std::unique_ptr<journal::MappedFile> file;
    MessageRanges ranges;
    /// Before the file is written: an index for it, if that of the previous files is too small.
    /// From then on: that smaller one, which the helper gives back.
    MessageIndex spare_index;
    std::size_t prefaulted_to = 0;         ///< for the helper
    bool has_large_pages = false;          ///< for the helper
    StoreSegment* next_retired = nullptr;  ///< once it is retired

    [[nodiscard]] char* data() const { return reinterpret_cast<char*>(file->data()); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {file->data(), file->size()}; }
};

}  // namespace damrak::session::fix::detail
