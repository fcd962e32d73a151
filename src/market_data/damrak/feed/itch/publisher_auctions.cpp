// What the ITCH publisher says about instruments, phases, halts, auctions and changed trades.
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <damrak/feed/itch/publisher.hpp>
#include <damrak/wire/itch/cross_type.hpp>
#include <damrak/wire/itch/directory.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::feed {

namespace itch = wire::itch;

namespace {

// T trading, Q quotation only, P paused, H halted.
char state_code(TradingState state, const PhaseDetails& of) {
    if (state == TradingState::halted) return 'H';
    if (of.phase == Phase::closed) return 'P';
    if (of.phase != Phase::pre_open && of.phase != Phase::call) return 'T';
    return of.cause == HaltCause::limit_up_limit_down ? 'P' : 'Q';
}

// Nasdaq's codes.
std::string_view reason_code(HaltCause cause) {
    switch (cause) {
        case HaltCause::limit_up_limit_down:
        case HaltCause::volatility:
            return "LUDP";
        case HaltCause::market_wide_1:
            return "MWC1";
        case HaltCause::market_wide_2:
            return "MWC2";
        case HaltCause::market_wide_3:
            return "MWC3";
        case HaltCause::none:
            break;
    }
    return "";
}

/// What a message about the state of an instrument tells.
struct Told {
    char state;
    std::string_view reason;
    friend bool operator==(const Told&, const Told&) = default;
};

Told told(TradingState state, const PhaseDetails& phase) {
    return {state_code(state, phase), reason_code(phase.cause)};
}

// From 1; zero: another cause.
int breaker_level(HaltCause cause) {
    if (cause < HaltCause::market_wide_1 || cause > HaltCause::market_wide_3) return 0;
    return std::to_underlying(cause) - std::to_underlying(HaltCause::market_wide_1) + 1;
}

// Of what is left over at the indicative price. Without a price there are not enough orders.
char direction(const auction::Equilibrium& value) {
    if (!value.price) return 'O';
    const auto side = value.surplus_side();
    if (!side) return 'N';
    return side == Side::buy ? 'B' : 'S';
}

}  // namespace

void ItchPublisher::put_system_event(char code, Timestamp time, MessageBlock& out) const {
    out.append(itch::SystemEvent{
        .stock_locate = 0,
        .tracking_number = code == 'O' && has_view() ? itch::k_made_by_view : std::uint16_t{0},
        .timestamp_ns = since_midnight(time),
        .event_code = code});
}

void ItchPublisher::put_directory(InstrumentId id, const Header& header, MessageBlock& out) const {
    const Quantity lot = engine_->instrument(id)->definition().lot_size;
    itch::StockDirectory entry = itch::plain_directory(
        header.locate, header.time_ns, listed(id).stock, static_cast<std::uint32_t>(lot.value));
    entry.tracking_number = has_view() ? settings_.recording->levels : header.tracking;
    if (lot.value > 1) entry.round_lots_only = 'Y';
    out.append(entry);
}

void ItchPublisher::put_state(InstrumentId id, const Header& header, MessageBlock& out) const {
    const Listed& of = listed(id);
    const auto [state, reason] = told(of.state, of.phase);
    out.append(itch::StockTradingAction{.stock_locate = header.locate,
                                        .tracking_number = header.tracking,
                                        .timestamp_ns = header.time_ns,
                                        .stock = of.stock,
                                        .trading_state = state,
                                        .reserved = ' ',
                                        .reason = *itch::Alpha<4>::from(reason)});
}

void ItchPublisher::put_halt_here(InstrumentId id, const Header& header, MessageBlock& out) const {
    const Listed& of = listed(id);
    out.append(itch::OperationalHalt{.stock_locate = header.locate,
                                     .tracking_number = header.tracking,
                                     .timestamp_ns = header.time_ns,
                                     .stock = of.stock,
                                     .market_code = 'Q',
                                     .action = of.is_halted_here() ? 'H' : 'T'});
}

void ItchPublisher::put_collar(InstrumentId id, const Header& header, MessageBlock& out) const {
    const Listed& of = listed(id);
    const auto price_e4 = [&](Price price) {
        return static_cast<std::uint32_t>(price.value) * of.scale;
    };
    out.append(itch::LuldAuctionCollar{.stock_locate = header.locate,
                                       .tracking_number = header.tracking,
                                       .timestamp_ns = header.time_ns,
                                       .stock = of.stock,
                                       .reference_price_e4 = price_e4(of.band.prices.reference),
                                       .upper_price_e4 = price_e4(of.band.prices.upper),
                                       .lower_price_e4 = price_e4(of.band.prices.lower),
                                       .extensions = of.band.collar - 1U});
}

