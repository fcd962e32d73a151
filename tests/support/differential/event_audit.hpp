// Follows the events of a run and checks the guarantees of the exchange, independent of how the
// events came about: every quantity is accounted for, both sides of a trade agree, better priority
// trades first, no order rests crossed that may trade, and the book rebuilt from events equals the
// book. A command costs a walk over the open orders of its instrument for each trade or order that
// rests.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

#include "support/reference/state.hpp"

namespace damrak::differential {

class EventAudit {
  public:
    /// Returns the first broken guarantee of this command's events, or nothing.
    [[nodiscard]] std::optional<std::string> follow(const Command& command,
                                                    const std::vector<Event>& events);
    /// Where the book rebuilt from the events differs from the model's.
    [[nodiscard]] std::optional<std::string> compare(const reference::State& state) const;

  private:
    struct Tracked {
        OrderId id{};
        ParticipantId participant{};
        Side side{};
        OrderType type{};
        SelfTradePrevention rule{};
        Price price{};
        Price stop_price{};
        std::optional<Price> peg_limit{};  ///< of a pegged order; `price` is where it stands
        Quantity ordered{};
        Quantity filled{};
        Quantity taken{};  ///< cancelled, expired or replaced away
        Quantity open{};
        Quantity displayed{};
        EventFlags::Bits flags = 0;
        std::uint64_t rank = 0;  ///< position in time within its queue
        bool is_tape = false;    ///< the incoming side of a recorded trade
    };
    /// The resting side of a trade whose other side has not come yet.
    struct HalfTrade {
        Event event;
        Tracked order;
    };
    struct Implied {
        std::uint64_t trade = 0;
        __extension__ __int128 paid = 0;  ///< to the resting orders
        bool has_legs = false;            ///< some of it was of a leg
    };
    using Orders = std::vector<Tracked>;
    using Finding = std::optional<std::string>;

    Finding follow_event(const Command& command, const Event& event);
    Finding follow_order(const Command& command, const Event& event, Tracked& order);
    Finding follow_execution(const Event& event, Tracked& order);
    static void follow_replace(const Command& command, const Event& event, Tracked& order,
                               bool& rests_anew);
    Finding check_pair(const Event& resting, const Event& incoming);
    Finding follow_tape(const Event& event);
    Finding check_sides(const Event& resting, const Event& incoming);
    /// Section 5: no order that could have traded ranked before the one that did.
    Finding check_priority(InstrumentId instrument, const Tracked& resting,
                           const Tracked& incoming) const;
    /// A cross: both orders rested, and none that would accept the price ranked before them, unless
    /// they traded in it already.
    Finding check_cross(const HalfTrade& buy, const Event& sold, const Tracked& sell);
    Finding follow_phase(const Command& command, const Event& event);
    Finding check_implied(const Event& event, const Tracked& order);
    /// Section 5: an order that comes to rest is not crossed with one with which it may trade.
    Finding check_crossing(const Tracked& order, InstrumentId instrument) const;
    [[nodiscard]] Tracked* find(InstrumentId instrument, OrderId id);

    std::map<InstrumentId, Orders> orders_;
    std::map<InstrumentId, std::uint64_t> trades_;
    std::map<InstrumentId, Phase> phases_;
    std::set<InstrumentId> sharing_;  ///< where time is not the priority of displayed orders
    std::set<InstrumentId> sealed_;   ///< where orders come in batches
    std::optional<HalfTrade> half_trade_;
    std::array<OrderId, 2> partial_{};  ///< by side, the order that an auction has filled in part
    std::optional<Implied> implied_;    ///< whose incoming order is still to come
    std::uint64_t ranks_ = 0;
};

}  // namespace damrak::differential
