#include <damrak/venue/detail/luld_watch.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <damrak/venue/detail/commands.hpp>
#include <damrak/venue/detail/units.hpp>

namespace damrak::venue::detail {

namespace {

using auction::LuldPhase;

constexpr Timestamp k_never{std::numeric_limits<std::int64_t>::max()};
/// How soon the reopening of a halted instrument is tried again.
constexpr Timestamp k_again = auction::seconds(1);
constexpr std::int64_t k_cent = 10'000'000;  // in billionths

/// The numbers of the plan in the instrument's price unit.
auction::LuldPlan plan_of(const InstrumentDefinition& definition) {
    const std::int64_t cent = k_cent / billionths_in_unit(definition);
    auction::LuldPlan plan;
    plan.low_amount = {15 * cent};
    plan.lower_price = {75 * cent};
    plan.upper_price = {300 * cent};
    plan.tick = std::max(Price{cent}, definition.common_tick());
    return plan;
}

Price first_of(Price one, Price other) { return one != Price{} ? one : other; }

}  // namespace

LuldWatch::LuldWatch(const Luld& rules, const InstrumentDefinition& definition,
                     const MarketHours& hours)
    : id_(definition.id),
      hours_(&hours),
      plan_(plan_of(definition)),
      security_{.tier = static_cast<auction::LuldTier>(rules.tier),
                .previous_close = {rules.previous_close / billionths_in_unit(definition)},
                .leverage_hundredths = rules.leverage_hundredths},
      collar_terms_{
          .low_price = plan_.upper_price, .low_amount = plan_.low_amount, .tick = plan_.tick},
      straddle_pause_ns_(rules.straddle_pause_ns) {}

void LuldWatch::begin(const InstrumentState& in, Timestamp now) {
    const PriceBandDetails& band = in.rules.price_band;
    asked_ = band;
    asked_collar_ = in.collar != 0;
    auction_ = in.auction;
    is_halted_ = in.state == TradingState::halted;
    last_ = in.price_of(in.last_trade);
    security_.previous_close = first_of(security_.previous_close, last_);
    close_ = hours_->close(now);
    in_closing_call_ = in.phase == Phase::call && in.call == CallKind::closing;
    is_due_ = true;
    if (in.phase == Phase::call && in.call == CallKind::reopening && band.upper != Price{}) {
        mode_ = Mode::paused;
        state_ = {{}, close_};
        state_.pause(in.phase_since);
        collar_.emplace(collar_terms_, band.reference, auction::PriceRange{band.lower, band.upper});
        extensions_ = std::max<std::int64_t>(in.collar, 1) - 1;
    } else if (in.phase == Phase::continuous && hours_->is_regular(now, id_)) {
        trade_from(first_of(band.reference, first_of(last_, security_.previous_close)), now);
    }
}

void LuldWatch::on_trade(Timestamp now, Price price) {
    last_ = price;
    if (mode_ != Mode::trading) return;
    if (!reference_)
        trade_from(price, now);
    else if (reference_->on_trade(now, price))
        is_due_ = true;
}

void LuldWatch::on_phase(const InstrumentState& in, Timestamp now) {
    auction_ = in.auction;
    const Price auction_price = std::exchange(auction_price_, {});
    const bool was_closing =
        std::exchange(in_closing_call_, in.phase == Phase::call && in.call == CallKind::closing);
    if (was_closing && !in_closing_call_) security_.previous_close = last_;
    is_due_ = true;
    if (in.phase == Phase::continuous && hours_->is_regular(now, id_)) {
        const Timestamp close = hours_->close(now);
        if (std::exchange(close_, close) != close) reference_.reset();
        trade_from(first_of(auction_price,
                            reference_ ? reference_->reference() : security_.previous_close),
                   now);
    } else if (in.phase != Phase::call || in.call != CallKind::reopening) {
        mode_ = Mode::off;
    } else if (mode_ == Mode::trading && in.cause == HaltCause::limit_up_limit_down &&
               band_.upper != Price{}) {
        // The operator declared it.
        state_.pause(now);
        begin_pause();
    }
}

// Without a price, the first trade gives the reference.
void LuldWatch::trade_from(Price reference, Timestamp now) {
    mode_ = Mode::trading;
    state_ = {{}, close_};
    band_ = {};
    straddle_since_ = {};
    is_due_ = true;
    if (reference == Price{}) return;
    security_.previous_close = first_of(security_.previous_close, reference);
    if (reference_)
        reference_->restart(now, reference);
    else
        reference_.emplace(auction::LuldReference::Terms{}, now, reference);
}

void LuldWatch::on_quotes(const InstrumentState& in, const auction::BestQuotes& quotes,
                          Timestamp now) {
    quotes_ = quotes;
    is_halted_ = in.state == TradingState::halted;
    is_trading_ = in.state == TradingState::trading && in.phase == Phase::continuous;
    // Another band, such as the collar of the pause before, is about to be replaced.
    if (in.rules.price_band == band_) look_at_quotes(now);
}

void LuldWatch::look_at_quotes(Timestamp now) {
    if (mode_ != Mode::trading || !is_trading_ || band_.upper == Price{}) return;
    const bool stayed = state_.bands_stay();
    state_.on_quotes(now, quotes_, {band_.lower, band_.upper});
    if (!stayed && state_.bands_stay() && reference_) reference_->hold(in_effect_);
    if (state_.phase() != LuldPhase::straddle)
        straddle_since_ = {};
    else if (straddle_since_ == Timestamp{})
        straddle_since_ = now;
}

// When a straddle state becomes a pause.
Timestamp LuldWatch::straddle_end() const {
    if (straddle_pause_ns_ == 0 || straddle_since_ == Timestamp{}) return k_never;
    return straddle_since_ + Timestamp{straddle_pause_ns_};
}

void LuldWatch::on_refused(Reason reason, Timestamp now) {
    if (mode_ != Mode::paused || !std::exchange(asked_auction_, false)) return;
    is_due_ = true;
    next_try_ = now + k_again;
    if (reason != Reason::no_auction_price && reason != Reason::market_orders_left) return;
    collar_->extend(surplus());
    ++extensions_;
    state_.extend(now);
    is_extended_ = true;
}

// Orders that cross below the collar are the sellers' doing. Otherwise market orders are left, and
// the side is that of the limit state.
std::optional<Side> LuldWatch::surplus() const {
    if (!is_crossed()) return state_.limit_side();
    if (*quotes_.bid < collar_->range().low) return Side::sell;
    return *quotes_.offer > collar_->range().high ? std::optional{Side::buy} : state_.limit_side();
}

void LuldWatch::due(Timestamp now, std::vector<Command>& commands) {
    is_due_ = false;
    if (mode_ == Mode::trading) {
        state_.on_time(now);
        if (state_.phase() == LuldPhase::straddle && straddle_end() <= now) state_.pause(now);
        if (state_.phase() >= LuldPhase::paused) {
            begin_pause();
            commands.push_back(reopening_call(id_, auction_, HaltCause::limit_up_limit_down));
        } else if (reference_ && !state_.bands_stay()) {
            move_bands(now);
        }
    }
    if (mode_ == Mode::paused) end_pause(now, commands);
    ask_band(commands);
}

void LuldWatch::move_bands(Timestamp now) {
    const bool is_first = band_ == PriceBandDetails{};
    reference_->release(now);  // a limit state may have ended
    reference_->on_time(now);
    in_effect_ = reference_->standing();
    is_late_ = now >= close_ - plan_.doubled_before_close;
    const Price reference = in_effect_.price;
    const auto [low, high] = auction::luld_bands(
        plan_, security_, reference, auction::is_doubled(plan_, security_, now, close_));
    band_ = {low, high, reference};
    // No event will tell of a band that is in effect already.
    if (is_first && band_ == asked_) look_at_quotes(now);
}

void LuldWatch::begin_pause() {
    mode_ = Mode::paused;
    straddle_since_ = {};
    collar_.emplace(collar_terms_, state_.limit_side(),
                    auction::PriceRange{band_.lower, band_.upper});
    extensions_ = 0;
    asked_auction_ = false;
    next_try_ = {};
}

void LuldWatch::end_pause(Timestamp now, std::vector<Command>& commands) {
    state_.on_time(now);
    if (std::exchange(is_extended_, false))
        commands.push_back(reopening_call(id_, auction_, HaltCause::limit_up_limit_down));
    if (state_.phase() != LuldPhase::reopening || asked_auction_ || now < next_try_) return;
    next_try_ = now + k_again;
    // A scheduled call takes the pause over.
    if (is_halted_ || !hours_->is_regular(now, id_)) return;
    asked_auction_ = true;
    // Where no orders cross, trading resumes without an auction.
    UncrossConditions::Bits conditions = UncrossConditions::k_no_market_orders_left;
    if (is_crossed()) conditions |= UncrossConditions::k_has_price;
    commands.push_back(resumption(id_, conditions));
}

PriceBandDetails LuldWatch::wanted_band() const {
    if (mode_ == Mode::paused)
        return {collar_->range().low, collar_->range().high, collar_->reference()};
    if (mode_ == Mode::trading && reference_) return band_;
    return {.reference = asked_.reference};
}

void LuldWatch::ask_band(std::vector<Command>& commands) {
    const PriceBandDetails wanted = wanted_band();
    const bool is_collar = mode_ == Mode::paused;
    if (wanted == asked_ && is_collar == asked_collar_) return;
    asked_ = wanted;
    asked_collar_ = is_collar;
    Command command{};
    command.kind = CommandKind::set_price_band;
    command.instrument = id_;
    command.price_band = wanted;
    if (is_collar) {
        constexpr std::int64_t k_most_told = 254;
        command.flags = CommandFlags::k_auction_collar;
        command.quantity = {std::min(extensions_, k_most_told)};
    }
    commands.push_back(command);
}

Timestamp LuldWatch::next() const {
    if (is_due_) return {std::numeric_limits<std::int64_t>::min()};
    if (mode_ == Mode::off) return k_never;
    if (mode_ == Mode::paused && state_.phase() == LuldPhase::reopening)
        return asked_auction_ ? k_never : next_try_;
    Timestamp next = state_.due().value_or(k_never);
    if (mode_ == Mode::trading) next = std::min(next, straddle_end());
    if (mode_ == Mode::trading && reference_ && !state_.bands_stay()) {
        next = std::min(next, reference_->due().value_or(k_never));
        if (!is_late_) next = std::min(next, close_ - plan_.doubled_before_close);
    }
    return next;
}

}  // namespace damrak::venue::detail
