// A market of one instrument (tick 100, worth 1,000,000 at the opening) for tests of participants.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <damrak/market_kernel/market.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants_tests {

inline constexpr InstrumentId k_first{1};
inline constexpr std::int64_t k_tick = 100;

class SmallMarket {
  public:
    explicit SmallMarket(std::uint64_t seed = 1) {
        setup.seed = seed;
        InstrumentDefinition definition{};
        definition.id = k_first;
        definition.symbol = Symbol::of("AAA");
        definition.tick_bands[0] = {Price{0}, Price{k_tick}};
        setup.instruments.push_back(definition);
        setup.fundamentals.push_back({.start = 1'000'000});
    }
    template <class T>
    T& add(const typename T::Parameters& parameters,
           const market_kernel::Connection& connection = {}) {
        auto made = std::make_unique<T>(parameters, participants::Assignment{{k_first}});
        T& added = *made;
        add(std::move(made), connection);
        return added;
    }
    void add(std::unique_ptr<market_kernel::Participant> participant,
             const market_kernel::Connection& connection = {}) {
        setup.seats.push_back({.participant = std::move(participant),
                               .group = "group" + std::to_string(setup.seats.size()),
                               .connection = connection,
                               .maximum_orders = 100'000});
    }
    market_kernel::Market& run(double seconds,
                               std::vector<market_kernel::MarketWatcher*> watchers = {}) {
        const Timestamp begin = setup.begin;
        if (!market) {
            begin_ = begin;
            market = std::make_unique<market_kernel::Market>(std::move(setup), std::move(watchers));
        }
        ran = market->run_until({begin_.value + static_cast<std::int64_t>(seconds * 1e9)});
        return *market;
    }

    market_kernel::MarketSetup setup;
    std::unique_ptr<market_kernel::Market> market;
    bool ran = false;

  private:
    Timestamp begin_{};
};

}  // namespace damrak::participants_tests