void ItchPublisher::put_levels(const Header& header, MessageBlock& out) const {
    const auto& levels = levels_.levels;
    out.append(itch::MwcbDeclineLevels{.stock_locate = header.locate,
                                       .tracking_number = header.tracking,
                                       .timestamp_ns = header.time_ns,
                                       .level1_e8 = static_cast<std::uint64_t>(levels[0]),
                                       .level2_e8 = static_cast<std::uint64_t>(levels[1]),
                                       .level3_e8 = static_cast<std::uint64_t>(levels[2])});
}

void ItchPublisher::put_breach(HaltCause cause, const Header& header, MessageBlock& out) const {
    out.append(itch::MwcbStatus{.stock_locate = header.locate,
                                .tracking_number = header.tracking,
                                .timestamp_ns = header.time_ns,
                                .breached_level = static_cast<char>('0' + breaker_level(cause))});
}

void ItchPublisher::set_levels(const BreakerLevels& levels, const CommandStamp& stamp,
                               MessageBlock& out) {
    levels_ = levels;
    if (in_session_) put_levels(header({}, stamp), out);
}

// All orders of the instrument are in the auction, so the near price is the reference price. The
// far price is that of the auction orders alone.
void ItchPublisher::put_indicative(InstrumentId id, const Header& header, MessageBlock& out) const {
    const Listed& of = listed(id);
    const auction::Equilibrium value = of.indicative.value_or(auction::Equilibrium{});
    const auto price_e4 = [&](std::optional<Price> price) {
        return price ? static_cast<std::uint32_t>(price->value) * of.scale : 0;
    };
    out.append(itch::NetOrderImbalance{
        .stock_locate = header.locate,
        .tracking_number = header.tracking,
        .timestamp_ns = header.time_ns,
        .paired_shares = static_cast<std::uint64_t>(value.executable.value),
        .imbalance_shares =
            static_cast<std::uint64_t>(value.price ? std::abs(value.surplus.value) : 0),
        .imbalance_direction = direction(value),
        .stock = of.stock,
        .far_price_e4 = price_e4(of.far_price),
        .near_price_e4 = price_e4(value.price),
        .reference_price_e4 = price_e4(value.price),
        .cross_type = itch::cross_type(of.phase.call),
        .price_variation = value.price ? 'L' : ' '});
}

// A message about the state ends what was said of a call, so that it is said again. There is none
// if it would tell nothing new, as between two sealed batches. The first instrument that a level of
// the breaker halts tells that the level is reached.
void ItchPublisher::change_state(const Event& event, const Header& header, MessageBlock& out) {
    Listed& of = listed_[event.instrument.value - 1];
    const bool was_halted_here = of.is_halted_here();
    const auto cause = static_cast<HaltCause>(event.remaining.value);
    const bool is_reached = breaker_level(cause) != 0 && !has_any(cause);
    const Told before = told(of.state, of.phase);
    const bool ends_call = event.kind == EventKind::phase_changed && calls_.runs(event.instrument);
    if (event.kind == EventKind::phase_changed) {
        put_cross(out);
        set_phase(of, event);
        of.phase.cause = cause;
        begin_or_end_call(event.instrument);
    } else {
        of.state = static_cast<TradingState>(event.quantity.value);
        of.phase.cause = cause;
        calls_.touch(event.instrument);
    }
    if (!ends_call && told(of.state, of.phase) == before) return;
    of.indicative.reset();
    if (!in_session_) return;
    if (is_reached) {
        Header of_market = header;
        of_market.locate = 0;
        put_breach(cause, of_market, out);
    }
    put_state(event.instrument, header, out);
    if (of.is_halted_here() != was_halted_here) put_halt_here(event.instrument, header, out);
}

