// Where the executions of a trade stand in the journal: what the operator's gateway leaves in the
// tag of a bust or a correction, so that a report names the execution that it takes back. Zeros:
// not known.
#pragma once

#include <bit>
#include <cstdint>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak {

struct TradeNote {
    SequenceNumber sequence{};    ///< of the command that traded
    std::uint32_t buy_index = 0;  ///< of the event among those of the command
    std::uint32_t sell_index = 0;
    std::uint64_t zero = 0;

    [[nodiscard]] std::uint32_t index_of(Side side) const {
        return side == Side::buy ? buy_index : sell_index;
    }
    /// Nothing where a client's gateway left the tag.
    [[nodiscard]] static TradeNote of(const Origin& origin) {
        return origin.session ? TradeNote{} : std::bit_cast<TradeNote>(origin.tag);
    }
    [[nodiscard]] Tag tag() const { return std::bit_cast<Tag>(*this); }
};
static_assert(sizeof(TradeNote) == sizeof(Tag));

}  // namespace damrak
