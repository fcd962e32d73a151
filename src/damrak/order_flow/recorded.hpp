// The words in which a recording speaks, whatever its format: itch_flow.hpp and lobster_flow.hpp
// turn messages into calls of a consumer, of which there are two, book_builder.hpp (the books as
// they were) and rematch.hpp (the engine's view of the same orders).
//
//   struct Consumer {
//     InstrumentId declare(std::string_view symbol);          // once an instrument, in any order
//     bool on_add(const At&, OrderId, Side, Price, Quantity);
//     bool on_execute(const At&, OrderId, Quantity);          // at the order's own price
//     bool on_execute_at(const At&, OrderId, Quantity, Price, bool printable);
//     bool on_reduce(const At&, OrderId, Quantity);           // a partial cancel
//     bool on_remove(const At&, OrderId);
//     bool on_replace(const At&, OrderId, OrderId fresh, Price, Quantity);
//     bool on_trade(const At&, TradeKind, Price, Quantity, std::optional<Side> aggressor);
//     bool on_phase(const At&, Phase);
//     void ahead(InstrumentId, OrderId);                      // will be spoken of soon: a hint
//   };
//
// A call returns false when it noted an anomaly that has no place yet (anomalies.hpp).
#pragma once

#include <cstdint>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::order_flow {

/// Time and instrument.
struct At {
    std::int64_t time_ns{};  ///< since midnight
    InstrumentId instrument;
};

/// Trades that do not touch a displayed order.
enum class TradeKind : std::uint8_t {
    hidden,  ///< against an order that was not displayed
    cross,   ///< of an auction
};

/// For one instrument, or for all (instrument zero).
enum class Phase : std::uint8_t {
    opened,  ///< the market's regular hours began (all instruments)
    closed,  ///< and ended
    halted,
    quoting,  ///< orders may be entered but do not trade
    trading,
};

}  // namespace damrak::order_flow
