#include "serve/instruments.hpp"

#include <nlohmann/json.hpp>

namespace damrak::app {

std::string instruments_json(const exchange::MarketView& market,
                             const std::map<std::string, std::uint16_t>& ports) {
    using Json = nlohmann::ordered_json;
    Json instruments = Json::array();
    for (const InstrumentState* const in : market.instruments)
        instruments.push_back({{"id", in->id().value},
                               {"symbol", in->definition().symbol.view()},
                               {"halted", in->state == TradingState::halted}});
    return Json{{"instruments", std::move(instruments)}, {"ports", ports}}.dump(
               -1, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

}  // namespace damrak::app
