// Which open orders a request about many of them means: OrderMassStatusRequest and
// OrderMassCancelRequest, for one instrument or all, and one side or both.
// Called for each such request, on the thread of the gateways. No allocation.
#pragma once

#include <optional>

#include <damrak/domain/instrument.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/gateway/fix/detail/instruments.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>
#include <damrak/gateway/fix/fix_orders.hpp>

namespace damrak::gateway::fix::detail {

struct OrderScope {
    char type = '7';                                   ///< 1: of a security, 7: all
    const InstrumentDefinition* instrument = nullptr;  ///< null: all
    std::optional<Side> side{};                        ///< none: both

    [[nodiscard]] bool has(const FixOrder& order) const {
        return (instrument == nullptr || order.instrument == instrument->id) &&
               (!side || order.side == *side);
    }
};

/// `type_tag` has the type: MassStatusReqType or MassCancelRequestType. A refusal has the code of
/// MassCancelRejectReason: 0 for what is not supported, 1 for an unknown security.
[[nodiscard]] Asked<OrderScope> read_scope(const fix_codec::Message& message,
                                           fix_codec::Tag type_tag,
                                           const FixInstruments& instruments);

}  // namespace damrak::gateway::fix::detail
