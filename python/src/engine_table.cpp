#include "engine_table.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <sys/mman.h>

#include <damrak/base/enum_names.hpp>
#include <damrak/domain/kind_names.hpp>

namespace damrak::python {

namespace {

constexpr std::size_t k_block = 1'024;

/// Large pages for what is about to be written: zeroing small ones takes longer than the engine.
template <class T>
void make_room(std::vector<T>& column, std::size_t rows) {
    constexpr std::uintptr_t k_page = std::uintptr_t{2} << 20U;
    column.reserve(rows);
    const auto begin = reinterpret_cast<std::uintptr_t>(column.data());
    const std::uintptr_t end = (begin + rows * sizeof(T)) / k_page * k_page;
    const std::uintptr_t first = (begin + k_page - 1) / k_page * k_page;
    if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

template <class T>
void append(std::vector<T>& to, std::size_t count, const auto& value_of) {
    const std::size_t before = to.size();
    to.resize(before + count);
    T* const out = to.data() + before;
    for (std::size_t i = 0; i < count; ++i) out[i] = value_of(i);
}

}  // namespace

std::uint32_t EventTable::key_of(std::string_view text) {
    const auto found = std::ranges::find(texts_, text);
    if (found == texts_.end()) {
        texts_.emplace_back(text);
        return static_cast<std::uint32_t>(texts_.size() - 1);
    }
    return static_cast<std::uint32_t>(found - texts_.begin());
}

template <class Enum>
EventTable::Keys EventTable::keys_of() {
    Keys keys{};
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (!k_enum_names<Enum>[i].empty()) keys[i] = key_of(k_enum_names<Enum>[i]);
    return keys;
}

EventTable::EventTable(const Market& market, bool has_exact_prices)
    : symbols_(market.size() + 1),
      scales_(market.size() + 1),
      has_exact_prices_(has_exact_prices),
      waiting_(k_block) {
    for (std::size_t i = 0; i < market.size(); ++i) {
        if (!market[i].id) continue;
        symbols_[i + 1] = key_of(market[i].symbol.view());
        Scale& scale = scales_[i + 1];
        scale = {.units = 1, .billionths = 1, .has_zero = market[i].minimum_price() < Price{}};
        for (unsigned d = 0; d < market[i].price_decimals; ++d) scale.units *= 10;
        for (unsigned d = market[i].price_decimals; d < 9; ++d) scale.billionths *= 10;
    }
    events_ = keys_of<EventKind>();
    commands_ = keys_of<CommandKind>();
    sides_ = keys_of<Side>();
    types_ = keys_of<OrderType>();
    tifs_ = keys_of<TimeInForce>();
    reasons_ = keys_of<Reason>();
}

void EventTable::reserve(std::size_t rows) {
    for (auto* column : {&lines_, &event_, &command_, &symbol_, &participant_, &side_, &type_,
                         &tif_, &reason_, &flags_})
        make_room(*column, rows);
    for (auto* column : {&order_, &reference_, &quantity_, &remaining_, &displayed_})
        make_room(*column, rows);
    for (auto* column : {&has_line_, &has_symbol_, &has_reason_, &has_price_, &has_quantity_})
        make_room(*column, rows);
    make_room(times_, rows);
    has_exact_prices_ ? make_room(exact_prices_, rows) : make_room(prices_, rows);
}

void EventTable::flush() {
    const Row* const rows = waiting_.data();
    const auto all = [&](auto& column, const auto& value_of) {
        append(column, count_, [&](std::size_t i) { return value_of(rows[i]); });
    };
    const auto place = [&](const Row& row) {
        return row.event.instrument.value < symbols_.size() ? row.event.instrument.value : 0;
    };
    const auto words = [&](auto& column, const Keys& keys, auto Event::* of) {
        all(column, [&](const Row& row) { return keys[std::to_underlying(row.event.*of)]; });
    };
    all(times_, [](const Row& row) { return row.time; });
    all(lines_, [](const Row& row) { return row.line == k_no_line ? 0 : row.line; });
    all(has_line_, [](const Row& row) { return row.line != k_no_line; });
    words(event_, events_, &Event::kind);
    words(command_, commands_, &Event::command);
    all(symbol_, [&](const Row& row) { return symbols_[place(row)]; });
    all(has_symbol_, [&](const Row& row) { return place(row) != 0; });
    all(order_, [](const Row& row) { return row.event.order_id.value; });
    all(participant_, [](const Row& row) { return row.event.participant.value; });
    words(side_, sides_, &Event::side);
    words(type_, types_, &Event::order_type);
    words(tif_, tifs_, &Event::time_in_force);
    words(reason_, reasons_, &Event::reason);
    all(has_reason_, [](const Row& row) { return row.event.reason != Reason::none; });
    const auto has_price = [&](const Row& row) {
        return row.event.price != Price{} ||
               (scales_[place(row)].has_zero &&
                (row.event.kind == EventKind::executed || has_limit(row.event.order_type)));
    };
    // Null also where a refused price is too large for one.
    const auto exact_price = [&](const Row& row) {
        std::int64_t price = 0;
        const bool is_too_large =
            __builtin_mul_overflow(row.event.price.value, scales_[place(row)].billionths, &price);
        return has_price(row) && !is_too_large ? price : tables::k_no_exact_price;
    };
    if (has_exact_prices_) {
        all(exact_prices_, exact_price);
        all(has_price_,
            [&](const Row& row) { return exact_price(row) != tables::k_no_exact_price; });
    } else {
        all(has_price_, has_price);
        all(prices_, [&](const Row& row) {
            return has_price(row)
                       ? static_cast<double>(row.event.price.value) / scales_[place(row)].units
                       : std::numeric_limits<double>::quiet_NaN();
        });
    }
    // What was asked for and refused may be below zero.
    all(quantity_, [](const Row& row) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.event.quantity.value));
    });
    all(has_quantity_, [](const Row& row) { return row.event.quantity.value >= 0; });
    all(remaining_,
        [](const Row& row) { return static_cast<std::uint64_t>(row.event.remaining.value); });
    // Of a corrected trade it is another price.
    all(displayed_, [](const Row& row) {
        return row.event.kind == EventKind::trade_corrected
                   ? 0
                   : static_cast<std::uint64_t>(row.event.displayed.value);
    });
    all(reference_, [](const Row& row) { return row.event.reference; });
    all(flags_, [](const Row& row) { return std::uint32_t{row.event.flags}; });
    count_ = 0;
}

