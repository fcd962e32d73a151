// The protection of a participant's quotes in an instrument, and what they have traded
// (docs/rule-book/quotes.md). Plain value.
#pragma once

#include <cstddef>
#include <cstdint>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/engine/detail/rare_table.hpp>

namespace damrak {

struct QuoteProtection {
    static constexpr std::size_t k_most = 32;  ///< of an instrument

    ParticipantId participant{};
    InstrumentId of{};
    QuoteProtectionDetails details{};
    Timestamp begin{};  ///< of the window
    Quantity traded{};  ///< in the window; zero: it begins with the next trade

    [[nodiscard]] static std::uint64_t key_of(ParticipantId participant, InstrumentId instrument) {
        return std::uint64_t{instrument.value} << 32U | participant.value;
    }
    [[nodiscard]] std::uint64_t key() const { return key_of(participant, of); }
    [[nodiscard]] InstrumentId instrument() const { return of; }

    /// Whether a trade now reaches the maximum. Then the next window begins.
    [[nodiscard]] bool reached_by(Quantity quantity, Timestamp now) {
        if (traded.value == 0 || now.value - begin.value >= details.window) {
            begin = now;
            traded = Quantity{0};
        }
        traded += quantity;
        if (traded < details.maximum) return false;
        traded = Quantity{0};
        return true;
    }
    [[nodiscard]] std::uint64_t hash() const {
        std::uint64_t hash = mix(participant.value + 0x2127599BF4325C37U, of.value);
        for (const std::int64_t word :
             {details.maximum.value, details.window, begin.value, traded.value})
            hash = mix(hash ^ 0x880355F21E6D1965U, static_cast<std::uint64_t>(word) + 13);
        return hash;
    }
};

using QuoteProtections = RareTable<QuoteProtection>;

}  // namespace damrak
