#include "serve/venue_state.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/exchange/system_time.hpp>

#include "say.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;
using Report = measures::VenueLedger::Report;

double in_currency(double units, unsigned decimals) {
    double scale = 1;
    for (unsigned i = 0; i < decimals; ++i) scale *= 10;
    return units / scale;
}
double in_currency(std::int64_t units, unsigned decimals) {
    return in_currency(static_cast<double>(units), decimals);
}

double presence(const measures::QuotingResult& of) {
    return of.trading_s > 0 ? of.present_s / of.trading_s : 0;
}

Json fees_json(const Report& report) {
    Json rows = Json::array();
    for (const measures::FeeAccount& one : report.fees)
        rows.push_back({{"participant", one.participant.value},
                        {"symbol", one.symbol},
                        {"trades", one.trades},
                        {"maker_volume", one.maker_volume},
                        {"taker_volume", one.taker_volume},
                        {"auction_volume", one.auction_volume},
                        {"fees", in_currency(one.fees, one.price_decimals)}});
    return rows;
}

Json obligations_json(const Report& report) {
    Json rows = Json::array();
    for (const measures::Keeping& one : report.obligations)
        rows.push_back({{"obligation", one.obligation},
                        {"participant", one.participant.value},
                        {"symbol", one.symbol},
                        {"trading_seconds", one.result.trading_s},
                        {"present_seconds", one.result.present_s},
                        {"presence", presence(one.result)},
                        {"wanted", one.presence},
                        {"spread_mean", in_currency(one.result.spread.mean(), one.price_decimals)},
                        {"periods", one.result.periods},
                        {"periods_met", one.result.met}});
    return rows;
}

Json index_json(const venue::Venue& venue, const Report& report) {
    if (!venue.index) return nullptr;
    return {{"name", venue.index->name},
            {"value", report.index ? Json(std::round(*report.index * 1e8) / 1e8) : Json{}}};
}

http::Answer answer_of(const Json& json) {
    return {.content_type = "application/json",
            .body = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"};
}

// The route says what is missing.
http::Answer nothing() { return {.status = 404}; }

void say_day(const Report& report) {
    for (const measures::Keeping& one : report.obligations) {
        // A day that ended while the exchange was down: nobody was watched in it since the start.
        if (one.result.trading_s == 0) continue;
        say("obligation   {} of participant {} in {}: {} of {} periods met, present for {:.1f}% of "
            "{:.0f} s\n",
            one.obligation, one.participant.value, one.symbol, one.result.met, one.result.periods,
            presence(one.result) * 100, one.result.trading_s);
    }
}

}  // namespace

VenueState::VenueState(const ServeSettings& settings) {
    if (settings.venue) ledger_ = std::make_unique<measures::VenueLedger>(say_day);
}

exchange::Observers VenueState::observers() const {
    return ledger_ ? exchange::Observers{ledger_.get()} : exchange::Observers{};
}

void VenueState::resume(TradingDay day) {
    if (ledger_) ledger_->resume(day.date);
}

void VenueState::use(const std::shared_ptr<const venue::Venue>& venue) {
    if (ledger_) ledger_->use(venue, exchange::system_time());
}

http::Answer VenueState::answer_venue() const {
    const auto venue = ledger_ ? ledger_->venue() : nullptr;
    if (venue == nullptr) return nothing();
    const Report report = ledger_->report(exchange::system_time());
    return answer_of({{"venue", venue->name},
                      {"day", report.day},
                      {"index", index_json(*venue, report)},
                      {"fees", fees_json(report)},
                      {"obligations", obligations_json(report)}});
}

http::Answer VenueState::answer_index() const {
    const auto venue = ledger_ ? ledger_->venue() : nullptr;
    if (venue == nullptr || !venue->index) return nothing();
    return answer_of(index_json(*venue, ledger_->report(exchange::system_time())));
}

Fees VenueState::fees() const {
    const auto venue = ledger_ ? ledger_->venue() : nullptr;
    return venue == nullptr ? Fees{} : venue->fees;
}

std::string VenueState::metrics() const {
    const auto venue = ledger_ ? ledger_->venue() : nullptr;
    if (venue == nullptr) return {};
    const Report report = ledger_->report(exchange::system_time());
    std::string text;
    if (report.index)
        text += fmt::format(
            "# HELP damrak_index Value of the venue's index.\n# TYPE damrak_index gauge\n"
            "damrak_index {}\n",
            *report.index);
    if (report.obligations.empty()) return text;
    text +=
        "# HELP damrak_obligation_presence Share of the time of trading in which a market maker "
        "quoted as it is obliged to.\n# TYPE damrak_obligation_presence gauge\n";
    for (const measures::Keeping& one : report.obligations)
        text += fmt::format(
            "damrak_obligation_presence{{obligation=\"{}\",participant=\"{}\",symbol=\"{}\"}} {}\n",
            one.obligation, one.participant.value, one.symbol, presence(one.result));
    return text;
}

}  // namespace damrak::app
