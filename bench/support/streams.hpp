// Streams of messages made on the spot, for the drivers and for checking rows against each other.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include <damrak/generator/flow.hpp>

#include "support/message.hpp"

namespace damrak::bench {

// At most 65,536 symbols. The error says which option is out of range.
[[nodiscard]] std::expected<MessageStream, std::string> flow_stream(
    const generator::FlowOptions& options);

// Hostile input: few ids that are reused, id 0, unknown ids, zero quantity, a million, prices over
// the whole 32-bit range. Equal for equal seeds.
[[nodiscard]] MessageStream odd_stream(std::uint64_t seed, std::uint32_t messages);

}  // namespace damrak::bench
