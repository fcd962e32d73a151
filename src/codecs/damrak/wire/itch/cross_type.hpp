// The letters of Nasdaq's protocols for auctions: the cross type of ITCH, and the liquidity flag of
// OUCH for an execution in one.
#pragma once

#include <damrak/domain/order_terms.hpp>

namespace damrak::wire::itch {

[[nodiscard]] constexpr char cross_type(CallKind call) {
    switch (call) {
        case CallKind::opening:
            return 'O';
        case CallKind::closing:
            return 'C';
        case CallKind::interruption:
        case CallKind::reopening:
            return 'H';
        case CallKind::intraday:
            break;
    }
    return 'I';
}

}  // namespace damrak::wire::itch
