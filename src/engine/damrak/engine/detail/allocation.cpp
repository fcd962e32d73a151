#include <damrak/engine/detail/allocation.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include <damrak/auction/allocation.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/matching.hpp>

namespace damrak::detail {

namespace {

static_assert(InstrumentRules::k_maximum_lead_makers == auction::k_most_lead_makers);

// From 1 on; zero if the participant is not one.
std::uint8_t lead_maker_number(const InstrumentRules& rules, ParticipantId participant) {
    const auto& makers = rules.lead_makers;
    const auto found =
        std::ranges::find(makers, participant, &InstrumentRules::LeadMaker::participant);
    return found == makers.end() ? std::uint8_t{0}
                                 : static_cast<std::uint8_t>(found - makers.begin() + 1);
}

void remove_lead_maker(InstrumentState& in, ParticipantId participant) {
    auto& makers = in.rules.lead_makers;
    const auto gone =
        std::ranges::remove(makers, participant, &InstrumentRules::LeadMaker::participant);
    std::ranges::fill(gone, InstrumentRules::LeadMaker{});
}

auction::AllocationPolicy policy_of(const InstrumentState& in) {
    auction::AllocationPolicy policy{.rules = in.rules.allocation, .lot = in.definition().lot_size};
    std::ranges::transform(
        in.rules.lead_makers, policy.lead_basis_points.begin(),
        [](const auto& maker) { return static_cast<std::uint16_t>(maker.basis_points); });
    return policy;
}

// Lists the displayed orders of a price that the incoming order may trade with. Self-trade
// prevention comes before that: it may end own orders or the incoming one, which it then reports
// with false.
bool list_sharers(EngineState& engine, Incoming& order, LevelIndex level, Walk& walk) {
    const InstrumentState& in = *order.in;
    const std::uint64_t top = in.top_arrivals[static_cast<std::size_t>(order.resting_side())];
    const bool prevents = may_meet_own(engine, order);
    std::uint32_t count = 0;
    const bool goes_on = for_each_in_queue(engine.store, level, [&](OrderIndex index) {
        const Order& resting = engine.store.order(index);
        if (prevents && resting.account == order.account) {
            if (engine.events_left() < k_event_margin) return walk.stop(Matched::out_of_events);
            return prevent_self_trade(engine, order, index, walk);
        }
        const ParticipantId owner = engine.owner_of(resting);
        engine.sharing.orders[count] = index;
        engine.sharing.terms[count++] = {.quantity = resting.quantity,
                                         .broker = owner,
                                         .lead_maker = lead_maker_number(in.rules, owner),
                                         .top = resting.arrival() == top};
        return true;
    });
    engine.progress.rounds[0] = {.next = 0, .end = goes_on ? count : 0};
    return goes_on;
}

void allot(EngineState& engine, const Incoming& order) {
    Sharing& sharing = engine.sharing;
    const std::size_t count = engine.progress.rounds[0].end;
    auction::allocate(policy_of(*order.in), {order.open, order.participant},
                      std::span{sharing.terms.data(), count},
                      std::span{sharing.fills.data(), count},
                      std::span{sharing.scratch.data(), count});
}

// Trades what each order got. False if the slice is full; the next one continues here.
bool go_on_with_round(EngineState& engine, Incoming& order) {
    Round& round = engine.progress.rounds[0];
    for (; round.next < round.end; ++round.next) {
        const Quantity fill = engine.sharing.fills[round.next];
        if (fill.value == 0) continue;
        if (engine.events_left() < k_event_margin) return false;
        trade_with<false>(engine, order, engine.sharing.orders[round.next], fill);
    }
    return true;
}

// The displayed orders at the best price share the incoming order. Icebergs show their next slices
// and share again, until nothing is left on one of the sides. False if matching stops here.
bool share_best(EngineState& engine, Incoming& order, Walk& walk) {
    const PriceLadder& side = order.in->book.side(order.resting_side());
    const PriceKey key = side.best_key();
    while (order.open.value > 0 && side.best_key() == key) {
        if (!may_meet_own(engine, order) &&
            takes_level(engine, order, engine.store.level(side.best_level()))) {
            take_level(engine, order, order.resting_side());
            return true;
        }
        if (!list_sharers(engine, order, side.best_level(), walk)) return false;
        if (engine.progress.rounds[0].end == 0) return true;
        allot(engine, order);
        if (!go_on_with_round(engine, order)) return walk.stop(Matched::out_of_events);
    }
    return true;
}

}  // namespace

Reason set_allocation(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (!auction::is_sound(command.allocation)) return Reason::invalid_rules;
    in->rules.allocation = command.allocation;
    in->top_arrivals = {};
    in->note_rules();
    emit_plain(engine, EventKind::allocation_set, command.instrument, {}, 0);
    return Reason::none;
}

Reason set_lead_maker(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    const ParticipantId participant = command.participant;
    if (!engine.accounts.is_valid(participant)) return Reason::unknown_participant;
    const std::uint16_t share = command.lead_maker.basis_points;
    if (share > auction::k_basis_points) return Reason::invalid_rules;
    if (share == 0) {
        remove_lead_maker(*in, participant);
    } else {
        std::uint8_t number = lead_maker_number(in->rules, participant);
        if (number == 0) number = lead_maker_number(in->rules, {});  // a free place
        if (number == 0) return Reason::lead_makers_full;
        in->rules.lead_makers.at(number - 1U) = {participant, share};
    }
    in->note_rules();
    emit_plain(engine, EventKind::lead_maker_set, command.instrument, participant, 0);
    return Reason::none;
}

void forget_lead_maker(EngineState& engine, ParticipantId participant) {
    for (InstrumentState& in : engine.instruments) {
        if (!in.ruled) continue;
        remove_lead_maker(in, participant);
        in.note_rules();
    }
}

Matched match_sharing(EngineState& engine, Incoming& order) {
    if (!go_on_with_round(engine, order)) return Matched::out_of_events;
    const OrderBook& book = order.in->book;
    const Side resting = order.resting_side();
    AsideOrders::Place behind;
    while (order.open.value > 0) {
        const auto best = [&] { return book.side(resting).best(); };
        const PriceKey key = std::min(
            best().key,
            aside_key(engine, book.aside(resting).first(engine.store, behind, order.open)));
        if (key > order.limit_key) break;
        Walk walk;
        if (best().key == key && !share_best(engine, order, walk)) return walk.end;
        // The displayed level outlives its last order while it has a hidden companion.
        const LevelIndex hidden =
            best().key == key ? engine.store.level(best().level).companion : 0;
        if (!match_undisplayed(engine, order, key, hidden, walk)) return walk.end;
        if (walk.passed_own) return Matched::stopped;
        behind = {key, std::numeric_limits<std::uint64_t>::max()};
    }
    return Matched::done;
}

void note_top(const EngineState& engine, InstrumentState& in, OrderIndex index) {
    const Order& order = engine.store.order(index);
    const Side side = order.terms().side();
    if (!in.shares() || order.terms().has(OrderAttributes::k_aside)) return;
    // A hidden order is never alone: its level is the companion of a displayed one.
    const Level& level = engine.store.level(order.level);
    const bool alone = level.count == 1 && level.companion == 0;
    if (!alone || in.book.side(side).best_key() != price_key(side, order.tick)) return;
    in.top_arrivals[static_cast<std::size_t>(side)] =
        order.quantity >= in.rules.allocation.top_minimum ? order.arrival() : 0;
}

}  // namespace damrak::detail
