#include "journal/text.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/csv_cell.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/journal/attachment.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::app {

namespace {

using journal::Record;

constexpr std::array k_sides{"buy", "sell"};
constexpr std::array k_types{"limit", "market", "stop", "stop_limit"};
constexpr std::array k_times_in_force{"day", "gtc",     "gtd",      "ioc",
                                      "fok", "at_open", "at_close", "at_auction"};
constexpr std::array k_preventions{"none",        "cancel_newest",        "cancel_oldest",
                                   "cancel_both", "decrement_and_cancel", "skip_own"};

// A journal holds what was requested, even where the engine then refused it.
template <std::size_t n, class Enum>
Cell named(const std::array<const char*, n>& names, Enum value) {
    const auto index = static_cast<std::size_t>(value);
    return index < n ? std::string{names[index]} : std::to_string(index);
}

bool is_kind(const Record& record, CommandKind kind) { return record.command.kind == kind; }
bool is_order(const Record& record) {
    return is_kind(record, CommandKind::new_order) || is_kind(record, CommandKind::replace_order);
}
bool is_engine(const Record& record) { return journal::is_engine_kind(record.head.kind); }

// A number that is left out where it is zero.
template <class T>
Cell number(T value) {
    if (value == T{}) return {};
    if constexpr (std::is_signed_v<T>)
        return std::int64_t{value};
    else
        return std::uint64_t{value};
}
template <class T>
Cell number_if(bool condition, T value) {
    return condition ? number(value) : Cell{};
}
Cell limit(const Record& record, std::int64_t value) {
    const bool limited =
        is_kind(record, CommandKind::set_limits) && value != LimitDetails::k_unlimited;
    return limited ? Cell{value} : Cell{};
}

Cell tag_text(const Record& record) {
    const std::size_t length =
        std::min<std::size_t>(record.head.tag_length, record.head.tag.size());
    if (length == 0) return {};
    const std::string_view text{reinterpret_cast<const char*>(record.head.tag.data()), length};
    if (std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; }))
        return std::string{text};
    std::string hex = "0x";
    for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return hex;
}

