// What the ITCH publisher says about phases, auctions and busted trades.
#include <cstdlib>

#include <damrak/feed/itch/publisher.hpp>
#include <damrak/wire/itch/cross_type.hpp>

namespace damrak::feed {

namespace itch = wire::itch;

namespace {

// T trading, Q quotation only, P paused, H halted.
char state_code(TradingState state, Phase phase) {
    if (state == TradingState::halted) return 'H';
    if (phase == Phase::closed) return 'P';
    return phase == Phase::pre_open || phase == Phase::call ? 'Q' : 'T';
}

// Of what is left over at the indicative price. Without a price there are not enough orders.
char direction(const auction::Equilibrium& value) {
    if (!value.price) return 'O';
    const auto side = value.surplus_side();
    if (!side) return 'N';
    return side == Side::buy ? 'B' : 'S';
}

}  // namespace

void ItchPublisher::put_state(InstrumentId id, const Header& header, MessageBlock& out) const {
    const Listed& of = listed(id);
    const bool interrupted =
        of.phase.phase == Phase::call && of.phase.call == CallKind::interruption;
    out.append(
        itch::StockTradingAction{.stock_locate = header.locate,
                                 .tracking_number = header.tracking,
                                 .timestamp_ns = header.time_ns,
                                 .stock = of.stock,
                                 .trading_state = state_code(of.state, of.phase.phase),
                                 .reserved = ' ',
                                 .reason = *itch::Alpha<4>::from(interrupted ? "LUDP" : "")});
}

// All orders of the instrument are in the auction, so the near price is the reference price, and
// there are none that only take part in the auction, which would have a far price.
void ItchPublisher::put_indicative(InstrumentId id, const Header& header, MessageBlock& out) const {
    const Listed& of = listed(id);
    const auction::Equilibrium value = of.indicative.value_or(auction::Equilibrium{});
    const std::uint32_t price_e4 =
        value.price ? static_cast<std::uint32_t>(value.price->value) * of.scale : 0;
    out.append(itch::NetOrderImbalance{
        .stock_locate = header.locate,
        .tracking_number = header.tracking,
        .timestamp_ns = header.time_ns,
        .paired_shares = static_cast<std::uint64_t>(value.executable.value),
        .imbalance_shares =
            static_cast<std::uint64_t>(value.price ? std::abs(value.surplus.value) : 0),
        .imbalance_direction = direction(value),
        .stock = of.stock,
        .far_price_e4 = 0,
        .near_price_e4 = price_e4,
        .reference_price_e4 = price_e4,
        .cross_type = itch::cross_type(of.phase.call),
        .price_variation = value.price ? 'L' : ' '});
}

// A message about the state ends what was said of a call, so that it is said again.
void ItchPublisher::change_state(const Event& event) {
    Listed& of = listed_[event.instrument.value - 1];
    of.indicative.reset();
    if (event.kind == EventKind::trading_state_changed) {
        of.state = static_cast<TradingState>(event.quantity.value);
        return calls_.touch(event.instrument);
    }
    const auto phase = static_cast<Phase>(event.quantity.value);
    const bool traded = of.phase.phase == Phase::continuous || of.phase.phase == Phase::at_last;
    if (event.command == CommandKind::set_phase && phase == phase_.phase)
        of.phase = phase_;
    else if (phase == Phase::call && traded)
        of.phase.call = CallKind::interruption;
    of.phase.phase = phase;
    if (phase != Phase::call) of.phase.sealed = 0;
    begin_or_end_call(event.instrument);
}

// The values of a sealed call would tell what its orders are.
void ItchPublisher::begin_or_end_call(InstrumentId id) {
    const Listed& of = listed(id);
    if (of.phase.phase != Phase::call || of.phase.sealed != 0) return calls_.end(id);
    const CallTerms terms{.rule = of.phase.auction,
                          .last_trade = of.last_trade,
                          .band = of.band,
                          .definition = &engine_->instrument(id)->definition()};
    calls_.begin(id, terms, [&](const auto& add) {
        for (std::uint32_t at = of.first; at != 0; at = orders_[at].next) {
            const Shown& order = orders_[at];
            add(order.id,
                {.side = order.side, .limit = order.price, .open = order.open, .displayed = true});
        }
    });
}

void ItchPublisher::end_command(MessageBlock& out) {
    for (const InstrumentId id : calls_.take_touched()) {
        Listed& of = listed_[id.value - 1];
        const auction::Equilibrium value = calls_.value(id);
        if (of.indicative == value) continue;
        of.indicative = value;
        if (!in_session_) continue;
        Header header = last_;
        header.locate = static_cast<std::uint16_t>(id.value);
        put_indicative(id, header, out);
    }
}

// Publishes all trades of an auction in one message.
void ItchPublisher::cross(const Event& event, const Header& header, MessageBlock& out) const {
    if (!in_session_ || event.quantity.value == 0) return;
    const Listed& of = listed(event.instrument);
    out.append(
        itch::CrossTrade{.stock_locate = header.locate,
                         .tracking_number = header.tracking,
                         .timestamp_ns = header.time_ns,
                         .shares = static_cast<std::uint64_t>(event.quantity.value),
                         .stock = of.stock,
                         .cross_price_e4 = static_cast<std::uint32_t>(event.price.value) * of.scale,
                         .match_number = event.trade_id().value,
                         .cross_type = itch::cross_type(of.phase.call)});
}

// Of the two events, that of the buy.
void ItchPublisher::bust(const Event& event, const Header& header, MessageBlock& out) const {
    if (!in_session_ || has_flag(event, EventFlags::k_aggressor)) return;
    out.append(itch::BrokenTrade{.stock_locate = header.locate,
                                 .tracking_number = header.tracking,
                                 .timestamp_ns = header.time_ns,
                                 .match_number = event.trade_id().value});
}

}  // namespace damrak::feed
