#include <damrak/validation/default_market.hpp>

#include <damrak/base/assert.hpp>

namespace damrak::validation {
namespace {

constexpr std::string_view k_text = R"(
name = "default market"
duration = "30min"

[exchange]
maker_fee = -0.002
taker_fee = 0.003
service_time = "5us"

[[instrument]]
symbol = "VAL"
price = 100.0
tick = 0.01
volatility = 0.0001

[[participants]]
kind = "hawkes"
name = "background"
latency = "100us"

[[participants]]
kind = "fcn"
name = "chartists"
count = 100
chart_weight = 0.15
latency = "5ms"

[[participants]]
kind = "noise"
count = 50
orders_per_s = 0.2
latency = { kind = "lognormal", median = "2ms", sigma = 0.5 }

[[participants]]
kind = "fixed-maker"
name = "makers"
count = 3
latency = "200us"
)";

}  // namespace

study::MarketFile default_market() {
    auto file = study::parse_market_file(k_text, "the default market");
    DAMRAK_ASSERT(file.has_value());
    return *std::move(file);
}

}  // namespace damrak::validation