// Fields of FIX, as they are usually shown; other bytes by their numbers.
Cell attachment_text(const Record& record) {
    if (record.head.kind != journal::k_attachment_kind) return {};
    const Attachment attachment = journal::attachment_of(record);
    std::string text;
    for (const char c : attachment.view()) {
        if (c == '\x01') {
            text += '|';
        } else if (c >= ' ' && c <= '~') {
            text += c;
        } else {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
    }
    return text;
}

constexpr Column k_columns[] = {
    Column{"sequence", [](const Record& r) -> Cell { return r.head.sequence; }},
    Column{"timestamp_ns", [](const Record& r) -> Cell { return r.command.timestamp.value; }},
    Column{"kind", [](const Record& r) -> Cell { return kind_name(r.head.kind); }},
    Column{"session", [](const Record& r) { return number(r.head.session); }},
    Column{"inbound_sequence", [](const Record& r) { return number(r.head.inbound_sequence); }},
    Column{"tag", tag_text},
    Column{"record_flags", [](const Record& r) { return number(r.head.flags); }},
    Column{"delay_ns", [](const Record& r) { return number(r.head.delay_ns); }},
    Column{"instrument",
           [](const Record& r) { return number_if(is_engine(r), r.command.instrument.value); },
           [](const Event& e, const Event&) { return number(e.instrument.value); }},
    Column{"participant",
           [](const Record& r) { return number_if(is_engine(r), r.command.participant.value); },
           [](const Event& e, const Event&) { return number(e.participant.value); }},
    Column{"side",
           [](const Record& r) {
               const bool given =
                   is_kind(r, CommandKind::new_order) || is_kind(r, CommandKind::mass_cancel);
               return given ? named(k_sides, r.command.side) : Cell{};
           },
           [](const Event& e, const Event&) { return named(k_sides, e.side); }},
    Column{"order_type",
           [](const Record& r) {
               return is_kind(r, CommandKind::new_order) ? named(k_types, r.command.order_type)
                                                         : Cell{};
           }},
    Column{"time_in_force",
           [](const Record& r) {
               return is_kind(r, CommandKind::new_order)
                          ? named(k_times_in_force, r.command.time_in_force)
                          : Cell{};
           }},
    Column{"self_trade_prevention",
           [](const Record& r) {
               return is_kind(r, CommandKind::new_order)
                          ? named(k_preventions, r.command.self_trade_prevention)
                          : Cell{};
           }},
    Column{"flags", [](const Record& r) { return number_if(is_engine(r), r.command.flags); }},
    Column{"order_id",
           [](const Record& r) { return number_if(is_engine(r), r.command.order_id.value); },
           [](const Event& e, const Event&) { return number(e.order_id.value); }},
    Column{
        "client_order_id",
        [](const Record& r) { return number_if(is_engine(r), r.command.client_order_id.value); }},
    Column{"new_order_id",
           [](const Record& r) { return number_if(is_engine(r), r.command.new_order_id.value); }},
    Column{"price", [](const Record& r) { return number_if(is_engine(r), r.command.price.value); },
           [](const Event& e, const Event&) -> Cell { return e.price.value; }},
    Column{"quantity",
           [](const Record& r) { return number_if(is_engine(r), r.command.quantity.value); },
           [](const Event& e, const Event&) { return number(e.quantity.value); }},
    Column{
        "stop_price",
        [](const Record& r) { return number_if(is_order(r), r.command.order.stop_price.value); }},
    Column{"display_quantity",
           [](const Record& r) {
               return number_if(is_order(r), r.command.order.display_quantity.value);
           }},
    Column{"minimum_quantity",
           [](const Record& r) {
               return number_if(is_order(r), r.command.order.minimum_quantity.value);
           }},
    Column{
        "expire_time_ns",
        [](const Record& r) { return number_if(is_order(r), r.command.order.expire_time.value); }},
    Column{"symbol",
           [](const Record& r) {
               return is_kind(r, CommandKind::add_instrument)
                          ? Cell{std::string{r.command.definition.symbol.view()}}
                          : Cell{};
           }},
    Column{"tick_size",
           [](const Record& r) {
               if (is_kind(r, CommandKind::add_tick_band))
                   return number(r.command.tick_band.tick_size.value);
               return number_if(is_kind(r, CommandKind::add_instrument),
                                r.command.definition.tick_size.value);
           }},
    Column{"from_price",
           [](const Record& r) {
               return number_if(is_kind(r, CommandKind::add_tick_band),
                                r.command.tick_band.from_price.value);
           }},
    Column{"lot_size",
           [](const Record& r) {
               return number_if(is_kind(r, CommandKind::add_instrument),
                                r.command.definition.lot_size.value);
           }},
    Column{"maximum_price",
           [](const Record& r) {
               return number_if(is_kind(r, CommandKind::add_instrument),
                                r.command.definition.maximum_price.value);
           }},
    Column{"maximum_quantity",
           [](const Record& r) {
               return number_if(is_kind(r, CommandKind::add_instrument),
                                r.command.definition.maximum_quantity.value);
           }},
    Column{"state",
           [](const Record& r) -> Cell {
               if (is_kind(r, CommandKind::set_trading_state))
                   return named(std::array{"trading", "halted"}, r.command.trading_state);
               if (is_kind(r, CommandKind::set_participant_state))
                   return named(std::array{"active", "blocked"}, r.command.participant_state);
               if (is_kind(r, CommandKind::set_phase) || is_kind(r, CommandKind::uncross))
                   return std::string{name(r.command.phase.phase)};
               return {};
           }},
    Column{"trading_day",
           [](const Record& r) -> Cell {
               if (!is_kind(r, CommandKind::day_opened) && !is_kind(r, CommandKind::day_closed))
                   return {};
               const TradingDay& day = r.command.trading_day;
               return fmt::format("{:08}{:02}", day.date, day.feed_session);
           }},
    Column{"limit_order_quantity",
           [](const Record& r) { return limit(r, r.command.limits.order_quantity.value); }},
    Column{"limit_order_notional",
           [](const Record& r) { return limit(r, r.command.limits.order_notional); }},
    Column{"limit_open_orders",
           [](const Record& r) { return limit(r, r.command.limits.open_orders); }},
    Column{"limit_open_notional",
           [](const Record& r) { return limit(r, r.command.limits.open_notional); }},
    Column{"limit_position",
           [](const Record& r) { return limit(r, r.command.limits.position.value); }},
    Column{"state_hash",
           [](const Record& r) -> Cell {
               return r.head.kind == journal::k_checkpoint_kind
                          ? Cell{hash_text(journal::checkpoint_hash(r))}
                          : Cell{};
           }},
    Column{"attachment", attachment_text},
    Column{"trade_id", [](const Record&) { return Cell{}; },
           [](const Event& e, const Event&) { return number(e.trade_id().value); }},
    Column{"resting_order_id", [](const Record&) { return Cell{}; },
           [](const Event&, const Event& e) { return number(e.order_id.value); }},
    Column{"resting_participant", [](const Record&) { return Cell{}; },
           [](const Event&, const Event& e) { return number(e.participant.value); }},
};

std::string cell_text(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* value = std::get_if<std::int64_t>(&cell)) return std::to_string(*value);
    if (const auto* value = std::get_if<std::uint64_t>(&cell)) return std::to_string(*value);
    return {};
}

