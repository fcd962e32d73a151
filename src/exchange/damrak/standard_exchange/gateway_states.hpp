// The state of the whole exchange: that of the engine, of the sessions, and of each gateway. Add a
// new gateway's state at the end of this list. Also the list of who hears what they find out.
#pragma once

#include <damrak/gateway/binary/order_names.hpp>
#include <damrak/gateway/fix/fix_orders.hpp>
#include <damrak/gateway/fix/missing_reports.hpp>
#include <damrak/gateway/ouch/ouch_orders.hpp>
#include <damrak/gateway/udp/udp_clients.hpp>
#include <damrak/journal/exchange_state.hpp>
#include <damrak/journal/gateway_states.hpp>

namespace damrak::standard_exchange {

/// The states of all gateways that a snapshot contains.
class GatewayStates
    : public journal::GatewayStates<gateway::binary::OrderNames, gateway::fix::FixOrders,
                                    gateway::udp::UdpClients, gateway::ouch::OuchOrders> {
  public:
    using journal::GatewayStates<gateway::binary::OrderNames, gateway::fix::FixOrders,
                                 gateway::udp::UdpClients,
                                 gateway::ouch::OuchOrders>::GatewayStates;

    /// Version of the snapshot layout of the engine's and these states; increase it with every
    /// change.
    static constexpr std::uint32_t k_version = 19;
};

/// What the observer of a state has besides, for the gateways that make up for a restart.
class StateHearers : public gateway::fix::FixHearer {
  public:
    void end_replay() { tell_fix_events({}); }
};

template <class Observer = journal::EventCounter>
using ExchangeState = journal::ExchangeState<GatewayStates, Observer>;

}  // namespace damrak::standard_exchange