void ItchPublisher::set_phase(Listed& of, const Event& event) {
    const auto phase = static_cast<Phase>(event.quantity.value);
    const bool traded = of.phase.phase == Phase::continuous || of.phase.phase == Phase::at_last;
    if (event.command == CommandKind::set_phase && phase == phase_.phase)
        of.phase = phase_;
    else if (phase == Phase::call && traded)
        of.phase.call = CallKind::interruption;
    of.phase.phase = phase;
    if (phase != Phase::call) of.phase.sealed = 0;
}

bool ItchPublisher::has_any(HaltCause cause) const {
    return std::ranges::any_of(
        listed_, [&](const Listed& of) { return of.scale != 0 && of.phase.cause == cause; });
}

ItchPublisher::Band ItchPublisher::band_of(const Command& command) {
    const bool is_collar = has_flag(command, CommandFlags::k_auction_collar);
    return {.prices = command.price_band,
            .collar = static_cast<std::uint8_t>(is_collar ? command.quantity.value + 1 : 0),
            .daily = has_flag(command, CommandFlags::k_daily)};
}

// From here on the reference of the day is that of its auctions again. Of one, or (zero) of all.
void ItchPublisher::end_day(InstrumentId id) {
    for (std::uint32_t i = 1; i <= listed_.size(); ++i) {
        Listed& of = listed_[i - 1];
        if ((id && id.value != i) || !std::exchange(of.traded_today, false)) continue;
        if (of.band.daily && calls_.runs({i})) begin_or_end_call({i});
    }
}

void ItchPublisher::set_band(InstrumentId id, const Header& header, MessageBlock& out) {
    listed_[id.value - 1].band = band_;
    if (calls_.runs(id)) begin_or_end_call(id);
    if (in_session_ && band_.collar != 0) put_collar(id, header, out);
}

// The values of a sealed call would tell what its orders are.
void ItchPublisher::begin_or_end_call(InstrumentId id) {
    const Listed& of = listed(id);
    if (of.phase.phase != Phase::call || of.phase.sealed != 0) return calls_.end(id);
    const CallTerms terms{.rule = of.phase.auction,
                          .reference = of.auction_reference(),
                          .band = of.band.prices,
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
        const std::optional<Price> far_price = calls_.far_price(id);
        if (of.indicative == value && of.far_price == far_price) continue;
        of.indicative = value;
        of.far_price = far_price;
        if (!in_session_ || settings_.indicatives_on_clock) continue;
        Header header = last_;
        header.locate = static_cast<std::uint16_t>(id.value);
        put_indicative(id, header, out);
    }
    if (!std::exchange(is_tick_, false) || !in_session_ || !settings_.indicatives_on_clock) return;
    for (std::uint32_t i = 1; i <= listed_.size(); ++i) {
        Header header = last_;
        header.locate = static_cast<std::uint16_t>(i);
        if (calls_.runs({i})) put_indicative({i}, header, out);
    }
}

// All trades of an auction are one message, which follows what each displayed order traded. The
// event does not know how much that is: imbalance-only orders trade beside the executable quantity.
void ItchPublisher::begin_cross(const Event& event, const Header& header) {
    const Listed& of = listed(event.instrument);
    cross_ =
        itch::CrossTrade{.stock_locate = header.locate,
                         .tracking_number = header.tracking,
                         .timestamp_ns = header.time_ns,
                         .shares = 0,
                         .stock = of.stock,
                         .cross_price_e4 = static_cast<std::uint32_t>(event.price.value) * of.scale,
                         .match_number = event.trade_id().value,
                         .cross_type = itch::cross_type(of.phase.call)};
}

// An auction in which nothing trades is published too, because its call ends; but not each empty
// batch.
void ItchPublisher::put_cross(MessageBlock& out) {
    auto cross = std::exchange(cross_, std::nullopt);
    if (!cross || !in_session_) return;
    if (cross->shares == 0) {
        if (listed({cross->stock_locate}).phase.sealed != 0) return;
        cross->cross_price_e4 = 0;
    }
    out.append(*cross);
}

// Of the two events, that of the buy. A corrected trade is broken, too: there is no message for its
// new terms.
void ItchPublisher::bust(const Event& event, const Header& header, MessageBlock& out) const {
    if (!in_session_ || has_flag(event, EventFlags::k_aggressor)) return;
    out.append(itch::BrokenTrade{.stock_locate = header.locate,
                                 .tracking_number = header.tracking,
                                 .timestamp_ns = header.time_ns,
                                 .match_number = event.trade_id().value});
}

}  // namespace damrak::feed
