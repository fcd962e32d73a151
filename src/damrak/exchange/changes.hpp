// What the configuration asks of the market, as the commands that lead there from what the journal
// has: none where nothing differs. At start and at a reload; the exchange's thread.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/engine/accounts.hpp>
#include <damrak/engine/instrument_state.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

/// The market as it is: a view of an engine.
struct MarketView {
    std::vector<const InstrumentState*> instruments;  ///< that exist, in the order of their ids
    const Accounts* accounts = nullptr;
    CapacityDetails capacities;

    template <class Engine>
    [[nodiscard]] static MarketView of(const Engine& engine) {
        MarketView view{
            .instruments = {}, .accounts = &engine.accounts(), .capacities = engine.capacities()};
        for (std::uint32_t id = 1; id <= view.capacities.instruments; ++id)
            if (const InstrumentState* const in = engine.instrument(InstrumentId{id}))
                view.instruments.push_back(in);
        return view;
    }
    [[nodiscard]] const InstrumentState* find(InstrumentId id) const;
};

/// What the exchange is to have room for, if that is not what it has. Before the other changes,
/// which may need it.
[[nodiscard]] std::optional<Command> capacities_command(const Settings& settings,
                                                        const CapacityDetails& there);

/// All of it or nothing: an error says which instrument cannot become what is asked for.
[[nodiscard]] std::expected<std::vector<Command>, std::string> plan_changes(
    const Settings& settings, const MarketView& market);

/// What cannot change while the exchange runs, and differs: names of keys.
[[nodiscard]] std::vector<std::string> fixed_differences(const Settings& running,
                                                         const Settings& wanted);

}  // namespace damrak::exchange
