#include "serve/trades.hpp"

#include <charconv>

#include <nlohmann/json.hpp>

namespace damrak::app {

namespace {

std::uint64_t number_after(std::string_view query) {
    constexpr std::string_view k_after = "after=";
    std::uint64_t number = 0;
    if (query.starts_with(k_after))
        std::from_chars(query.data() + k_after.size(), query.data() + query.size(), number);
    return number;
}

}  // namespace

std::string trades_json(const feed::TradeTape& tape, std::string_view query) {
    using Json = nlohmann::ordered_json;
    Json trades = Json::array();
    const std::uint64_t traded =
        tape.for_each_after(number_after(query), [&](const feed::TapeTrade& trade) {
            trades.push_back({{"time_ns", trade.time.value},
                              {"instrument", trade.instrument.value},
                              {"price_units", trade.price.value},
                              {"quantity", trade.quantity.value},
                              {"aggressor", trade.aggressor == Side::buy ? "buy" : "sell"}});
        });
    return Json{{"traded", traded}, {"trades", std::move(trades)}}.dump() + "\n";
}

}  // namespace damrak::app