// `f(column)` gives the cells.
template <class F>
std::string csv_line_of(F&& f) {
    std::string line;
    bool first = true;
    for (const Column& column : journal_columns()) {
        if (!std::exchange(first, false)) line += ',';
        line += csv_cell(cell_text(f(column)));
    }
    return line + '\n';
}

}  // namespace

std::span<const Column> journal_columns() { return k_columns; }

std::string kind_name(std::uint8_t kind) {
    if (kind == journal::k_checkpoint_kind) return "checkpoint";
    if (kind == journal::k_attachment_kind) return "attachment";
    const std::string_view name = telemetry::k_command_names[CommandKind{kind}].view();
    return name == "unknown" ? fmt::format("kind_{}", kind) : std::string{name};
}

std::string utc_text(Timestamp time) {
    constexpr std::int64_t k_second = 1'000'000'000;
    const std::int64_t fraction = (time.value % k_second + k_second) % k_second;
    const auto seconds = static_cast<std::time_t>((time.value - fraction) / k_second);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:09}Z", fmt::gmtime(seconds), fraction);
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string record_line(const Record& record) {
    std::string line = fmt::format("{} {} {}", record.head.sequence,
                                   utc_text(record.command.timestamp), kind_name(record.head.kind));
    constexpr std::size_t k_said_already = 3;
    for (const Column& column : journal_columns().subspan(k_said_already))
        if (const std::string text = cell_text(column.of(record)); !text.empty())
            line += fmt::format(" {}={}", column.name, text);
    return line;
}

std::string record_json(const Record& record) {
    nlohmann::ordered_json object;
    for (const Column& column : journal_columns())
        std::visit(
            [&]<class T>(const T& value) {
                if constexpr (!std::is_same_v<T, std::monostate>)
                    object[std::string{column.name}] = value;
            },
            column.of(record));
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string csv_header() {
    std::string line;
    for (const Column& column : journal_columns())
        line.append(line.empty() ? "" : ",").append(column.name);
    return line + '\n';
}

std::string csv_line(const Record& record) {
    return csv_line_of([&](const Column& column) { return column.of(record); });
}

std::string csv_trade_line(const Record& record, const Event& incoming, const Event& resting) {
    return csv_line_of([&](const Column& column) -> Cell {
        if (column.name == "kind") return std::string{"trade"};
        if (column.name == "sequence" || column.name == "timestamp_ns") return column.of(record);
        return column.of_trade == nullptr ? Cell{} : column.of_trade(incoming, resting);
    });
}

}  // namespace damrak::app