std::shared_ptr<const tables::MemoryTable> EventTable::finish(const std::string& zone) {
    using tables::Column;
    using tables::Type;
    flush();
    auto table = std::make_shared<tables::MemoryTable>();
    const auto add = [&](std::string_view name, Type type, auto& values, std::string_view unit,
                         std::string_view meaning,
                         const std::vector<std::uint8_t>* is_there = nullptr) {
        table->columns.push_back({.name = std::string{name},
                                  .type = type,
                                  .can_be_null = is_there != nullptr,
                                  .unit = unit,
                                  .meaning = meaning});
        table->rows.push_back(Column::of(type, std::move(values), is_there));
    };
    add("ts_event", Type::time, times_, "ns", "The time of the command.");
    add("line", Type::uint32, lines_, "",
        "The row of the order that caused it; null: the venue, or time itself.", &has_line_);
    add("event", Type::symbol, event_, "", "What happened.");
    add("command", Type::symbol, command_, "", "What was asked.");
    add("symbol", Type::symbol, symbol_, "", "The instrument.", &has_symbol_);
    add("order", Type::uint64, order_, "", "The order; 0: it is about none.");
    add("participant", Type::uint32, participant_, "", "Whose order it is; 0: nobody's.");
    add("side", Type::symbol, side_, "", "The side of the order.");
    add("type", Type::symbol, type_, "", "The type of the order.");
    add("tif", Type::symbol, tif_, "", "How long the order lives.");
    add("reason", Type::symbol, reason_, "", "Why it was rejected or ended.", &has_reason_);
    if (has_exact_prices_)
        add("price", Type::exact_price, exact_prices_, "1e-9",
            "The limit of the order, or the price of the trade.", &has_price_);
    else
        add("price", Type::price, prices_, "currency",
            "The limit of the order, or the price of the trade.", &has_price_);
    add("quantity", Type::uint64, quantity_, "shares", "The quantity of the event.",
        &has_quantity_);
    add("remaining", Type::uint64, remaining_, "shares", "What is open after it.");
    add("displayed", Type::uint64, displayed_, "shares", "What of that is displayed.");
    add("reference", Type::uint64, reference_, "",
        "By the event: client order id, number of the trade, new order or public id.");
    add("flags", Type::uint32, flags_, "",
        "Bits: 1 on the book, 2 aggressor, 4 hidden, 8 repriced, 16 waiting, 32 held, 64 cross, "
        "128 implied.");
    table->symbols = std::move(texts_);
    table->zone = zone;
    table->has_date = true;
    return table;
}

}  // namespace damrak::python
