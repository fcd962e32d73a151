// During the replay of a journal: creates the reports that FIX clients did not get before a kill.
// Once at the start; the same for the real FIX gateway and a simulated one.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/gateway/fix/fix_orders.hpp>

namespace damrak::gateway::fix {

/// Hears from FixOrders what the events of a journal mean; part of the observer of its state.
class FixHearer {
  public:
    /// Called during the replay with each event and its meaning for orders of the FIX gateway.
    using Hear = std::function<void(const Event&, const Origin&, const CommandStamp&,
                                    const FixOrders::Applied&)>;
    void tell_fix_events(Hear hear) { hear_ = std::move(hear); }
    void on_fix_event(const Event& event, const Origin& origin, const CommandStamp& stamp,
                      const FixOrders::Applied& applied) {
        if (hear_) hear_(event, origin, stamp, applied);
    }

  private:
    Hear hear_;
};

/// Call it between the loading of the state and the first record. It ends when the state's listener
/// is removed.
template <class Application, class State>
void report_what_is_missing(Application& application, State& state) {
    const auto& engine = state.engine();
    for (std::uint32_t id = 1; id <= engine.capacities().instruments; ++id)
        if (const auto* const in = engine.instrument(InstrumentId{id}))
            application.note_instrument(in->definition());
    state.observer().tell_fix_events([&application, &state](const Event& event,
                                                            const Origin& origin,
                                                            const CommandStamp& stamp,
                                                            const FixOrders::Applied& applied) {
        if (event.kind == EventKind::instrument_added || event.kind == EventKind::tick_band_added)
            application.note_instrument(state.engine().instrument(event.instrument)->definition());
        application.report_missing(event, origin, stamp, applied);
    });
}

}  // namespace damrak::gateway::fix
