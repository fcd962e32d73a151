// A market of one instrument, worth 1,000,000 price units at the opening, whose participants and
// connections come from the subjects.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/market_kernel/market.hpp>
#include <damrak/validation/detail/subjects.hpp>

namespace damrak::validation::detail {

inline constexpr InstrumentId k_instrument{1};

class Arena {
  public:
    Arena(const Subjects& subjects, std::uint64_t seed, std::int64_t tick = 100)
        : subjects_(&subjects) {
        setup.seed = seed;
        InstrumentDefinition definition{};
        definition.id = k_instrument;
        definition.symbol = Symbol::of("VAL");
        definition.tick_bands[0] = {Price{0}, Price{tick}};
        setup.instruments.push_back(definition);
        setup.fundamentals.push_back({.start = 1'000'000});
    }
    ParticipantId add(std::string_view kind, const participants::ParameterValues& values = {},
                      const market_kernel::Connection& connection = {}) {
        return add(subjects_->participant(kind, values), connection);
    }
    ParticipantId add(std::unique_ptr<market_kernel::Participant> participant,
                      const market_kernel::Connection& connection = {}) {
        setup.seats.push_back({.participant = std::move(participant),
                               .group = "group" + std::to_string(setup.seats.size()),
                               .connection = subjects_->connection(connection),
                               .maximum_orders = 100'000});
        return {static_cast<std::uint32_t>(setup.seats.size())};
    }
    /// Watchers count in the first call.
    market_kernel::Market& run_until(double seconds,
                                     std::vector<market_kernel::MarketWatcher*> watchers = {}) {
        begin_ = market_ ? begin_ : setup.begin;
        if (!market_)
            market_ =
                std::make_unique<market_kernel::Market>(std::move(setup), std::move(watchers));
        market_->run_until({begin_.value + static_cast<std::int64_t>(seconds * 1e9)});
        return *market_;
    }

    market_kernel::MarketSetup setup;

  private:
    const Subjects* subjects_;
    Timestamp begin_{};
    std::unique_ptr<market_kernel::Market> market_;
};

// Parameters by name.
inline participants::ParameterValue number(double value) { return {.number = value}; }
inline participants::ParameterValue whole(std::int64_t value) { return {.whole = value}; }
inline participants::ParameterValue word(std::string value) { return {.text = std::move(value)}; }
inline participants::ParameterValue numbers(std::vector<double> values) {
    return {.numbers = std::move(values)};
}

}  // namespace damrak::validation::detail
