#include <damrak/measures/venue_ledger.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace damrak::measures {

namespace {

std::int64_t billionths_in_unit(const InstrumentDefinition& definition) {
    std::int64_t billionths = 1'000'000'000;
    for (unsigned i = 0; i < definition.price_decimals; ++i) billionths /= 10;
    return billionths;
}

bool is_trading(const InstrumentState& in) {
    return in.phase == Phase::continuous && in.state == TradingState::trading;
}

bool concerns(const venue::Obligation& obligation, std::string_view symbol) {
    return obligation.symbols.empty() ||
           std::ranges::find(obligation.symbols, symbol) != obligation.symbols.end();
}

// An order that rests since before, as the watch hears of those that come.
Event resting(const Order& order, const InstrumentState& in, const Accounts& accounts) {
    Event event{};
    event.kind = EventKind::accepted;
    event.instrument = in.id();
    event.order_id = order.id;
    event.participant = accounts.account(order.account).participant;
    event.side = order.terms().side();
    event.price = in.price_of(order.tick);
    event.quantity = event.remaining = order.quantity;
    event.displayed = order.terms().undisplayed() ? Quantity{} : order.quantity;
    return event;
}

}  // namespace

std::shared_ptr<const venue::Venue> VenueLedger::venue() const {
    const std::lock_guard lock{mutex_};
    return next_ ? next_->venue : venue_;
}

void VenueLedger::use(std::shared_ptr<const venue::Venue> venue, Timestamp now) {
    if (venue && !is_needed(*venue)) venue = nullptr;
    const std::lock_guard lock{mutex_};
    next_ = Change{std::move(venue), now};
}

std::expected<void, std::string> VenueLedger::begin(const Engine& engine,
                                                    std::uint64_t /*position*/) {
    engine_ = &engine;
    return {};
}

void VenueLedger::on_command(const Command& command, const CommandStamp& stamp) {
    const std::lock_guard lock{mutex_};
    come_to(stamp.timestamp);
    if (command.kind == CommandKind::day_closed && on_day_end_) on_day_end_(report_at(now_));
    if (command.kind != CommandKind::day_opened || command.trading_day.date == day_) return;
    day_ = command.trading_day.date;
    instruments_.clear();
    follow_all(now_);
}

void VenueLedger::on_event(const Event& event, const CommandStamp& stamp) {
    const std::lock_guard lock{mutex_};
    come_to(stamp.timestamp);
    const InstrumentState* const in = engine_->instrument(event.instrument);
    if (in == nullptr || (venue_ == nullptr && earlier_ == nullptr)) return;
    if (!instruments_.contains(in->id())) follow(*in, now_);
    Instrument& of = instruments_.at(in->id());
    for (Watch& one : of.watches) {
        one.quoting.set_trading(is_trading(*in), now_);
        one.quoting.on_event(event, now_);
    }
    if (event.kind == EventKind::executed) note_fill(event, of);
}

// In a quiet market no record tells that it is time.
void VenueLedger::on_turn(std::int64_t /*now_ns*/) {
    const std::lock_guard lock{mutex_};
    change_venue();
}

void VenueLedger::come_to(Timestamp time) {
    if (next_ && time >= next_->at) change_venue();
    now_ = time;
}

void VenueLedger::change_venue() {
    if (!next_) return;
    Change change = *std::exchange(next_, std::nullopt);
    earlier_ = std::exchange(venue_, std::move(change.venue));
    since_ = change.at;
    follow_all(since_);
}

void VenueLedger::follow_all(Timestamp since) {
    for (std::uint32_t id = 1; id <= engine_->config().maximum_instruments; ++id)
        if (const InstrumentState* const in = engine_->instrument(InstrumentId{id}))
            follow(*in, since);
}

// What it already follows continues, as far as the venue still has it.
void VenueLedger::follow(const InstrumentState& in, Timestamp since) {
    Instrument& of = instruments_[in.id()];
    of.definition = in.definition();
    of.weight = 0;
    if (venue_ && venue_->index)
        for (const venue::BreakerRule::Part& part : venue_->index->parts)
            if (part.symbol == in.definition().symbol.view()) of.weight = part.weight;
    if (in.last_trade != 0) of.last = in.price_of(in.last_trade);
    std::vector<Watch> earlier = std::exchange(of.watches, watches_of(in, since));
    std::vector<QuotingWatch*> begun;
    for (Watch& one : of.watches) {
        const auto same = std::ranges::find_if(earlier, [&one](const Watch& other) {
            return other.participant == one.participant && other.terms == one.terms;
        });
        if (same == earlier.end()) {
            begun.push_back(&one.quoting);
        } else {
            one = std::move(*same);
            earlier.erase(same);
        }
    }
    note_resting(in, begun, since);
}

