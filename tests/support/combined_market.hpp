// Legs and spreads with implied prices, for tests of combinations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::combined {

using namespace terms;

inline constexpr InstrumentId a{1};
inline constexpr InstrumentId b{2};
inline constexpr InstrumentId c{3};

/// A, B and C are legs, X is A less B, Y is B less C.
struct Combined : ::testing::Test {
    static EngineConfig config() {
        EngineConfig config = Market::small();
        config.maximum_instruments = 16;
        return config;
    }
    static InstrumentDetails leg() {
        InstrumentDetails details = Market::stock();
        details.shard_group = 1;
        return details;
    }
    static InstrumentDetails spread() {
        InstrumentDetails details = leg();
        details.unpublished = 1;
        details.minimum_price = price(-10'000);
        return details;
    }
    /// "A#1 5@95.00 left 5 of X1" for each execution, the ids within their instruments.
    static std::vector<std::string> trades(const Outcome& outcome) {
        std::vector<std::string> lines;
        for (const Event& event : outcome.events())
            if (event.kind == EventKind::executed)
                lines.push_back(fmt::format(
                    "{}#{} {}@{} left {}{} of {}{}", letter(event.instrument.value),
                    event.order_id.value & 0xFFFF, event.quantity.value, price_text(event.price),
                    event.remaining.value, has_flag(event, EventFlags::k_aggressor) ? " takes" : "",
                    letter((event.reference >> 40U) + 1), event.reference & 0xFFFF));
        return lines;
    }
    static char letter(std::uint64_t instrument) { return "?ABCXYZ"[instrument]; }

    Combined() {
        for (const std::uint32_t id : {2U, 3U}) market.add_instrument(id, leg());
        for (const std::uint32_t id : {4U, 5U, 6U}) market.add_instrument(id, spread());
        market.set_combination(4, CombinationKind::spread, {{a, 1}, {b, -1}})
            .expect({"combination_set 0"});
        market.set_combination(5, CombinationKind::spread, {{b, 1}, {c, -1}});
    }
    static auto x() { return in(4); }
    static auto y() { return in(5); }

    Market market{config(), leg()};
};

}  // namespace damrak::combined
