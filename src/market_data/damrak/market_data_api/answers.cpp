// The answer of each route.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/archive/candles.hpp>
#include <damrak/archive/day_json.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/market_data_api/detail/parameters.hpp>
#include <damrak/market_data_api/detail/routes.hpp>

namespace damrak::market_data_api {

namespace {

constexpr std::int64_t k_latest = std::numeric_limits<std::int64_t>::max();
using DayPointer = std::shared_ptr<const OpenDay>;

Result<DayPointer> day_of(const Call& call) {
    return call.days.find(call.query.text("day").value_or(""));
}

Problem unreadable(std::string why) {
    return {.status = 500, .code = "unreadable_day", .message = std::move(why)};
}

/// A changing answer must not be cached; an archived day always answers the same.
http::Answer json_answer(const OpenDay& day, std::string body) {
    return {.content_type = "application/json",
            .body = std::move(body) + "\n",
            .etag = day.etag(),
            .cache_control = "no-cache"};
}

/// The client has the current answer already: it is not built again.
bool is_known(const Call& call, const OpenDay& day) {
    return http::has_tag(call.request.if_none_match, day.etag());
}

void append_status(std::string& json, const feed::TradingStatus& status) {
    json += fmt::format(R"(, "phase": "{}", "halted": {})", name(status.phase),
                        status.state == TradingState::halted);
    if (status.phase == Phase::call) json += fmt::format(R"(, "call": "{}")", name(status.call));
    if (status.cause != HaltCause::none)
        json += fmt::format(R"(, "cause": "{}")", name(status.cause));
}

std::uint64_t mixed(std::uint64_t statuses, const feed::TradingStatus& status) {
    const auto bits = static_cast<std::uint64_t>(std::to_underlying(status.phase)) << 24U |
                      static_cast<std::uint64_t>(std::to_underlying(status.call)) << 16U |
                      static_cast<std::uint64_t>(std::to_underlying(status.cause)) << 8U |
                      static_cast<std::uint64_t>(std::to_underlying(status.state));
    return mix(statuses ^ bits, 0x9E3779B97F4A7C15U);
}

std::string object_of(const OpenDay& day) {
    std::string json = R"({"day": )";
    archive::append_string(json, day.name);
    json += fmt::format(R"(, "messages": {}, )", day.day.messages());
    archive::append_not_known(json, day.day.depth());
    return json;
}

std::string object_of(const OpenDay& day, const std::string& symbol) {
    std::string json = object_of(day) + R"(, "symbol": )";
    archive::append_string(json, symbol);
    return json;
}

struct Window {
    std::int64_t from_ns = 0;
    std::int64_t until_ns = k_latest;
    std::uint64_t after = 0;
};

Result<Window> window_of(const Query& query) {
    const auto from = query.time_ns("from", 0);
    if (!from) return std::unexpected{from.error()};
    const auto until = query.time_ns("until", k_latest);
    if (!until) return std::unexpected{until.error()};
    if (*until < *from)
        return std::unexpected{
            Problem{.code = "invalid_parameter",
                    .message = fmt::format("until: {} is before from, {}",
                                           archive::time_text(*until), archive::time_text(*from)),
                    .parameter = "until"}};
    const auto after = query.number(k_after);
    if (!after) return std::unexpected{after.error()};
    return Window{.from_ns = *from, .until_ns = *until, .after = *after};
}

/// The parameters common to most routes.
struct Asked {
    DayPointer day;
    std::string symbol;
    std::uint16_t locate = 0;
};

Result<Asked> asked_of(const Call& call) {
    auto day = day_of(call);
    if (!day) return std::unexpected{day.error()};
    std::string symbol = call.query.text("symbol").value_or("");
    const auto locate = (*day)->locate(symbol);
    if (!locate) return std::unexpected{locate.error()};
    return Asked{.day = *std::move(day), .symbol = std::move(symbol), .locate = *locate};
}

void append_candle(std::string& json, const archive::Candle& candle) {
    json += fmt::format(R"({{"time": "{}", "time_ns": {}, "open": {}, "high": {}, "low": {}, )"
                        R"("close": {}, "volume": {}, "trades": {}, "turnover": {}}})",
                        archive::time_text(candle.begin_ns), candle.begin_ns,
                        archive::price_text(candle.open_e4), archive::price_text(candle.high_e4),
                        archive::price_text(candle.low_e4), archive::price_text(candle.close_e4),
                        candle.quantity, candle.trades, archive::price_text(candle.turnover_e4));
}

/// Why an answer must not be given: messages are lost. /v1/days reports days that were not written
/// to their end.
std::optional<Problem> loss(const archive::Completeness& completeness) {
    if (completeness.is_complete() || completeness.lacks_only_the_end) return std::nullopt;
    return unreadable(completeness.missing.front());
}

/// The same query on the same day, even if another day has begun.
std::string next_page(std::string_view path, const Call& call, const OpenDay& day,
                      const Parameter& from, std::uint64_t value) {
    Query query = call.query;
    query.set(k_day.name, day.name);
    query.set(from.name, fmt::to_string(value));
    return fmt::format("{}?{}", path, query.encoded());
}

/// `next`: path of the next page; empty if there is none.
std::string end_of_page(std::string json, std::string_view next) {
    json += R"(], "next": )";
    if (next.empty()) return json + "null}";
    archive::append_string(json, next);
    return json + "}";
}

/// The messages of a window; each piece is a block of the archive.
class MessageLines {
  public:
    MessageLines(DayPointer day, std::optional<std::uint16_t> locate, const Window& window)
        : day_(std::move(day)),
          locate_(locate),
          window_(window),
          cursor_(day_->day, {.locate = locate,
                              .from_ns = window.from_ns,
                              .until_ns = window.until_ns,
                              .after = window.after}) {}

