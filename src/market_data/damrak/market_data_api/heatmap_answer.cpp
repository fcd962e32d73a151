// The answer of /v1/heatmap.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/archive/heatmap.hpp>
#include <damrak/archive/heatmap_file.hpp>
#include <damrak/market_data_api/detail/parameters.hpp>
#include <damrak/market_data_api/detail/routes.hpp>

namespace damrak::market_data_api {

namespace {

constexpr std::uint64_t k_most_cells = 1'000'000;

Problem wrong(const Parameter& parameter, std::string_view why) {
    return {.code = "invalid_parameter",
            .message = fmt::format("{}: {}", parameter.name, why),
            .parameter = std::string{parameter.name}};
}

Result<archive::HeatmapView> view_of(const Query& query) {
    archive::HeatmapView view;
    const auto from = query.time_ns("from", 0);
    if (!from) return std::unexpected{from.error()};
    if (query.text("from")) view.from_ns = *from;
    const auto until = query.time_ns("until", std::numeric_limits<std::int64_t>::max() - 1);
    if (!until) return std::unexpected{until.error()};
    view.until_ns = *until;
    if (*until < *from)
        return std::unexpected{
            wrong(k_until, fmt::format("{} is before from, {}", archive::time_text(*until),
                                       archive::time_text(*from)))};
    const auto columns = query.number(k_columns);
    if (!columns) return std::unexpected{columns.error()};
    const auto rows = query.number(k_rows);
    if (!rows) return std::unexpected{rows.error()};
    if (*columns * *rows > k_most_cells)
        return std::unexpected{
            wrong(k_rows, fmt::format("{} columns of {} rows are more than {} cells", *columns,
                                      *rows, k_most_cells))};
    view.columns = static_cast<std::uint32_t>(*columns);
    view.rows = static_cast<std::uint32_t>(*rows);
    const auto low = query.price_e4("low");
    if (!low) return std::unexpected{low.error()};
    const auto high = query.price_e4("high");
    if (!high) return std::unexpected{high.error()};
    if (*low && *high && **high <= **low)
        return std::unexpected{wrong(k_high, "it is not above low")};
    view.low_e4 = *low;
    view.high_e4 = *high;
    return view;
}

/// A price of any size.
std::string price(std::uint64_t price_e4) {
    constexpr std::uint64_t k_unit = 10'000;
    return fmt::format("{}.{:04}", price_e4 / k_unit, price_e4 % k_unit);
}

void append_base64(std::string& text, std::span<const unsigned char> bytes) {
    constexpr std::string_view k_letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::uint32_t k_six_bits = 63;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t left = std::min<std::size_t>(bytes.size() - at, 3);
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 3; ++i)
            word = word << 8U | (i < left ? std::uint32_t{bytes[at + i]} : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= left ? k_letters[word >> (18U - 6U * i) & k_six_bits] : '=';
    }
}

void append_cells(std::string& json, std::string_view name, std::span<const Uint128> cells,
                  std::int64_t column_ns) {
    std::string bytes;
    bytes.reserve(cells.size() * sizeof(float));
    for (const Uint128 cell : cells) {
        const auto mean =
            static_cast<float>(static_cast<double>(cell) / static_cast<double>(column_ns));
        const auto bits = cell == 0 ? 0U : std::bit_cast<std::uint32_t>(mean);
        for (const unsigned shift : {0U, 8U, 16U, 24U}) bytes += static_cast<char>(bits >> shift);
    }
    json += fmt::format(R"(, "{}": ")", name);
    append_base64(json, {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    json += '"';
}

template <class F>
void append_list(std::string& json, std::string_view name, const auto& rows, const F& text_of) {
    json += fmt::format(R"(, "{}": [)", name);
    for (const auto& row : rows) {
        if (!json.ends_with('[')) json += ", ";
        text_of(json, row);
    }
    json += ']';
}

std::string json_of(const OpenDay& day, std::string_view symbol, const archive::Heatmap& map) {
    const archive::HeatmapGrid& grid = map.grid;
    std::string json = R"({"day": )";
    archive::append_string(json, day.name);
    json += fmt::format(R"(, "messages": {}, )", day.day.messages());
    archive::append_not_known(json, day.day.depth());
    archive::append_string(json += R"(, "symbol": )", symbol);
    json += fmt::format(R"(, "from_ns": {}, "until_ns": {}, "column_ns": {}, "columns": {}, )"
                        R"("rows": {}, "low": {}, "high": {}, "price_step": {})",
                        grid.begin_ns, grid.end_ns(), grid.column_ns, grid.columns, grid.rows,
                        price(grid.low_e4), price(grid.high_e4()), price(grid.step_e4));
    using Column = archive::HeatmapColumn;
    const auto prices = [&](std::string_view name, std::uint32_t Column::* member) {
        append_list(json, name, map.columns, [&](std::string& text, const Column& column) {
            text += column.*member == 0 ? "null" : price(column.*member);
        });
    };
    const auto volumes = [&](std::string_view name, std::uint64_t Column::* member) {
        append_list(json, name, map.columns, [&](std::string& text, const Column& column) {
            text += fmt::to_string(column.*member);
        });
    };
    prices("bid", &Column::bid_e4);
    prices("ask", &Column::ask_e4);
    volumes("volume_bought", &Column::bought);
    volumes("volume_sold", &Column::sold);
    volumes("volume_other", &Column::other);
    append_cells(json, "bids", map.bids, grid.column_ns);
    append_cells(json, "asks", map.asks, grid.column_ns);
    append_list(json, "damage", map.damage, [](std::string& text, const std::string& one) {
        archive::append_string(text, one);
    });
    return json + "}\n";
}

/// From the columns beside the day where they serve; otherwise from the messages.
archive::Heatmap heatmap_of(const Days& days, const OpenDay& open, std::uint16_t locate,
                            const archive::HeatmapView& view) {
    const archive::Day& day = open.day;
    const auto grid = archive::heatmap_columns(view, day.first_time_ns(), day.last_time_ns());
    if (!open.is_present && day.is_complete()) {
        const auto file = archive::HeatmapFile::open(
            archive::HeatmapFile::path_of(days.folder() / (open.name + ".dar")), day);
        if (file && file->has(locate, grid))
            if (auto drawn = file->draw(locate, grid, view)) return *std::move(drawn);
    }
    return archive::heatmap(day, locate, view);
}

}  // namespace

Result<http::Answer> answer_heatmap(const Call& call) {
    const auto day = call.days.find(call.query.text("day").value_or(""));
    if (!day) return std::unexpected{day.error()};
    const std::string symbol = call.query.text("symbol").value_or("");
    const auto locate = (*day)->locate(symbol);
    if (!locate) return std::unexpected{locate.error()};
    auto view = view_of(call.query);
    if (!view) return std::unexpected{view.error()};
    const archive::DayDepth& depth = (*day)->day.depth();
    if (const std::string why = archive::why_not_known(depth, view->from_ns.value_or(0));
        !why.empty())
        return std::unexpected{book_not_known(why)};
    view->until_ns = std::min(view->until_ns, depth.book_until_ns);
    http::Answer answer{.content_type = "application/json",
                        .body = {},
                        .etag = (*day)->etag(),
                        .cache_control = "no-cache"};
    if (!http::has_tag(call.request.if_none_match, answer.etag))
        answer.body = json_of(**day, symbol, heatmap_of(call.days, **day, *locate, *view));
    return answer;
}

}  // namespace damrak::market_data_api
