// Changes of trades by the operator: POST /v1/private/busts?symbol=SPY&trade=17, and
// POST /v1/private/corrections?symbol=SPY&trade=17&price=187.54&quantity=50.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/trade_note.hpp>
#include <damrak/market_data_api/detail/event_days.hpp>
#include <damrak/market_data_api/detail/parameters.hpp>
#include <damrak/market_data_api/detail/routes.hpp>

namespace damrak::market_data_api {

namespace {

constexpr unsigned k_decimals_e4 = 4;

std::unexpected<Problem> refuse(unsigned status, std::string code, std::string message) {
    return std::unexpected{
        Problem{.status = status, .code = std::move(code), .message = std::move(message)}};
}

/// A trade as its events tell it, and the command that would bust it.
class Trade {
  public:
    Trade(InstrumentId instrument, TradeId trade) {
        command.kind = CommandKind::bust_trade;
        command.instrument = instrument;
        command.bust.trade = trade;
    }

    void hear(std::uint64_t record, const Event& event) {
        index_ = record == record_ ? index_ + 1 : 0;
        record_ = record;
        if (event.kind == EventKind::participant_released) return release(event.participant);
        if (event.instrument != command.instrument) return;
        if (event.kind == EventKind::replaced) return rename(event.order_id, event.new_order_id());
        if (event.trade_id() != command.bust.trade) return;
        is_busted |= event.kind == EventKind::trade_busted;
        if (event.kind == EventKind::executed) add(event);
        if (event.kind != EventKind::executed && event.kind != EventKind::trade_corrected) return;
        command.price = event.price;
        command.quantity = event.quantity;
    }

    Command command{};
    TradeNote note{};
    ParticipantId buyer{};
    ParticipantId seller{};
    Quantity traded{};       ///< at first
    bool is_busted = false;  ///< before

  private:
    void add(const Event& event) {
        const bool buy = event.side == Side::buy;
        (buy ? buyer : seller) = event.participant;
        (buy ? command.participant : command.bust.seller) = event.participant;
        (buy ? command.order_id : command.new_order_id) = event.order_id;
        (buy ? note.buy_index : note.sell_index) = index_;
        note.sequence = {record_};
        traded = event.quantity;
    }
    /// Gateways know an order by the id that it has now.
    void rename(OrderId from, OrderId to) {
        for (OrderId* const order : {&command.order_id, &command.new_order_id})
            if (*order == from && *order) *order = to;
    }
    /// Its id may be another participant's from now on.
    void release(ParticipantId participant) {
        for (ParticipantId* const side : {&command.participant, &command.bust.seller})
            if (*side == participant) *side = {};
    }

