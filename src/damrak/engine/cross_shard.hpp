// What several engines need to do together what one engine does: each has some of the instruments,
// and all have the same participants and limits. Used by sequencer::Partition, while it alone uses
// the engines. Plain values.
#pragma once

#include <cstdint>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/identifiers.hpp>

namespace damrak {

/// What a state hash is made of. Those of several engines add up to that of one.
struct StateDigest {
    std::uint64_t instruments = 0;  ///< sum over the instruments
    std::uint64_t positions = 0;    ///< sum over the accounts
    std::uint64_t rules = 0;        ///< of limits and states, which all engines have alike
    std::uint64_t accounts = 0;     ///< their number

    void add(const StateDigest& other) {
        instruments += other.instruments;
        positions += other.positions;
        accounts += other.accounts;
    }
    [[nodiscard]] std::uint64_t hash() const {
        return mix(positions + rules, accounts + 1) + instruments;
    }
};

/// Places in the pools that all instruments share: in use, or free.
struct PoolPlaces {
    std::uint32_t orders = 0;
    std::uint32_t extensions = 0;
    std::uint32_t levels = 0;
    std::uint32_t nodes = 0;
    std::uint32_t accounts = 0;

    void add(const PoolPlaces& other) {
        orders += other.orders;
        extensions += other.extensions;
        levels += other.levels;
        nodes += other.nodes;
        accounts += other.accounts;
    }
};

/// What one participant has open, as limits across instruments count it.
struct OpenTally {
    std::uint32_t orders = 0;
    std::int64_t notional = 0;

    void add(const OpenTally& other) {
        orders += other.orders;
        notional += other.notional;
    }
};

/// What one participant has in its accounts.
struct Holding {
    std::uint32_t accounts = 0;
    std::uint32_t positions = 0;  ///< accounts that have one

    void add(const Holding& other) {
        accounts += other.accounts;
        positions += other.positions;
    }
};

/// What an engine has to know of the others to apply a command as if all instruments were its own.
struct OtherShards {
    PoolPlaces used{};
    OpenTally open{};   ///< of the command's participant
    Holding holding{};  ///< the same; only of one that is to be released
};

/// A command that concerns all instruments, done step by step: it opens with what concerns the
/// participants, goes on with the orders of each instrument in turn (of a tick: one order that is
/// due), and closes with the event that tells the number. What one step leaves the next one needs.
struct CommandInSteps {
    enum class Step : std::uint8_t { open, orders, close };

    Step step = Step::open;
    InstrumentId instrument{};  ///< of the step `orders`
    std::int64_t orders = 0;    ///< ended so far
    bool rejected = false;      ///< it is done with
};

}  // namespace damrak
