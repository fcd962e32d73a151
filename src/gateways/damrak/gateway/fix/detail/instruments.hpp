// Instruments as FIX clients name them: by Symbol, by SecurityID (an ISIN or a symbol), or both.
// Order entry, reports and market data look instruments up here.
//
// Runs on the thread of the gateways. A look-up by id is an index, one by name a hash; neither
// allocates. note() allocates once for each instrument. Definitions never move.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>

namespace damrak::gateway::fix {

class FixInstruments {
  public:
    using Isins = std::map<std::string, std::string, std::less<>>;  ///< symbols by ISIN

    FixInstruments(std::size_t maximum, Isins isins)
        : isins_(std::move(isins)), definitions_(maximum) {}

    /// A new instrument, or what has changed of one. Its id is at most maximum().
    void note(const InstrumentDefinition& definition);

    [[nodiscard]] std::size_t maximum() const { return definitions_.size(); }
    /// Of an instrument that was noted.
    [[nodiscard]] const InstrumentDefinition& definition(InstrumentId id) const {
        return definitions_[id.value - 1U];
    }
    /// Null: there is none.
    [[nodiscard]] const InstrumentDefinition* by_symbol(std::string_view symbol) const;
    [[nodiscard]] const InstrumentDefinition* by_isin(std::string_view isin) const;
    [[nodiscard]] const InstrumentDefinition* by_isin_or_symbol(std::string_view name) const {
        return isins_.contains(name) ? by_isin(name) : by_symbol(name);
    }
    /// The instrument that a request names. Fields that contradict each other are refused.
    [[nodiscard]] detail::Asked<const InstrumentDefinition*> named_in(
        const fix_codec::Message& message) const;
    /// In the order of their ids. Allocates.
    [[nodiscard]] std::vector<const InstrumentDefinition*> all() const;

  private:
    struct SymbolHash {
        [[nodiscard]] std::size_t operator()(const Symbol& symbol) const {
            const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(symbol);
            return mix(words[0] ^ 0x9E3779B97F4A7C15U, words[1] ^ 0xD6E8FEB86659FD93U);
        }
    };

    Isins isins_;
    std::vector<InstrumentDefinition> definitions_;  ///< by id - 1; those without id do not exist
    std::unordered_map<Symbol, InstrumentId, SymbolHash> ids_;
};

}  // namespace damrak::gateway::fix
