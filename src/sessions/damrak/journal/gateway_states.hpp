// The order state of the gateways, as a list of types: journal and sequencers hold it without
// knowing any gateway. The list itself is in standard_exchange/gateway_states.hpp. Like the
// engine's state, a gateway's state follows from the records of the journal. Its contract:
//
//   explicit S(const EngineConfig&)        empty, with room for everything that the engine can hold
//   s.follow(event, recorded, observer)    each event, in order; may call the state's observer
//   s.note_record(command, origin)         optional: each record, before its events
//   s.is_anonymous(id)                     optional: an open order names nobody on the feeds
//   s.configure(settings)                  optional: of the exchange; before its first event
//   S::transfer(self, archive)             saves and loads it, see base/serialize.hpp
//
// One thread. An event costs one call per state; a snapshot costs their sizes.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/serialize.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>

namespace damrak::journal {

/// A command as recorded in the journal.
struct RecordedCommand {
    const Command& command;
    Origin origin;
    CommandStamp stamp;
    std::string_view attachment;  ///< of its record; valid during the call
};

template <class... States>
class GatewayStates {
  public:
    explicit GatewayStates(const EngineConfig& config) : states_{States{config}...} {}

    template <class State>
    [[nodiscard]] State& get() {
        return std::get<State>(states_);
    }
    template <class State>
    [[nodiscard]] const State& get() const {
        return std::get<State>(states_);
    }

    /// For the states that depend on the settings of their exchange.
    template <class Settings>
    void configure(const Settings& settings) {
        each(*this, [&](auto& state) {
            if constexpr (requires { state.configure(settings); }) state.configure(settings);
        });
    }
    void note_record(const Command& command, const Origin& origin) {
        each(*this, [&](auto& state) {
            if constexpr (requires { state.note_record(command, origin); })
                state.note_record(command, origin);
        });
    }
    template <class Observer>
    void follow(const Event& event, const RecordedCommand& recorded, Observer& observer) {
        each(*this, [&](auto& state) { state.follow(event, recorded, observer); });
    }
    /// Whether an open order names nobody on the feeds, whatever the settings say of its owner.
    [[nodiscard]] bool is_anonymous(OrderId id) const {
        const auto says = [id]<class State>(const State& state) {
            if constexpr (requires { state.is_anonymous(id); })
                return state.is_anonymous(id);
            else
                return false;
        };
        return std::apply([&](const States&... states) { return (says(states) || ...); }, states_);
    }
    /// Makes room for everything that the engine can hold now.
    void enlarge(const EngineConfig& config) {
        each(*this, [&]<class State>(State& state) {
            const auto bytes = saved_bytes(
                [&state](auto& archive) { State::transfer(std::as_const(state), archive); });
            state = State{config};
            LoadArchive loaded{bytes};
            State::transfer(state, loaded);
            DAMRAK_ASSERT(loaded.complete());
        });
    }
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        (States::transfer(self.template get<States>(), archive), ...);
    }

  private:
    template <class F>
    static void each(GatewayStates& self, const F& f) {
        std::apply([&](States&... states) { (f(states), ...); }, self.states_);
    }

    std::tuple<States...> states_;
};

}  // namespace damrak::journal
