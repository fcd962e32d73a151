#include <damrak/market_stream/trading.hpp>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/market_stream/detail/message_text.hpp>

namespace damrak::market_stream {

namespace {

constexpr std::uint64_t k_e4_of_cent = 100;

}  // namespace

std::string text_of(const OrderReport& report, std::optional<std::uint64_t> request) {
    const ViewerOrder& order = report.order;
    std::string json = fmt::format(R"({{"type":"order","order":{},"reference":{},"symbol":)",
                                   order.number, order.reference);
    archive::append_string(json, order.symbol);
    json += fmt::format(R"(,"side":"{}","price":)", order.side == Side::buy ? "buy" : "sell");
    if (order.price_e2 == 0)
        json += "null";
    else
        append_price(json, order.price_e2 * k_e4_of_cent);
    json += fmt::format(R"(,"open":{},"filled":{},"state":"{}","what":"{}","message":)", order.open,
                        order.filled, order.state, report.what);
    archive::append_string(json, report.message);
    if (report.fill) {
        json += R"(,"last":[)";
        append_price(json, report.fill->first * k_e4_of_cent);
        json += fmt::format(",{}]", report.fill->second);
    }
    if (request) json += fmt::format(R"(,"request":{})", *request);
    json += '}';
    return json;
}

}  // namespace damrak::market_stream
