// The passes over the bytes of an ITCH day that the itch benchmark times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace damrak::bench {

struct PassResult {
    std::uint64_t messages = 0;
    std::uint64_t anomalies = 0;    // messages that could not be applied
    std::uint64_t live_orders = 0;  // in the books at the end, where there are books
    std::uint64_t compared = 0;     // executions that were matched again
    std::uint64_t equal = 0;        // of which price, size and resting order agree
    std::uint64_t wall_ns = 0;
    std::uint64_t cpu_ns = 0;
    std::array<char, 400> error{};  // empty when the whole file was read
};

// decode: every field of every order message; build: the books as recorded; report: these with the
// statistics that `damrak replay` shows; rematch: the same orders through the engine as well.
struct ItchPass {
    std::string_view name;
    PassResult (*run)(const std::string& path);
};

[[nodiscard]] std::span<const ItchPass> itch_passes();

}  // namespace damrak::bench
