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
    event.quantity = event.remaining = event.displayed = order.quantity;
    return event;
}

}  // namespace

VenueLedger::VenueLedger(std::shared_ptr<const venue::Venue> venue,
                         std::function<void(const Report&)> on_day_end)
    : venue_(std::move(venue)), on_day_end_(std::move(on_day_end)) {}

std::shared_ptr<const venue::Venue> VenueLedger::venue() const {
    const std::lock_guard lock{mutex_};
    return venue_;
}

void VenueLedger::use(std::shared_ptr<const venue::Venue> venue) {
    const std::lock_guard lock{mutex_};
    venue_ = std::move(venue);
    instruments_.clear();
}

std::expected<void, std::string> VenueLedger::begin(const Engine& engine,
                                                    std::uint64_t /*position*/) {
    engine_ = &engine;
    return {};
}

void VenueLedger::on_command(const Command& command, const CommandStamp& stamp) {
    const std::lock_guard lock{mutex_};
    now_ = stamp.timestamp;
    if (command.kind == CommandKind::day_closed && on_day_end_ && venue_)
        on_day_end_(report_at(now_));
    if (command.kind != CommandKind::day_opened || command.trading_day.date == day_) return;
    day_ = command.trading_day.date;
    instruments_.clear();
}

void VenueLedger::on_event(const Event& event, const CommandStamp& stamp) {
    const std::lock_guard lock{mutex_};
    now_ = stamp.timestamp;
    const InstrumentState* const in = engine_->instrument(event.instrument);
    if (venue_ == nullptr || in == nullptr) return;
    if (instruments_.empty()) watch_all();
    if (!instruments_.contains(in->id())) watch(*in);
    Instrument& of = instruments_.at(in->id());
    for (Watch& one : of.watches) {
        one.quoting.set_trading(is_trading(*in), now_);
        one.quoting.on_event(event, now_);
    }
    if (event.kind == EventKind::executed) note_fill(event, of);
}

void VenueLedger::watch_all() {
    for (std::uint32_t id = 1; id <= engine_->config().maximum_instruments; ++id)
        if (const InstrumentState* const in = engine_->instrument(InstrumentId{id})) watch(*in);
}

void VenueLedger::watch(const InstrumentState& in) {
    Instrument& of = instruments_[in.id()];
    of.definition = in.definition();
    if (in.last_trade != 0) of.last = in.price_of(in.last_trade);
    const std::string_view symbol = in.definition().symbol.view();
    if (venue_->index)
        for (const venue::MarketBreaker::Part& part : venue_->index->parts)
            if (part.symbol == symbol) of.weight = part.weight;
    for (std::size_t i = 0; i < venue_->obligations.size(); ++i) {
        const venue::Obligation& one = venue_->obligations[i];
        if (!concerns(one, symbol)) continue;
        const Obligation obligation{
            .group = one.name,
            .presence = one.presence_percent / 100.0,
            .most_spread_ticks = one.most_spread / billionths_in_unit(in.definition()),
            .least_quantity = one.least_quantity,
            .period_ns = one.period_ns};
        for (const ParticipantId participant : one.participants) {
            std::vector<bool> is_maker(participant.value);
            is_maker.back() = true;
            of.watches.push_back({i, participant, {obligation, 1, std::move(is_maker), now_}});
            QuotingWatch& quoting = of.watches.back().quoting;
            quoting.set_trading(is_trading(in), now_);
            for (const Side side : {Side::buy, Side::sell})
                in.book.for_each_order(engine_->store(), side, [&](OrderIndex index) {
                    quoting.on_event(
                        resting(engine_->store().order(index), in, engine_->accounts()), now_);
                    return true;
                });
        }
    }
}

void VenueLedger::note_fill(const Event& event, Instrument& of) const {
    of.last = event.price;
    FeeAccount& account = of.accounts[event.participant];
    const std::int64_t quantity = event.quantity.value;
    ++account.trades;
    if (has_flag(event, EventFlags::k_cross))
        account.auction_volume += quantity;
    else if (has_flag(event, EventFlags::k_aggressor))
        account.taker_volume += quantity;
    else
        account.maker_volume += quantity;
    account.fees += fee_of(venue_->fees.of(event.participant).of(event), event.price,
                           event.quantity, of.definition.price_decimals);
}

std::optional<double> VenueLedger::index_value() const {
    if (!venue_->index) return std::nullopt;
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
            const venue::Obligation& obligation = venue_->obligations[one.obligation];
            QuotingWatch until_now = one.quoting;
            report.obligations.push_back({.obligation = obligation.name,
                                          .participant = one.participant,
                                          .symbol = symbol,
                                          .price_decimals = of.definition.price_decimals,
                                          .presence = obligation.presence_percent / 100.0,
                                          .result = until_now.finish(now)});
        }
    }
    return report;
}

VenueLedger::Report VenueLedger::report(Timestamp now) const {
    const std::lock_guard lock{mutex_};
    if (venue_ == nullptr) return {};
    return report_at(std::max(now, now_));
}

}  // namespace damrak::measures
