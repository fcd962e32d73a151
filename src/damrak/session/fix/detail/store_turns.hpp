// What a store that keeps by turns gives up when it is opened: the turn that did not end, and after
// a loss of power the one that did not come to the disk. None of it was sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/detail/store_segment.hpp>

namespace damrak::session::fix::detail {

/// Cuts the files behind the last turn that counts; nothing, if none ever ended. If that turn was
/// damaged, the largest number of a message that was found in it (zero: none was).
[[nodiscard]] std::expected<std::optional<std::uint64_t>, std::string> give_up_unended(
    journal::FileSystem& files, std::vector<std::unique_ptr<StoreSegment>>& segments);

/// Fills the rest of a file with zeros; whether it was filled with anything else.
bool clear_behind(StoreSegment& segment, std::size_t offset);

}  // namespace damrak::session::fix::detail
