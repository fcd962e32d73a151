// During the replay of a journal: creates the reports that FIX clients did not get before a kill.
// Once at the start; the same for the real FIX gateway and a simulated one.
#pragma once

#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/detail/market_observers.hpp>

namespace damrak::exchange {

/// Call it between the loading of the state and the first record. It ends when the state's listener
/// is removed.
template <class Application>
void report_what_is_missing(Application& application, FollowedState& state) {
    for (const InstrumentState* const in : MarketView::of(state.engine()).instruments)
        application.note_instrument(in->definition());
    state.observer().tell_fix_events([&application, &state](
                                         const Event& event, const Origin& origin,
                                         const CommandStamp& stamp,
                                         const gateway::FixOrders::Applied& applied) {
        if (event.kind == EventKind::instrument_added || event.kind == EventKind::tick_band_added)
            application.note_instrument(state.engine().instrument(event.instrument)->definition());
        application.report_missing(event, origin, stamp, applied);
    });
}

}  // namespace damrak::exchange
