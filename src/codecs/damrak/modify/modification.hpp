// What to change in a recorded day before it is replayed: a modification file, which is TOML.
// docs/reference/modifications.md has the keys and what each does. A file that sets nothing changes
// nothing. At set-up only.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace damrak::modify {

inline constexpr std::int64_t k_longest_delay_ns = 60'000'000'000;

/// Only what happens from `from_ns` to `until_ns`, nanoseconds since midnight, both included. The
/// orders that rest before enter at `from_ns`.
struct Window {
    std::int64_t from_ns = 0;
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    friend bool operator==(const Window&, const Window&) = default;
};

/// Classes of orders and of messages that are left out. An order belongs to a class by the message
/// that adds it, and takes all its later messages with it.
struct Drop {
    bool bids = false;
    bool asks = false;
    bool attributed = false;          ///< orders that name their participant
    std::uint32_t smaller_than = 0;   ///< orders of fewer shares
    std::uint32_t larger_than = ~0U;  ///< orders of more shares
    bool executions = false;          ///< what they would take is cancelled instead
    bool hidden_trades = false;
    bool crosses = false;
    bool imbalances = false;  ///< of the auctions
    bool halts = false;
    [[nodiscard]] bool takes_orders() const {
        return bids || asks || attributed || smaller_than > 1 || larger_than != ~0U;
    }
    friend bool operator==(const Drop&, const Drop&) = default;
};

enum class Delayed : std::uint8_t {
    orders,   ///< everything of an order, and trades with hidden orders
    cancels,  ///< cancels, deletes and replaces; what follows them of their order waits for them
};

/// Each order has a delay of its own, drawn evenly between the two, in nanoseconds.
struct Delay {
    std::int64_t least_ns = 0;
    std::int64_t most_ns = 0;
    Delayed of = Delayed::orders;
    friend bool operator==(const Delay&, const Delay&) = default;
};

struct Modification {
    std::string file{};      ///< where it comes from
    std::uint64_t seed = 1;  ///< of the draws for orders: with their reference
    Window window{};
    Drop drop{};
    double thin_share = 0;      ///< of the orders, from 0 to 1: dropped by draw
    double scale_factor = 1;    ///< of the sizes, from 0.001 to 1000
    std::uint32_t tick_e4 = 1;  ///< grid of the prices, in 1/10,000; 1: as recorded
    Delay delay{};
};

/// `where` names the text in errors: one sentence with the line, the key and what is allowed.
[[nodiscard]] std::expected<Modification, std::string> parse_modification(std::string_view text,
                                                                          std::string_view where);
[[nodiscard]] std::expected<Modification, std::string> read_modification(
    const std::filesystem::path& path);
/// All that has an effect, in one line: the same for two files that change a day in the same way.
[[nodiscard]] std::string identity_of(const Modification& modification);

}  // namespace damrak::modify
