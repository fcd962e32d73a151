// Compares the configuration with the state of the journal, and returns the commands that apply the
// differences: none if there are none. At start and at a reload; the exchange's thread.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/engine/accounts.hpp>
#include <damrak/engine/instrument_state.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

/// The current market: a view of an engine.
struct MarketView {
    std::vector<const InstrumentState*> instruments;  ///< in the order of their ids
    std::map<InstrumentId, CombinationDetails> combinations{};
    const Accounts* accounts = nullptr;
    CapacityDetails capacities;

    template <class Engine>
    [[nodiscard]] static MarketView of(const Engine& engine) {
        MarketView view{
            .instruments = {}, .accounts = &engine.accounts(), .capacities = engine.capacities()};
        for (std::uint32_t id = 1; id <= view.capacities.instruments; ++id)
            if (const InstrumentState* const in = engine.instrument(InstrumentId{id})) {
                view.instruments.push_back(in);
                if (in->combination != CombinationKind::none)
                    view.combinations[in->id()] = engine.combination(in->id());
            }
        return view;
    }
    [[nodiscard]] const InstrumentState* find(InstrumentId id) const;
};

/// The command that sets the capacities, if they differ. Submit it before the other changes, which
/// may need the room.
[[nodiscard]] std::optional<Command> capacities_command(const Settings& settings,
                                                        const CapacityDetails& there);

/// All changes or none: an error names an instrument that cannot be changed as requested.
[[nodiscard]] std::expected<std::vector<Command>, std::string> plan_changes(
    const Settings& settings, const MarketView& market);

/// Keys whose values differ but cannot change while the exchange runs.
[[nodiscard]] std::vector<std::string> fixed_differences(const Settings& running,
                                                         const Settings& wanted);

}  // namespace damrak::exchange
