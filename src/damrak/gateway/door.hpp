// What a door of an exchange is. exchange::Doors has a list of them, as types, and folds over it:
// nothing is called through a pointer. docs/how-to/add-a-door.md adds one step by step.
//
//   static k_door                   its number in the ids of its sessions; kept in journals
//   static k_name                   its key in settings and in the list of ports
//   struct Setup { bool open; … }   all that it is made of; `open`: it takes clients
//   D(Setup, const House&)
//   attach(exchange)                who takes its commands; its state has been taken over
//   listen() -> expected<void, string>
//   port()
//   wake_source()                   a descriptor that is readable when poll() has something to do
//   poll(wait_ms) -> messages       waits for at most that long, takes what came
//   busy()                          there is work that does not wait for the network
//   is_due(now)                     it wants poll() although its network may have nothing
//   time()                          when the last poll() returned what had arrived
//   on_event(event, origin, stamp)  each event of the exchange, whichever door caused it
//   on_command_end(origin)          the last event of a command of this door was reported
//   flush()                         sends what was reported, which is as durable as requested
//   close()                         sends what can be sent and ends every session
//   stopped()                       the exchange accepts nothing any more
//
// Optional:
//
//   State, state()                  what it knows of its orders, see journal::DoorStates
//   each_participant(state, f)      those of a state who may come back; also of a closed door
//   on_replayed(event, origin)      the same of an event of a journal, where there is no state
//   open_orders(participant)        how many it keeps for one whose client has gone
//   patience_ms(wait_ms)            it wants to be polled sooner than that
//   on_turn_end(now, exchange)      all events of the turn were reported, and nothing is sent yet;
//                                   may return how many commands it submitted
//   wake_up_for(descriptor, flag)   poll() also wakes up for that one, and then sets the flag
//
// One thread calls all of it. What is not on the list is the door's own.
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

/// What the doors of an exchange share; lives longer than they do.
struct House {
    const EngineConfig& engine;
    Participants& participants;
    telemetry::Probe& probe;
};

template <class D, class Exchange>
concept Door =
    std::constructible_from<D, typename D::Setup, const House&> &&
    requires(D& door, const D& view, Exchange& exchange, const typename D::Setup& setup,
             const Event& event, const Origin& origin, const CommandStamp& stamp, Timestamp now) {
        { D::k_door } -> std::convertible_to<DoorNumber>;
        { D::k_name } -> std::convertible_to<std::string_view>;
        { setup.open } -> std::convertible_to<bool>;
        door.attach(exchange);
        { door.poll(0) } -> std::same_as<std::size_t>;
        { view.busy() } -> std::same_as<bool>;
        { view.is_due(now) } -> std::same_as<bool>;
        { view.time() } -> std::same_as<Timestamp>;
        { view.stopped() } -> std::same_as<bool>;
        door.on_event(event, origin, stamp);
        door.on_command_end(origin);
        door.flush();
        door.close();
    };

}  // namespace damrak::gateway
