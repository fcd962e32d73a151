// The interface between recordings and their consumers, independent of the format: itch_flow.hpp
// turns messages into calls of a consumer. There are two: book_builder.hpp (the
// books as they were) and rematch.hpp (the same orders through the engine).
//
//   struct Consumer {
//     InstrumentId declare(std::string_view symbol);          // once per instrument, in any order
//     bool on_add(const At&, OrderId, Side, Price, Quantity);
//     bool on_execute(const At&, OrderId, Quantity);          // at the order's own price
//     bool on_execute_at(const At&, OrderId, Quantity, Price, bool printable);
//     bool on_reduce(const At&, OrderId, Quantity);           // a partial cancel
//     bool on_remove(const At&, OrderId);
//     bool on_replace(const At&, OrderId, OrderId fresh, Price, Quantity);
//     bool on_trade(const At&, TradeKind, Price, Quantity, std::optional<Side> aggressor);
//     bool on_phase(const At&, StateChange);
//     bool on_indicative(const At&, const Indicative&);       // optional
//     void ahead(InstrumentId, OrderId);                      // a message follows soon: a hint
//   };
//
// A call returns false if it recorded an anomaly without a position (anomalies.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::order_flow {

/// Time and instrument.
struct At {
    std::int64_t time_ns{};  ///< since midnight
    InstrumentId instrument;
    /// Made by the view of a day of limited depth, not by a participant (wire/itch/view_mark.hpp).
    bool by_view = false;
    /// An execution or trade that was broken later: the book changed, but it does not count as
    /// traded (broken_trades.hpp).
    bool is_broken = false;
};

/// Trades that do not affect a displayed order.
enum class TradeKind : std::uint8_t {
    hidden,  ///< against an order that was not displayed
    cross,   ///< of an auction
};

/// For one instrument, or for all (instrument zero).
enum class StateChange : std::uint8_t {
    opened,  ///< regular trading hours began (all instruments)
    closed,  ///< regular trading hours ended
    halted,
    quoting,  ///< orders may be entered but do not trade
    trading,
};

/// What an auction would be if it took place now, while its orders are collected.
struct Indicative {
    Price price{};  ///< zero: nothing could trade
    std::uint64_t paired = 0;
    std::uint64_t imbalance = 0;
    std::optional<Side> side{};  ///< of the imbalance
    char cross_type{};           ///< as in ITCH: O opening, C closing, H after a halt, I intraday
    friend bool operator==(const Indicative&, const Indicative&) = default;
};

}  // namespace damrak::order_flow
