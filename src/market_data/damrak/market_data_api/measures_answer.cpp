// The answer of /v1/measures.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/archive/measured_columns.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/market_data_api/detail/parameters.hpp>
#include <damrak/market_data_api/detail/routes.hpp>

namespace damrak::market_data_api {

namespace {

Problem wrong(std::string_view parameter, std::string why) {
    return {.code = "invalid_parameter",
            .message = fmt::format("{}: {}", parameter, why),
            .parameter = std::string{parameter}};
}

/// Whole columns, at multiples of the interval since midnight, within what the day knows.
Result<archive::MeasuredColumns> columns_of(const Query& query, const archive::Day& day) {
    constexpr std::int64_t k_most = 1'000;
    const auto from = query.time_ns("from", day.first_time_ns());
    if (!from) return std::unexpected{from.error()};
    const auto until = query.time_ns("until", std::numeric_limits<std::int64_t>::max());
    if (!until) return std::unexpected{until.error()};
    if (*until < *from)
        return std::unexpected{
            wrong("until", fmt::format("{} is before from, {}", archive::time_text(*until),
                                       archive::time_text(*from)))};
    const auto interval = query.number(k_interval);
    if (!interval) return std::unexpected{interval.error()};
    if (const std::string why = archive::why_not_known(day.depth(), *from); !why.empty())
        return std::unexpected{book_not_known(why)};
    const std::int64_t length_ns = static_cast<std::int64_t>(*interval) * k_second_ns;
    const archive::MeasuredColumns columns{
        .begin_ns = *from / length_ns * length_ns,
        .length_ns = length_ns,
        .end_ns = std::min({*until, day.last_time_ns(), day.depth().book_until_ns})};
    if ((columns.end_ns - columns.begin_ns) / length_ns >= k_most)
        return std::unexpected{
            wrong(k_interval.name, fmt::format("the window has more than {} of them", k_most))};
    return columns;
}

/// In the order of their names, with a value for each column.
std::string json_of(const std::vector<measures::Results>& columns) {
    struct Row {
        std::string_view unit;
        std::vector<const measures::Value*> values;
    };
    std::map<std::string_view, Row> rows;
    for (std::size_t column = 0; column < columns.size(); ++column)
        for (const measures::Value& value : columns[column].values()) {
            Row& row = rows[value.name];
            row.unit = value.unit;
            row.values.resize(columns.size());
            row.values[column] = &value;
        }
    const auto list = [](const Row& row, const auto& text_of) {
        std::string text;
        for (const measures::Value* value : row.values) {
            if (!text.empty()) text += ", ";
            text += text_of(value);
        }
        return text;
    };
    std::string json;
    for (const auto& [name, row] : rows) {
        if (!json.empty()) json += ", ";
        json += fmt::format(
            R"({{"name": "{}", "unit": "{}", "values": [{}], "counts": [{}]}})", name, row.unit,
            list(row,
                 [](const auto* one) { return one ? fmt::format("{:.9g}", one->value) : "null"; }),
            list(row, [](const auto* one) { return fmt::to_string(one ? one->count : 0); }));
    }
    return json;
}

}  // namespace

Result<http::Answer> answer_measures(const Call& call) {
    const auto day = call.days.find(call.query.text("day").value_or(""));
    if (!day) return std::unexpected{day.error()};
    const OpenDay& open = **day;
    const std::string symbol = call.query.text("symbol").value_or("");
    const auto locate = open.locate(symbol);
    if (!locate) return std::unexpected{locate.error()};
    if (const std::string why = archive::why_no_book(open.day.depth()); !why.empty())
        return std::unexpected{book_not_known(why)};
    const auto columns = columns_of(call.query, open.day);
    if (!columns) return std::unexpected{columns.error()};
    http::Answer answer{.content_type = "application/json",
                        .body = {},
                        .etag = open.etag(),
                        .cache_control = "no-cache"};
    if (http::has_tag(call.request.if_none_match, answer.etag)) return answer;
    const auto [measured, completeness] = archive::measure_columns(open.day, *locate, *columns);
    if (!completeness.is_complete() && !completeness.lacks_only_the_end)
        return std::unexpected{Problem{
            .status = 500, .code = "unreadable_day", .message = completeness.missing.front()}};
    std::string json = R"({"day": )";
    archive::append_string(json, open.name);
    json += fmt::format(R"(, "messages": {}, )", open.day.messages());
    archive::append_not_known(json, open.day.depth());
    archive::append_string(json += R"(, "symbol": )", symbol);
    json += fmt::format(
        R"(, "from_ns": {}, "until_ns": {}, "interval_s": {}, "columns": {}, "measures": [{}]}})",
        columns->begin_ns, columns->end_ns, columns->length_ns / k_second_ns, measured.size(),
        json_of(measured));
    answer.body = json + "\n";
    return answer;
}

}  // namespace damrak::market_data_api
