// While a journal is replayed: what FIX clients were not told before a kill is made up for. Once at
// the start; the same for the real FIX door and a simulated one.
#pragma once

#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/market_observers.hpp>

namespace damrak::exchange {

/// The state was loaded, and the records come next. Lasts until the state is asked to tell nobody.
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
