// Protection of quotes by the operator: POST
// /v1/private/quote-protections?symbol=SPY&participant=3&maximum=500&window=1s.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/base/duration_text.hpp>
#include <damrak/market_data_api/detail/event_days.hpp>
#include <damrak/market_data_api/detail/parameters.hpp>
#include <damrak/market_data_api/detail/routes.hpp>

namespace damrak::market_data_api {

namespace {

Result<std::int64_t> window_of(const Query& query, std::uint64_t maximum) {
    if (!query.text(k_window.name) && maximum == 0) return 0;
    const auto text = query.required(k_window.name);
    if (!text) return std::unexpected{text.error()};
    const auto window_ns = parse_duration(*text);
    if (!window_ns || *window_ns <= 0 || maximum == 0)
        return std::unexpected{
            Problem{.code = "invalid_parameter",
                    .message = maximum == 0 ? "window: without a maximum there is none"
                                            : "window: a duration above zero, such as 500ms or 1s",
                    .parameter = std::string{k_window.name}}};
    return *window_ns;
}

}  // namespace

Result<http::Answer> answer_quote_protection(const Call& call) {
    for (const Parameter& one : {k_symbol, k_quoter, k_maximum})
        if (const auto given = call.query.required(one.name); !given)
            return std::unexpected{given.error()};
    const auto participant = call.query.number(k_quoter);
    if (!participant) return std::unexpected{participant.error()};
    const auto maximum = call.query.number(k_maximum);
    if (!maximum) return std::unexpected{maximum.error()};
    const auto window_ns = window_of(call.query, *maximum);
    if (!window_ns) return std::unexpected{window_ns.error()};
    const auto day = call.events.find("");
    if (!day) return std::unexpected{day.error()};
    const std::string symbol = *call.query.text(k_symbol.name);
    const auto instrument = find_instrument(*day, symbol);
    if (!instrument) return std::unexpected{instrument.error()};
    Command command{};
    command.kind = CommandKind::set_quote_protection;
    command.instrument = instrument->id;
    command.participant = ParticipantId{static_cast<std::uint32_t>(*participant)};
    command.quote_protection = {.maximum = {static_cast<std::int64_t>(*maximum)},
                                .window = *window_ns};
    if (const auto taken = submit(call, command); !taken) return std::unexpected{taken.error()};
    std::string json = R"({"symbol": )";
    archive::append_string(json, symbol);
    json += fmt::format(R"(, "participant": {}, "maximum": {}, "window_ns": {}}})"
                        "\n",
                        *participant, *maximum, *window_ns);
    return http::Answer{.status = 202, .content_type = "application/json", .body = json};
}

}  // namespace damrak::market_data_api
