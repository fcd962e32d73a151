// Busts of trades by the operator: POST /v1/private/busts?symbol=SPY&trade=17.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/market_data_api/event_days.hpp>
#include <damrak/market_data_api/parameters.hpp>
#include <damrak/market_data_api/routes.hpp>

namespace damrak::market_data_api {

namespace {

std::optional<InstrumentId> instrument_named(const archive::EventFile& file,
                                             std::string_view symbol) {
    for (const archive::LoggedInstrument& one : file.instruments())
        if (one.symbol.view() == symbol) return one.id;
    return std::nullopt;
}

/// A trade, and the command that busts it, from the events of its day.
struct Bust {
    Command command{};
    ParticipantId buyer{};
    ParticipantId seller{};
    bool is_busted = false;  ///< before

    void add(const Event& event) {
        const bool buy = event.side == Side::buy;
        command.price = event.price;
        command.quantity = event.quantity;
        (buy ? buyer : seller) = event.participant;
        (buy ? command.participant : command.bust.seller) = event.participant;
        (buy ? command.order_id : command.new_order_id) = event.order_id;
    }
    /// Its id may be another participant's from now on.
    void release(ParticipantId participant) {
        if (command.participant == participant) command.participant = {};
        if (command.bust.seller == participant) command.bust.seller = {};
    }
};

Result<Bust> find_trade(archive::EventFile& file, InstrumentId instrument, TradeId trade) {
    Bust bust;
    bust.command.kind = CommandKind::bust_trade;
    bust.command.instrument = instrument;
    bust.command.bust.trade = trade;
    for (std::size_t block = 0; block < file.blocks(); ++block) {
        const auto events = file.read_block(block);
        if (!events)
            return std::unexpected{
                Problem{.status = 503, .code = "damaged", .message = events.error()}};
        for (const auto& [record, time_ns, event] : *events) {
            if (event.kind == EventKind::participant_released) bust.release(event.participant);
            if (event.instrument != instrument || event.trade_id() != trade) continue;
            if (event.kind == EventKind::executed) bust.add(event);
            bust.is_busted |= event.kind == EventKind::trade_busted;
        }
    }
    return bust;
}

}  // namespace

Result<http::Answer> answer_bust(const Call& call) {
    const auto trade = call.query.number(k_trade);
    if (!trade) return std::unexpected{trade.error()};
    for (const Parameter& one : {k_symbol, k_trade})
        if (!call.query.text(one.name))
            return std::unexpected{Problem{.code = "missing_parameter",
                                           .message = fmt::format("{} is required", one.name),
                                           .parameter = std::string{one.name}}};
    const std::string symbol = *call.query.text("symbol");
    auto day = call.events.find("");
    if (!day) return std::unexpected{day.error()};
    const auto refuse = [](unsigned status, std::string code, std::string message) {
        return std::unexpected{
            Problem{.status = status, .code = std::move(code), .message = std::move(message)}};
    };
    const auto instrument =
        day->file ? instrument_named(*day->file, symbol) : std::optional<InstrumentId>{};
    if (!instrument)
        return refuse(404, "unknown_instrument",
                      fmt::format("symbol: no events of '{}' in {}", symbol, day->name));
    const auto found = find_trade(*day->file, *instrument, TradeId{*trade});
    if (!found) return std::unexpected{found.error()};
    const Command& command = found->command;
    if (!found->buyer || !found->seller)
        return refuse(404, "unknown_trade",
                      fmt::format("trade: {} has no trade {} between two participants in {}",
                                  symbol, *trade, day->name));
    if (found->is_busted)
        return refuse(409, "already_busted", fmt::format("trade {} was busted before", *trade));
    if (!call.submit || !call.submit(command))
        return refuse(503, "no_exchange", "no exchange takes the command now");
    std::string json = R"({"symbol": )";
    archive::append_string(json, symbol);
    json +=
        fmt::format(R"(, "trade": {}, "price": {}, "quantity": {}, "buyer": {}, "seller": {}}})"
                    "\n",
                    *trade, archive::price_text(static_cast<std::uint64_t>(command.price.value)),
                    command.quantity.value, found->buyer.value, found->seller.value);
    return http::Answer{.status = 202, .content_type = "application/json", .body = json};
}

}  // namespace damrak::market_data_api
