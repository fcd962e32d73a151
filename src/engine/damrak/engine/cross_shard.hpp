// What several engines need in order to act as one: each has some of the instruments, and all have
// the same participants and limits. Used by sequencer::Partition while no other thread uses the
// engines. Plain values.
#pragma once

#include <cstdint>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/identifiers.hpp>

namespace damrak {

/// The parts of a state hash. The digests of several engines add up to that of one.
struct StateDigest {
    std::uint64_t instruments = 0;  ///< sum over the instruments
    std::uint64_t positions = 0;    ///< sum over the accounts
    std::uint64_t rules = 0;        ///< limits and states, which are the same in all engines
    std::uint64_t accounts = 0;     ///< number of accounts

    void add(const StateDigest& other) {
        instruments += other.instruments;
        positions += other.positions;
        accounts += other.accounts;
    }
    [[nodiscard]] std::uint64_t hash() const {
        return mix(positions + rules, accounts + 1) + instruments;
    }
};

/// Numbers of slots in the pools that all instruments share, in use or free.
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

/// One participant's open orders, as limits across instruments count them.
struct OpenTally {
    std::uint32_t orders = 0;
    Int128 notional = 0;

    void add(const OpenTally& other) {
        orders += other.orders;
        notional += other.notional;
    }
};

/// One participant's accounts.
struct Holding {
    std::uint32_t accounts = 0;
    std::uint32_t positions = 0;  ///< accounts that have one

    void add(const Holding& other) {
        accounts += other.accounts;
        positions += other.positions;
    }
};

/// What an engine must know of the others to apply a command as if it had all instruments.
struct OtherShards {
    PoolPlaces used{};
    OpenTally open{};   ///< of the command's participant
    Holding holding{};  ///< of the same participant; only if it is to be released
};

/// A command for all instruments, applied in steps: `open` handles the participants, `orders` the
/// orders of one instrument after the other (for a tick: one due order each), and `close` emits the
/// event with the number of orders. Each step passes its state to the next one.
struct CommandInSteps {
    enum class Step : std::uint8_t { open, orders, close };

    Step step = Step::open;
    InstrumentId instrument{};  ///< for the step `orders`
    std::int64_t orders = 0;    ///< number ended so far
    bool rejected = false;      ///< the command ended with a reject
};

}  // namespace damrak
