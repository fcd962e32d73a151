// A trade of the day that the operator has busted or corrected, with its terms since then
// (docs/rule-book/busted-trades.md). Plain value.
#pragma once

#include <cstddef>
#include <cstdint>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/engine/detail/rare_table.hpp>

namespace damrak {

struct ChangedTrade {
    static constexpr std::size_t k_most = 128;  ///< of an instrument and day

    TradeId trade{};
    Quantity traded{};  ///< at first
    Price price{};
    Quantity quantity{};  ///< zero: busted

    [[nodiscard]] std::uint64_t key() const { return trade.value; }
    [[nodiscard]] InstrumentId instrument() const { return instrument_of(OrderId{trade.value}); }
    [[nodiscard]] std::uint64_t hash() const {
        return mix(mix(trade.value ^ 0x94D049BB133111EBU, static_cast<std::uint64_t>(traded.value)),
                   mix(static_cast<std::uint64_t>(price.value) ^ 0xE7037ED1A0B428DBU,
                       static_cast<std::uint64_t>(quantity.value) + 1));
    }
};

using ChangedTrades = RareTable<ChangedTrade>;

}  // namespace damrak
