// The records of the Databento Binary Encoding that Damrak reads and writes, in the layout of the
// file: little-endian, prices in 1e-9, times in nanoseconds since the epoch, UTC.
//
// Source: the public description of DBN version 3.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace damrak::wire::dbn {

static_assert(std::endian::native == std::endian::little);

// NOLINTNEXTLINE(performance-enum-size): the width in the file
enum class Schema : std::uint16_t {
    mbo = 0,
    mbp_1 = 1,
    mbp_10 = 2,
    tbbo = 3,
    trades = 4,
    bbo_1s = 18,
    bbo_1m = 19,
};
/// "mbo", "ohlcv-1m" and the like, of any schema of the format; "schema 99" of others.
[[nodiscard]] std::string name_of(Schema schema);
/// What a record of this type is: "order", "bar", "symbol mapping"; "type 0x99" of others.
[[nodiscard]] std::string name_of_record(std::uint8_t type);

inline constexpr std::int64_t k_no_price = std::numeric_limits<std::int64_t>::max();
inline constexpr std::uint64_t k_no_time = std::numeric_limits<std::uint64_t>::max();
/// Flag of the last record of an event: the book is consistent after it.
inline constexpr std::uint8_t k_last = 128;
/// Flag of a record that repeats what was entered before: part of a snapshot.
inline constexpr std::uint8_t k_snapshot = 32;

/// The beginning of each record.
struct RecordHeader {
    std::uint8_t words = 0;  ///< length in units of four bytes
    std::uint8_t type = 0;
    std::uint16_t publisher = 0;
    std::uint32_t instrument = 0;
    std::uint64_t event_ns = 0;
};

/// An order event. Actions: `A` add, `C` cancel, `M` modify, `R` clear, `T` trade, `F` fill, `N`
/// none. Sides: `B`, `A`, `N`; of a trade that of the aggressor, of a fill that of the order.
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

/// The best level of both sides, in units of 10^-9.
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

/// The best levels after a change; of a trade those before it.
template <std::size_t depth>
struct MbpRecord {
    static constexpr std::uint8_t k_type = depth;
    LevelRecord change{};
    std::array<LevelPair, depth> levels{};
};
static_assert(sizeof(MbpRecord<1>) == 80 && sizeof(MbpRecord<10>) == 368);

/// The best prices at the end of a second or minute, which is `change.received_ns`. The rest of
/// `change` is about the last trade before.
struct BboRecord {
    static constexpr std::uint8_t k_type = 0xC3;
    static constexpr std::uint8_t k_type_of_minutes = 0xC4;
    LevelRecord change{};
    std::array<LevelPair, 1> levels{};
};
static_assert(sizeof(BboRecord) == 80);

}  // namespace damrak::wire::dbn
