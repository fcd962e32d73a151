// What a gateway of an exchange is. exchange::Gateways folds over a list of gateway types, without
// virtual calls. docs/how-to/add-a-gateway.md adds one step by step.
//
//   static k_gateway                   its number in the ids of its sessions; kept in journals
//   static k_name                   its key in settings and in the list of ports
//   struct Setup { bool open; … }   its settings; `open`: it takes clients
//   D(Setup, const House&)
//   attach(exchange)                to the exchange, after its state was recovered
//   listen() -> expected<void, string>
//   port()
//   wake_source()                   a descriptor that is readable when poll() has something to do
//   poll(wait_ms) -> messages       waits at most that long, serves what arrived
//   busy()                          it has work that needs no network input
//   is_due(now)                     poll() is due even without network input
//   time()                          when the last poll() received its input
//   on_event(event, origin, stamp)  each event of the exchange, whichever gateway caused it
//   on_command_end(origin)          the last event of a command of this gateway was reported
//   flush()                         sends the reports, which are durable now
//   close()                         sends what it can and ends every session
//   stopped()                       the exchange accepts no more commands
//
// Optional:
//
//   State, state()                  its orders, see journal::GatewayStates
//   each_participant(state, f)      those who may return; also for a closed gateway
//   on_replayed(event, origin)      an event of a journal, if it has no state
//   open_orders(participant)        open orders of a participant whose client left
//   patience_ms(wait_ms)            the longest wait until the next poll()
//   on_turn_end(now, exchange)      after the events of a turn, before sending;
//                                   may return the number of commands submitted
//   wake_up_for(descriptor, flag)   poll() also waits for this descriptor; sets the flag
//   on_messages()                   after a turn that had messages: helpers may have work
//   set_fees(fees)                  reports of executions from now on
//   set_anonymous_share(percent)    of the capacity, for all clients without a credential
//   set_strangers_share(percent)    of its connections, for the same
//   use_certificates(settings)      for later connections; or what is wrong with them
//
// Optional, of a gateway that keeps what it sent, over restarts (in this order, before attach()):
//
//   open_files()                    first of all; also for a closed gateway
//   reported_position()             snapshots may not be later: later records are replayed
//   follow_replay(state)            before the replay, for the reports that clients lack
//   note_records(records)           of the replay, after their events
//   check_new_journal(folder)       there is no journal: whether its files allow for a new one
//   check_replayed(state)           whether its files know everybody that the journal knows
//   note_reported(sequence)         the last record, at the end
//
// Optional, for the operator; of open gateways, on any thread but the first two:
//
//   observer(engine)                of the market, for its clients (feed/market_observer.hpp)
//   describe(settings, lines)       notices to the operator at the start
//   metrics()                       in Prometheus format
//   health()                        gateway::Health
//   add_usages(gateway, settings, all)     its Usages; static, null if the gateway does not exist
//   admin()                         its administration, which Trading::admin() finds by its type
//   look_for_troubles(now_ns)       tells the operator what is new; one thread at a time
//   tell_totals()                   of the troubles, at the end
//
// One thread makes all other calls. Everything else is private to the gateway. How one is made from
// settings is in gateway/gateway_making.hpp, what settings are in gateway/setting.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::gateway {

/// Shared by the gateways of an exchange; outlives them.
struct House {
    const EngineConfig& engine;
    Participants& participants;
    telemetry::Probe& probe;
};

template <class D, class Exchange>
concept Gateway =
    std::constructible_from<D, typename D::Setup, const House&> &&
    requires(D& gateway, const D& view, Exchange& exchange, const typename D::Setup& setup,
             const Event& event, const Origin& origin, const CommandStamp& stamp, Timestamp now) {
        { D::k_gateway } -> std::convertible_to<GatewayNumber>;
        { D::k_name } -> std::convertible_to<std::string_view>;
        { setup.open } -> std::convertible_to<bool>;
        gateway.attach(exchange);
        { gateway.poll(0) } -> std::same_as<std::size_t>;
        { view.busy() } -> std::same_as<bool>;
        { view.is_due(now) } -> std::same_as<bool>;
        { view.time() } -> std::same_as<Timestamp>;
        { view.stopped() } -> std::same_as<bool>;
        gateway.on_event(event, origin, stamp);
        gateway.on_command_end(origin);
        gateway.flush();
        gateway.close();
    };

}  // namespace damrak::gateway