    std::uint64_t record_ = 0;
    std::uint32_t index_ = 0;  ///< of the event among those of its record
};

struct Found {
    std::string symbol;
    archive::LoggedInstrument instrument;
    Trade trade;
};

Result<Trade> find_trade(archive::EventFile& file, InstrumentId instrument, TradeId number) {
    Trade trade{instrument, number};
    for (std::size_t block = 0; block < file.blocks(); ++block) {
        const auto events = file.read_block(block);
        if (!events) return refuse(503, "damaged", events.error());
        for (const auto& [record, time_ns, event] : *events) trade.hear(record, event);
    }
    return trade;
}

/// The trade of today that the request names, if it may be changed.
Result<Found> find_trade(const Call& call) {
    const auto number = call.query.number(k_trade);
    if (!number) return std::unexpected{number.error()};
    for (const Parameter& one : {k_symbol, k_trade})
        if (const auto given = call.query.required(one.name); !given)
            return std::unexpected{given.error()};
    const std::string symbol = *call.query.text(k_symbol.name);
    auto day = call.events.find("");
    if (!day) return std::unexpected{day.error()};
    const auto instrument = find_instrument(*day, symbol);
    if (!instrument) return std::unexpected{instrument.error()};
    auto trade = find_trade(*day->file, instrument->id, TradeId{*number});
    if (!trade) return std::unexpected{trade.error()};
    const bool is_known = trade->buyer && trade->seller;
    if (!is_known && !day->missing.empty()) return refuse(503, "missing_events", day->missing);
    if (!is_known)
        return refuse(404, "unknown_trade",
                      fmt::format("trade: {} has no trade {} between two participants in {}",
                                  symbol, *number, day->name));
    if (trade->is_busted)
        return refuse(409, "already_busted", fmt::format("trade {} was busted before", *number));
    return Found{.symbol = symbol, .instrument = *instrument, .trade = *std::move(trade)};
}

std::string price_text(const archive::LoggedInstrument& in, Price price) {
    double unit = 1;
    for (unsigned i = 0; i < in.price_decimals; ++i) unit *= 10;
    return fmt::format("{}", static_cast<double>(price.value) / unit);
}

Result<http::Answer> change(const Call& call, const Found& found, std::string_view members) {
    const Command& command = found.trade.command;
    if (const auto taken = submit(call, command, found.trade.note.tag()); !taken)
        return std::unexpected{taken.error()};
    std::string json = R"({"symbol": )";
    archive::append_string(json, found.symbol);
    json += fmt::format(R"(, "trade": {}, "price": {}, "quantity": {}, {}"buyer": {}, )"
                        R"("seller": {}}})"
                        "\n",
                        command.bust.trade.value, price_text(found.instrument, command.price),
                        command.quantity.value, members, found.trade.buyer.value,
                        found.trade.seller.value);
    return http::Answer{.status = 202, .content_type = "application/json", .body = json};
}

/// In the unit of the instrument; nothing: the instrument cannot have it.
std::optional<Price> price_of(const archive::LoggedInstrument& in, std::int64_t price_e4) {
    for (unsigned i = k_decimals_e4; i < in.price_decimals; ++i) price_e4 *= 10;
    for (unsigned i = in.price_decimals; i < k_decimals_e4; ++i) {
        if (price_e4 % 10 != 0) return std::nullopt;
        price_e4 /= 10;
    }
    return Price{price_e4};
}

std::unexpected<Problem> refuse_correction(std::string message) {
    return refuse(400, "invalid_correction", std::move(message));
}

// The engine refuses what is refused here, too, but nobody waits for its answer.

Result<Price> new_price(const Call& call, const Found& found, const InstrumentDefinition& of) {
    const Price old = found.trade.command.price;
    const auto price_e4 = call.query.price_e4(k_new_price.name);
    if (!price_e4) return std::unexpected{price_e4.error()};
    if (!*price_e4) return old;
    const archive::LoggedInstrument& in = found.instrument;
    const auto price = price_of(in, **price_e4);
    if (!price)
        return refuse_correction(fmt::format("price: prices of {} have at most {} decimals",
                                             found.symbol, in.price_decimals));
    // That of an auction, which may stay, may be between two ticks.
    if (*price == old || (of.in_range(*price) && of.on_tick(*price))) return *price;
    return refuse_correction(
        fmt::format("price: {} has prices from {} to {}, here in steps of {}", found.symbol,
                    price_text(in, of.next_price_above(of.floor())),
                    price_text(in, of.maximum_price), price_text(in, of.tick_size_at(*price))));
}

Result<Quantity> new_quantity(const Call& call, const Found& found,
                              const InstrumentDefinition& of) {
    const auto given = call.query.number(k_new_quantity);
    if (!given) return std::unexpected{given.error()};
    if (*given == 0) return found.trade.command.quantity;
    const Quantity quantity{static_cast<std::int64_t>(*given)};
    if (quantity > found.trade.traded)
        return refuse_correction(
            fmt::format("quantity: at most the {} that were traded", found.trade.traded.value));
    if (quantity.value % of.lot_size.value != 0)
        return refuse_correction(
            fmt::format("quantity: {} trades in lots of {}", found.symbol, of.lot_size.value));
    return quantity;
}

}  // namespace

Result<http::Answer> answer_bust(const Call& call) {
    const auto found = find_trade(call);
    if (!found) return std::unexpected{found.error()};
    return change(call, *found, "");
}

Result<http::Answer> answer_correction(const Call& call) {
    auto found = find_trade(call);
    if (!found) return std::unexpected{found.error()};
    const auto of = call.definition ? call.definition(found->symbol) : std::nullopt;
    if (!of) return std::unexpected{no_exchange()};
    const auto price = new_price(call, *found, *of);
    if (!price) return std::unexpected{price.error()};
    const auto quantity = new_quantity(call, *found, *of);
    if (!quantity) return std::unexpected{quantity.error()};
    Command& command = found->trade.command;
    if (*price == command.price && *quantity == command.quantity)
        return refuse_correction("price, quantity: one of them must change");
    command.kind = CommandKind::correct_trade;
    command.bust.new_price = *price;
    command.bust.new_quantity = *quantity;
    return change(call, *found,
                  fmt::format(R"("new_price": {}, "new_quantity": {}, )",
                              price_text(found->instrument, command.bust.new_price),
                              command.bust.new_quantity.value));
}

}  // namespace damrak::market_data_api
