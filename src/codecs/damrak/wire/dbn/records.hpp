// The records of the Databento Binary Encoding that Damrak writes, in the layout of the file:
// little-endian, prices in 1e-9, times in nanoseconds since the epoch, UTC.
//
// Source: the public description of DBN version 3.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace damrak::wire::dbn {

static_assert(std::endian::native == std::endian::little);

// NOLINTNEXTLINE(performance-enum-size): the width in the file
enum class Schema : std::uint16_t { mbo = 0, mbp_1 = 1, mbp_10 = 2, trades = 4 };

inline constexpr std::int64_t k_no_price = std::numeric_limits<std::int64_t>::max();
/// Flag of the last record of an event: the book is consistent after it.
inline constexpr std::uint8_t k_last = 128;

struct RecordHeader {
    std::uint8_t words = 0;  ///< length in units of four bytes
    std::uint8_t type = 0;
    std::uint16_t publisher = 0;
    std::uint32_t instrument = 0;
    std::uint64_t event_ns = 0;
};

struct MboRecord {
    static constexpr std::uint8_t k_type = 0xA0;
    RecordHeader header{};
    std::uint64_t order = 0;
    std::int64_t price_e9 = k_no_price;
    std::uint32_t size = 0;
    std::uint8_t flags = 0;
    std::uint8_t channel = 0;
    char action = 'N';
    char side = 'N';
    std::uint64_t received_ns = 0;
    std::int32_t delta_ns = 0;
    std::uint32_t sequence = 0;
};
static_assert(sizeof(MboRecord) == 56);

/// A trade, or a change of a level, which is `depth` levels from the best.
struct LevelRecord {
    static constexpr std::uint8_t k_type = 0x00;
    RecordHeader header{};
    std::int64_t price_e9 = k_no_price;
    std::uint32_t size = 0;
    char action = 'N';
    char side = 'N';
    std::uint8_t flags = 0;
    std::uint8_t depth = 0;
    std::uint64_t received_ns = 0;
    std::int32_t delta_ns = 0;
    std::uint32_t sequence = 0;
};
static_assert(sizeof(LevelRecord) == 48);

struct LevelPair {
    std::int64_t bid_e9 = k_no_price;
    std::int64_t ask_e9 = k_no_price;
    std::uint32_t bid_size = 0;
    std::uint32_t ask_size = 0;
    std::uint32_t bid_orders = 0;
    std::uint32_t ask_orders = 0;
    friend bool operator==(const LevelPair&, const LevelPair&) = default;
};
static_assert(sizeof(LevelPair) == 32);

template <std::size_t depth>
struct MbpRecord {
    static constexpr std::uint8_t k_type = depth;
    LevelRecord change{};
    std::array<LevelPair, depth> levels{};
};
static_assert(sizeof(MbpRecord<1>) == 80 && sizeof(MbpRecord<10>) == 368);

}  // namespace damrak::wire::dbn
