// The answers for the operator alone.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/market_data_api/detail/event_days.hpp>
#include <damrak/market_data_api/detail/parameters.hpp>
#include <damrak/market_data_api/detail/routes.hpp>

namespace damrak::market_data_api {

namespace {

Result<archive::EventQuestion> question_of(const Query& query) {
    const auto order = query.number(k_order);
    if (!order) return std::unexpected{order.error()};
    const auto participant = query.number(k_participant);
    if (!participant) return std::unexpected{participant.error()};
    const auto from = query.number(k_from_record);
    if (!from) return std::unexpected{from.error()};
    const auto to = query.number(k_to_record);
    if (!to) return std::unexpected{to.error()};
    return archive::EventQuestion{
        .order = *order,
        .participant = static_cast<std::uint32_t>(*participant),
        .symbol = query.text("symbol").value_or(""),
        .from = *from,
        .to = query.text(k_to_record.name) ? *to : std::numeric_limits<std::uint64_t>::max()};
}

bool has_instrument(const EventDays::Events& day, const std::string& symbol) {
    return !day.file ||
           std::ranges::any_of(day.file->instruments(), [&](const archive::LoggedInstrument& one) {
               return one.symbol.view() == symbol;
           });
}

}  // namespace

Result<http::Answer> answer_event_days(const Call& call) {
    std::string json = R"({"days": [)";
    for (const std::string& name : call.events.names()) {
        http::give_way();
        const auto day = call.events.find(name);
        if (!day || !day->file) continue;  // removed, or no file of events
        const archive::EventFile& file = *day->file;
        if (!json.ends_with('[')) json += ", ";
        archive::append_string(json += R"({"day": )", name);
        json += fmt::format(
            R"(, "date": {}, "events": {}, "first_record": {}, "last_record": {}, "damage": [)",
            file.header().date, file.events(), file.blocks() == 0 ? 0 : file.block(0).first_record,
            file.last_record());
        for (const std::string& damage : file.damage()) {
            if (!json.ends_with('[')) json += ", ";
            archive::append_string(json, damage);
        }
        json += "]}";
    }
    return http::Answer{.content_type = "application/json", .body = json + "]}\n"};
}

Result<http::Answer> answer_events(const Call& call) {
    auto question = question_of(call.query);
    if (!question) return std::unexpected{question.error()};
    auto day = call.events.find(call.query.text("day").value_or(""));
    if (!day) return std::unexpected{day.error()};
    if (call.query.text("symbol") && !has_instrument(*day, question->symbol))
        return std::unexpected{
            Problem{.status = 404,
                    .code = "unknown_instrument",
                    .message = fmt::format("symbol: the events of {} have no instrument '{}'",
                                           day->name, question->symbol),
                    .parameter = "symbol"}};
    auto lines = std::make_shared<EventLines>(*std::move(day), *std::move(question));
    http::Answer answer{.content_type = "application/x-ndjson"};
    answer.next_piece = [lines](std::string& piece) { return lines->next(piece); };
    return answer;
}

Result<http::Answer> answer_participants(const Call& call) {
    auto day = call.events.find(call.query.text("day").value_or(""));
    if (!day) return std::unexpected{day.error()};
    const auto groups = call.events.groups(day->name);
    Fees fees;
    if (call.fees && call.events.is_present(*day)) fees = call.fees();
    return http::Answer{.content_type = "application/json",
                        .body = totals_of_participants(*day, groups, fees)};
}

}  // namespace damrak::market_data_api
