// The state of the whole exchange: that of the engine, of the sessions, and of each gateway. Add a
// new gateway's state at the end of this list. Also the list of who hears what they find out.
#pragma once

#include <damrak/binary_gateway/order_names.hpp>
#include <damrak/fix_gateway/fix_orders.hpp>
#include <damrak/fix_gateway/missing_reports.hpp>
#include <damrak/journal/exchange_state.hpp>
#include <damrak/journal/gateway_states.hpp>
#include <damrak/ouch_gateway/ouch_orders.hpp>
#include <damrak/udp_gateway/udp_clients.hpp>

namespace damrak::exchange {

class GatewayStates : public journal::GatewayStates<gateway::OrderNames, gateway::FixOrders,
                                                    gateway::UdpClients, gateway::OuchOrders> {
  public:
    using journal::GatewayStates<gateway::OrderNames, gateway::FixOrders, gateway::UdpClients,
                                 gateway::OuchOrders>::GatewayStates;

    /// Version of the snapshot layout of the engine's and these states; increase it with every
    /// change.
    static constexpr std::uint32_t k_version = 15;
};

/// What the observer of a state has besides, for the gateways that make up for a restart.
class StateHearers : public gateway::FixHearer {
  public:
    void end_replay() { tell_fix_events({}); }
};

template <class Observer = journal::EventCounter>
using ExchangeState = journal::ExchangeState<GatewayStates, Observer>;

}  // namespace damrak::exchange