    bool next(std::string& piece) {
        while (piece.empty()) {
            const auto block = cursor_.next();
            if (!block && !block.error().is_unwritten_end) {
                // The status has been sent already.
                archive::append_string(piece += R"({"error": )", block.error().text);
                piece += "}\n";
                return false;
            }
            if (!block || !*block) return false;
            archive::walk_block(**block, [&](std::uint64_t sequence, const auto& message) {
                add(piece, sequence, message);
                return true;
            });
        }
        return true;
    }

  private:
    void add(std::string& piece, std::uint64_t sequence, const auto& message) const {
        if (message.timestamp_ns < window_.from_ns || message.timestamp_ns > window_.until_ns ||
            sequence <= window_.after || (locate_ && message.stock_locate != *locate_))
            return;
        archive::append_message(piece, sequence, wire::itch::Message{message});
        piece += '\n';
    }

    DayPointer day_;
    std::optional<std::uint16_t> locate_;
    Window window_;
    archive::DayCursor cursor_;
};

}  // namespace

Problem book_not_known(std::string_view why) {
    return {.status = 404, .code = "book_not_known", .message = std::string{why}};
}

Result<http::Answer> answer_instruments(const Call& call) {
    const auto day = day_of(call);
    if (!day) return std::unexpected{day.error()};
    if ((*day)->instruments.empty())
        if (std::string why = (*day)->damage(); !why.empty())
            return std::unexpected{unreadable(std::move(why))};
    const bool has_status = call.status && call.days.is_present((*day)->name);
    std::uint64_t statuses = 1;
    std::string json = object_of(**day) + R"(, "instruments": [)";
    for (const archive::Instrument& one : (*day)->instruments) {
        if (!json.ends_with('[')) json += ", ";
        archive::append_string(json += R"({"symbol": )", one.symbol);
        json += fmt::format(R"(, "locate": {})", one.locate);
        if (has_status)
            if (const auto status = call.status(one.symbol)) {
                append_status(json, *status);
                statuses = mixed(statuses, *status);
            }
        json += '}';
    }
    http::Answer answer = json_answer(**day, json + "]}");
    if (has_status)  // a phase may change without a message of the feed
        answer.etag.insert(answer.etag.size() - 1, fmt::format("-{:x}", statuses));
    return answer;
}

Result<http::Answer> answer_book(const Call& call) {
    const auto asked = asked_of(call);
    if (!asked) return std::unexpected{asked.error()};
    const archive::Day& day = asked->day->day;
    const auto depth = call.query.number(k_depth);
    if (!depth) return std::unexpected{depth.error()};
    const auto orders = call.query.truth("orders");
    if (!orders) return std::unexpected{orders.error()};
    const auto at = call.query.time_ns("at", k_latest);
    if (!at) return std::unexpected{at.error()};
    const auto given = call.query.number(k_sequence);
    if (!given) return std::unexpected{given.error()};
    const std::uint64_t sequence = call.query.text("sequence") ? *given : day.messages();
    if (sequence > day.messages())
        return std::unexpected{
            Problem{.status = 404,
                    .code = "unknown_message",
                    .message = fmt::format("sequence: the day {} has {} messages so far",
                                           asked->day->name, day.messages()),
                    .parameter = "sequence"}};
    if (call.query.text("at") && call.query.text("sequence"))
        return std::unexpected{Problem{.code = "invalid_parameter",
                                       .message = "at: give at or sequence, not both",
                                       .parameter = "at"}};
    if (const std::string why =
            archive::why_not_known(day.depth(), call.query.text("at") ? *at : day.last_time_ns());
        !why.empty())
        return std::unexpected{book_not_known(why)};
    if (is_known(call, *asked->day)) return json_answer(*asked->day, {});
    archive::Book book;
    if (call.query.text("at")) {
        auto known = day.book_known_at(asked->locate, *at);
        if (const auto lost = loss(known.completeness)) return std::unexpected{*lost};
        book = std::move(known.value);
    } else if (sequence > 0) {
        auto after = day.book_after(asked->locate, sequence);
        if (!after) return std::unexpected{unreadable(after.error())};
        book = *std::move(after);
    } else {
        book.why_not_known = archive::why_no_book_yet(day.depth());
    }
    if (!book.why_not_known.empty()) return std::unexpected{book_not_known(book.why_not_known)};
    std::string json = object_of(*asked->day, asked->symbol) + ", ";
    archive::append_book(json, book, *depth, *orders);
    return json_answer(*asked->day, json + "}");
}

Result<http::Answer> answer_trades(const Call& call) {
    const auto asked = asked_of(call);
    if (!asked) return std::unexpected{asked.error()};
    const auto window = window_of(call.query);
    if (!window) return std::unexpected{window.error()};
    const auto limit = call.query.number(k_limit);
    if (!limit) return std::unexpected{limit.error()};
    if (is_known(call, *asked->day)) return json_answer(*asked->day, {});
    // One more trade shows whether a page follows.
    auto [trades, completeness] = archive::trades(asked->day->day, asked->locate,
                                                  {.after = window->after,
                                                   .from_ns = window->from_ns,
                                                   .to_ns = window->until_ns,
                                                   .limit = static_cast<std::size_t>(*limit + 1)});
    if (const auto lost = loss(completeness)) return std::unexpected{*lost};
    std::string next;
    if (trades.size() > *limit) {
        trades.pop_back();
        next = next_page("/v1/trades", call, *asked->day, k_after, trades.back().sequence);
    }
    std::string json = object_of(*asked->day, asked->symbol) + R"(, "trades": [)";
    for (const archive::DayTrade& trade : trades) {
        if (!json.ends_with('[')) json += ", ";
        archive::append_trade(json, trade);
    }
    return json_answer(*asked->day, end_of_page(std::move(json), next));
}

Result<http::Answer> answer_candles(const Call& call) {
    const auto asked = asked_of(call);
    if (!asked) return std::unexpected{asked.error()};
    const auto window = window_of(call.query);
    if (!window) return std::unexpected{window.error()};
    const auto interval = call.query.number(k_interval);
    if (!interval) return std::unexpected{interval.error()};
    const auto limit = call.query.number(k_limit);
    if (!limit) return std::unexpected{limit.error()};
    if (is_known(call, *asked->day)) return json_answer(*asked->day, {});
    constexpr std::int64_t k_second_ns = 1'000'000'000;
    auto [candles, completeness] =
        archive::candles(asked->day->day, asked->locate,
                         {.interval_ns = static_cast<std::int64_t>(*interval) * k_second_ns,
                          .from_ns = window->from_ns,
                          .to_ns = window->until_ns,
                          .limit = static_cast<std::size_t>(*limit + 1)});
    if (const auto lost = loss(completeness)) return std::unexpected{*lost};
    std::string next;
    if (candles.size() > *limit) {
        next = next_page("/v1/candles", call, *asked->day, k_from,
                         static_cast<std::uint64_t>(candles.back().begin_ns));
        candles.pop_back();
    }
    std::string json = object_of(*asked->day, asked->symbol) +
                       fmt::format(R"(, "interval_s": {}, "candles": [)", *interval);
    for (const archive::Candle& candle : candles) {
        if (!json.ends_with('[')) json += ", ";
        append_candle(json, candle);
    }
    return json_answer(*asked->day, end_of_page(std::move(json), next));
}

Result<http::Answer> answer_messages(const Call& call) {
    const auto day = day_of(call);
    if (!day) return std::unexpected{day.error()};
    const auto window = window_of(call.query);
    if (!window) return std::unexpected{window.error()};
    std::optional<std::uint16_t> locate;
    if (const auto symbol = call.query.text("symbol")) {
        const auto found = (*day)->locate(*symbol);
        if (!found) return std::unexpected{found.error()};
        locate = *found;
    }
    auto lines = std::make_shared<MessageLines>(*day, locate, *window);
    http::Answer answer{.content_type = "application/x-ndjson",
                        .etag = (*day)->etag(),
                        .cache_control = "no-cache"};
    answer.next_piece = [lines](std::string& piece) { return lines->next(piece); };
    return answer;
}

Result<http::Answer> answer_order(const Call& call) {
    const auto day = day_of(call);
    if (!day) return std::unexpected{day.error()};
    std::uint64_t reference = 0;
    const char* const last = std::to_address(call.last.end());
    const auto [end, error] = std::from_chars(std::to_address(call.last.begin()), last, reference);
    if (error != std::errc{} || end != last)
        return std::unexpected{
            Problem{.code = "invalid_parameter",
                    .message = fmt::format("reference: '{}' is no order reference: a number as the "
                                           "feed gives it",
                                           call.last),
                    .parameter = "reference"}};
    if (is_known(call, **day)) return json_answer(**day, {});
    const auto [life, completeness] = archive::order_life((*day)->day, reference);
    if (const auto lost = loss(completeness)) return std::unexpected{*lost};
    if (life.steps.empty())
        return std::unexpected{Problem{
            .status = 404,
            .code = "unknown_order",
            .message =
                fmt::format("reference: the day {} has no order {}", (*day)->name, reference),
            .parameter = "reference"}};
    const auto instrument =
        std::ranges::find((*day)->instruments, life.locate, &archive::Instrument::locate);
    std::string json =
        object_of(**day, instrument == (*day)->instruments.end() ? "" : instrument->symbol) +
        fmt::format(R"(, "reference": {}, "side": "{}", "steps": [)", reference,
                    life.side == Side::buy ? "buy" : "sell");
    for (const archive::OrderStep& step : life.steps) {
        if (!json.ends_with('[')) json += ", ";
        archive::append_step(json, step);
    }
    return json_answer(**day, json + "]}");
}

}  // namespace damrak::market_data_api
