// One field of a message: its tag and the position of its value.
#pragma once

#include <cstdint>

#include <damrak/fix_codec/tags.hpp>

namespace damrak::fix_codec {

/// The value is at bytes()[offset, offset + length) of its message.
struct Field {
    Tag tag{};
    std::uint32_t offset{};
    std::uint32_t length{};
};

}  // namespace damrak::fix_codec
