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
//
// One thread makes all these calls. Everything else is private to the gateway.
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
