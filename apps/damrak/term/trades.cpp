#include "term/trades.hpp"

#include <chrono>
#include <ctime>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_units.hpp>
#include <damrak/http/client.hpp>
#include <damrak/wire/binary/messages.hpp>

#include "serve/trades.hpp"

namespace damrak::app {

namespace {

client::TapeTrade read_trade(const nlohmann::json& each) {
    const std::time_t seconds = each.at("time_ns").get<std::int64_t>() / k_second_ns;
    std::tm local{};
    ::localtime_r(&seconds, &local);
    const bool bought = each.at("aggressor") == "buy";
    return {.time = fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec),
            .instrument = {each.at("instrument").get<std::uint32_t>()},
            .price_e2 = each.at("price_units").get<std::int64_t>() / wire::binary::k_price_units,
            .quantity = each.at("quantity").get<std::uint64_t>(),
            .taker = bought ? Side::buy : Side::sell};
}

}  // namespace

std::optional<std::vector<client::TapeTrade>> TradeQuery::ask() {
    const auto answer = http::ask({.address = host_,
                                   .port = http_port_,
                                   .path = fmt::format("{}?after={}", k_trades_path, traded_),
                                   .patience = std::chrono::seconds{1}});
    if (!answer || answer->status != 200) return std::nullopt;
    try {
        const auto told = nlohmann::json::parse(answer->body);
        std::vector<client::TapeTrade> trades;
        for (const auto& each : told.at("trades")) trades.push_back(read_trade(each));
        traded_ = told.at("traded").get<std::uint64_t>();
        return trades;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace damrak::app