std::vector<VenueLedger::Watch> VenueLedger::watches_of(const InstrumentState& in,
                                                        Timestamp since) const {
    std::vector<Watch> watches;
    if (venue_ == nullptr) return watches;
    for (const venue::Obligation& one : venue_->obligations) {
        if (!concerns(one, in.definition().symbol.view())) continue;
        const Obligation terms{
            .group = one.name,
            .presence = one.presence_percent / 100.0,
            .most_spread_ticks = one.most_spread / billionths_in_unit(in.definition()),
            .least_quantity = one.least_quantity,
            .period_ns = one.period_ns};
        for (const ParticipantId participant : one.participants) {
            std::vector<bool> is_maker(participant.value);
            is_maker.back() = true;
            watches.push_back({terms, participant, {terms, 1, std::move(is_maker), since}});
        }
    }
    return watches;
}

void VenueLedger::note_resting(const InstrumentState& in, const std::vector<QuotingWatch*>& watches,
                               Timestamp time) const {
    if (watches.empty()) return;
    for (QuotingWatch* const one : watches) one->set_trading(is_trading(in), time);
    for (const Side side : {Side::buy, Side::sell})
        in.book.for_each_order(engine_->store(), side, [&](OrderIndex index) {
            const Event order = resting(engine_->store().order(index), in, engine_->accounts());
            for (QuotingWatch* const one : watches) one->on_event(order, time);
            return true;
        });
}

void VenueLedger::note_fill(const Event& event, Instrument& of) const {
    of.last = event.price;
    // This thread may be behind the change: what traded before it is charged as it was then.
    const venue::Venue* const venue = now_ < since_ ? earlier_.get() : venue_.get();
    if (venue == nullptr) return;
    FeeAccount& account = of.accounts[event.participant];
    const std::int64_t quantity = event.quantity.value;
    ++account.trades;
    if (has_flag(event, EventFlags::k_cross))
        account.auction_volume += quantity;
    else if (has_flag(event, EventFlags::k_aggressor))
        account.taker_volume += quantity;
    else
        account.maker_volume += quantity;
    account.fees += fee_of(venue->fees.of(event.participant).of(event), event.price, event.quantity,
                           of.definition.price_decimals);
}

std::optional<double> VenueLedger::index_value() const {
    if (!venue_ || !venue_->index) return std::nullopt;
    double value = 0;
    std::size_t parts = 0;
    for (const auto& [id, of] : instruments_) {
        if (of.weight == 0 || !of.last) continue;
        ++parts;
        value += static_cast<double>(of.weight) * static_cast<double>(of.last->value) *
                 static_cast<double>(billionths_in_unit(of.definition)) / 1e9;
    }
    return parts == venue_->index->parts.size() ? std::optional{value} : std::nullopt;
}

VenueLedger::Report VenueLedger::report_at(Timestamp now) const {
    Report report{.day = day_, .fees = {}, .obligations = {}, .index = index_value()};
    for (const auto& [id, of] : instruments_) {
        const std::string symbol{of.definition.symbol.view()};
        for (const auto& [participant, account] : of.accounts) {
            FeeAccount& told = report.fees.emplace_back(account);
            told.participant = participant;
            told.symbol = symbol;
            told.price_decimals = of.definition.price_decimals;
        }
        for (const Watch& one : of.watches) {
            QuotingWatch until_now = one.quoting;
            report.obligations.push_back({.obligation = one.terms.group,
                                          .participant = one.participant,
                                          .symbol = symbol,
                                          .price_decimals = of.definition.price_decimals,
                                          .presence = one.terms.presence,
                                          .result = until_now.finish(now)});
        }
    }
    return report;
}

VenueLedger::Report VenueLedger::report(Timestamp now) const {
    const std::lock_guard lock{mutex_};
    return report_at(std::max(now, now_));
}

}  // namespace damrak::measures
