// The state of the whole exchange: that of the engine, of the sessions, and of each door. Add a new
// door's state at the end of this list.
#pragma once

#include <damrak/binary_gateway/order_names.hpp>
#include <damrak/fix_gateway/fix_orders.hpp>
#include <damrak/journal/door_states.hpp>
#include <damrak/journal/exchange_state.hpp>
#include <damrak/ouch_gateway/ouch_orders.hpp>
#include <damrak/udp_gateway/udp_clients.hpp>

namespace damrak::exchange {

class DoorStates : public journal::DoorStates<gateway::OrderNames, gateway::FixOrders,
                                              gateway::UdpClients, gateway::OuchOrders> {
  public:
    using journal::DoorStates<gateway::OrderNames, gateway::FixOrders, gateway::UdpClients,
                              gateway::OuchOrders>::DoorStates;

    /// Version of the snapshot layout of the engine's and these states; increase it with every
    /// change.
    static constexpr std::uint32_t k_version = 15;
};

template <class Observer = journal::EventCounter>
using ExchangeState = journal::ExchangeState<DoorStates, Observer>;

}  // namespace damrak::exchange
