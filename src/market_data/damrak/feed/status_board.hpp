// What the instruments do with their orders now, and their definitions, for occasional readers on
// another thread. A follower of the journal notes it, so that matching waits for no reader. A
// change of phase costs a lock and a look-up, other events a comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/domain/event.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/market_snapshots.hpp>

namespace damrak::feed {

class StatusBoard {
  public:
    /// The market as it stands.
    void load(const Engine& engine) {
        for (std::uint32_t id = 1; id <= engine.config().maximum_instruments; ++id)
            note(engine, InstrumentId{id});
    }
    /// Takes any event, after the engine has applied its command.
    void on_event(const Event& event, const Engine& engine) {
        if (event.kind == EventKind::phase_changed ||
            event.kind == EventKind::trading_state_changed ||
            event.kind == EventKind::instrument_added || event.kind == EventKind::tick_band_added)
            note(engine, event.instrument);
    }

    /// None: there is no such instrument. Any thread.
    [[nodiscard]] std::optional<TradingStatus> find(std::string_view symbol) const {
        return look(symbol, &Noted::status);
    }
    [[nodiscard]] std::optional<InstrumentDefinition> definition(std::string_view symbol) const {
        return look(symbol, &Noted::definition);
    }

  private:
    struct Noted {
        TradingStatus status;
        InstrumentDefinition definition;
    };

    template <class T>
    [[nodiscard]] std::optional<T> look(std::string_view symbol, T Noted::* part) const {
        const std::scoped_lock lock{mutex_};
        const auto found = by_symbol_.find(symbol);
        return found == by_symbol_.end() ? std::nullopt : std::optional{found->second.*part};
    }
    void note(const Engine& engine, InstrumentId id) {
        const InstrumentState* const in = engine.instrument(id);
        if (in == nullptr) return;
        const std::scoped_lock lock{mutex_};
        by_symbol_.insert_or_assign(std::string{in->definition().symbol.view()},
                                    Noted{status_of(*in), in->definition()});
    }

    mutable std::mutex mutex_;
    std::map<std::string, Noted, std::less<>> by_symbol_;
};

}  // namespace damrak::feed
