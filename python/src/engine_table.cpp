#include "engine_table.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include <sys/mman.h>

#include <damrak/base/enum_names.hpp>
#include <damrak/domain/kind_names.hpp>

namespace damrak::python {

namespace {

constexpr std::size_t k_block = 256;  ///< events that stay in the first-level cache
constexpr std::size_t k_page = std::size_t{2} << 20U;
constexpr std::size_t k_event = sizeof(Event) + sizeof(std::int64_t) + sizeof(std::uint32_t);

/// Large pages for what is about to be written: zeroing small ones takes longer than the engine.
void want_large_pages(const void* memory, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t end = (begin + bytes) / k_page * k_page;
    const std::uintptr_t first = (begin + k_page - 1) / k_page * k_page;
    if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

template <class T>
void make_room(std::vector<T>& column, std::size_t rows) {
    column.reserve(rows);
    want_large_pages(column.data(), rows * sizeof(T));
}

/// Some large pages that tables gave back: to have the system clear new ones can take half as long as
/// the engine. Any thread.
class Pages {
  public:
    Pages() { free_.reserve(k_most); }
    ~Pages() = delete;
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    [[nodiscard]] std::byte* take() {
        {
            const std::lock_guard lock{mutex_};
            if (!free_.empty()) {
                std::byte* const page = free_.back();
                free_.pop_back();
                return page;
            }
        }
        auto* const page = static_cast<std::byte*>(std::aligned_alloc(k_page, k_page));
        if (page != nullptr) want_large_pages(page, k_page);
        return page;
    }
    void give(std::byte* page) {
        {
            const std::lock_guard lock{mutex_};
            if (free_.size() < k_most) return free_.push_back(page);
        }
        std::free(page);
    }

  private:
    static constexpr std::size_t k_most = 32;
    std::mutex mutex_;
    std::vector<std::byte*> free_;
};

/// Lives until the last table is gone, which may be after static objects.
Pages& pages() {
    static Pages& all = *new Pages;
    return all;
}

}  // namespace

void EventTable::Freed::operator()(std::byte* memory) const {
    if (bytes == k_page)
        pages().give(memory);
    else
        std::free(memory);
}

EventTable::Chunk::Chunk(std::size_t events_at_most) : capacity(events_at_most) {
    constexpr std::size_t k_align = alignof(Event);
    std::size_t bytes = (capacity * k_event + k_align - 1) / k_align * k_align;
    if (bytes > k_page / 2) bytes = k_page;
    auto* const room = bytes == k_page
                           ? pages().take()
                           : static_cast<std::byte*>(std::aligned_alloc(k_align, bytes));
    if (room == nullptr) throw std::bad_alloc{};
    memory = {room, Freed{bytes}};
    events = reinterpret_cast<Event*>(room);
    times = reinterpret_cast<std::int64_t*>(events + capacity);
    lines = reinterpret_cast<std::uint32_t*>(times + capacity);
}

void EventTable::take_more() {
    constexpr std::size_t k_most = k_page / k_event;
    const std::size_t capacity = std::clamp<std::size_t>(next_size_, 16, k_most);
    const Chunk& chunk = chunks_.emplace_back(capacity);
    event_at_ = chunk.events;
    time_at_ = chunk.times;
    line_at_ = chunk.lines;
    free_ = capacity;
    next_size_ = capacity * 2;
}

std::size_t EventTable::size() const {
    std::size_t size = 0;
    for (const Chunk& chunk : chunks_) size += chunk.capacity;
    return size - free_;
}

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

EventTable::EventTable(const Market& market, std::string zone, bool has_exact_prices,
                       std::size_t events)
    : zone_(std::move(zone)),
      symbols_(market.size() + 1),
      scales_(market.size() + 1),
      has_exact_prices_(has_exact_prices),
      next_size_(events) {
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

void EventTable::append(const Some& some) {
    const auto all = [&](auto& column, const auto& value_of) {
        const std::size_t before = column.size();
        column.resize(before + some.count);
        auto* const out = column.data() + before;
        for (std::size_t i = 0; i < some.count; ++i) out[i] = value_of(i);
    };
    const auto each = [&](auto& column, const auto& value_of) {
        all(column, [&](std::size_t i) { return value_of(some.events[i]); });
    };
    const auto place = [&](const Event& event) {
        return event.instrument.value < symbols_.size() ? event.instrument.value : 0;
    };
    const auto words = [&](auto& column, const Keys& keys, auto Event::* of) {
        each(column, [&](const Event& event) { return keys[std::to_underlying(event.*of)]; });
    };
    all(times_, [&](std::size_t i) { return some.times[i]; });
    all(lines_, [&](std::size_t i) { return some.lines[i] == k_no_line ? 0 : some.lines[i]; });
    all(has_line_, [&](std::size_t i) { return some.lines[i] != k_no_line; });
    words(event_, events_, &Event::kind);
    words(command_, commands_, &Event::command);
    each(symbol_, [&](const Event& event) { return symbols_[place(event)]; });
    each(has_symbol_, [&](const Event& event) { return place(event) != 0; });
    each(order_, [](const Event& event) { return event.order_id.value; });
    each(participant_, [](const Event& event) { return event.participant.value; });
    words(side_, sides_, &Event::side);
    words(type_, types_, &Event::order_type);
    words(tif_, tifs_, &Event::time_in_force);
    words(reason_, reasons_, &Event::reason);
    each(has_reason_, [](const Event& event) { return event.reason != Reason::none; });
    const auto has_price = [&](const Event& event) {
        return event.price != Price{} ||
               (scales_[place(event)].has_zero &&
                (event.kind == EventKind::executed || has_limit(event.order_type)));
    };
    // Null also where a refused price is too large for one.
    const auto exact_price = [&](const Event& event) {
        std::int64_t price = 0;
        const bool is_too_large =
            __builtin_mul_overflow(event.price.value, scales_[place(event)].billionths, &price);
        return has_price(event) && !is_too_large ? price : tables::k_no_exact_price;
    };
    if (has_exact_prices_) {
        each(exact_prices_, exact_price);
        each(has_price_,
             [&](const Event& event) { return exact_price(event) != tables::k_no_exact_price; });
    } else {
        each(has_price_, has_price);
        each(prices_, [&](const Event& event) {
            return has_price(event)
                       ? static_cast<double>(event.price.value) / scales_[place(event)].units
                       : std::numeric_limits<double>::quiet_NaN();
        });
    }
    // What was asked for and refused may be below zero.
    each(quantity_, [](const Event& event) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(0, event.quantity.value));
    });
    each(has_quantity_, [](const Event& event) { return event.quantity.value >= 0; });
    each(remaining_,
         [](const Event& event) { return static_cast<std::uint64_t>(event.remaining.value); });
    // Of a corrected trade it is another price.
    each(displayed_, [](const Event& event) {
        return event.kind == EventKind::trade_corrected
                   ? 0
                   : static_cast<std::uint64_t>(event.displayed.value);
    });
    each(reference_, [](const Event& event) { return event.reference; });
    each(flags_, [](const Event& event) { return std::uint32_t{event.flags}; });
}

std::shared_ptr<tables::MemoryTable> EventTable::head() const {
    using tables::Type;
    auto table = std::make_shared<tables::MemoryTable>();
    const auto add = [&](std::string_view name, Type type, std::string_view unit,
                         std::string_view meaning, bool can_be_null = false) {
        table->columns.push_back({std::string{name}, type, can_be_null, unit, meaning});
    };
    add("ts_event", Type::time, "ns", "The time of the command.");
    add("line", Type::uint32, "",
        "The row of the order that caused it; null: the venue, or time itself.", true);
    add("event", Type::symbol, "", "What happened.");
    add("command", Type::symbol, "", "What was asked.");
    add("symbol", Type::symbol, "", "The instrument.", true);
    add("order", Type::uint64, "", "The order; 0: it is about none.");
    add("participant", Type::uint32, "", "Whose order it is; 0: nobody's.");
    add("side", Type::symbol, "", "The side of the order.");
    add("type", Type::symbol, "", "The type of the order.");
    add("tif", Type::symbol, "", "How long the order lives.");
    add("reason", Type::symbol, "", "Why it was rejected or ended.", true);
    add("price", has_exact_prices_ ? Type::exact_price : Type::price,
        has_exact_prices_ ? "1e-9" : "currency",
        "The limit of the order, or the price of the trade.", true);
    add("quantity", Type::uint64, "shares", "The quantity of the event.", true);
    add("remaining", Type::uint64, "shares", "What is open after it.");
    add("displayed", Type::uint64, "shares", "What of that is displayed.");
    add("reference", Type::uint64, "",
        "By the event: client order id, number of the trade, new order or public id.");
    add("flags", Type::uint32, "",
        "Bits: 1 on the book, 2 aggressor, 4 hidden, 8 repriced, 16 waiting, 32 held, 64 cross, "
        "128 implied.");
    table->symbols = texts_;
    table->zone = zone_;
    table->has_date = true;
    return table;
}

std::shared_ptr<const tables::MemoryTable> EventTable::finish(Watch& watch) {
    if (done_ == 0) reserve(size());
    for (; done_ < chunks_.size(); ++done_) {
        watch.look(times_.size());
        Chunk& chunk = chunks_[done_];
        const std::size_t size = chunk.capacity - (done_ + 1 == chunks_.size() ? free_ : 0);
        for (std::size_t i = 0; i < size; i += k_block)
            append(
                {chunk.events + i, chunk.times + i, chunk.lines + i, std::min(k_block, size - i)});
        chunk.memory.reset();
    }
    const auto table = head();
    const auto add = [&](auto& values, const std::vector<std::uint8_t>* is_there = nullptr) {
        const tables::Type type = table->columns[table->rows.size()].type;
        table->rows.push_back(tables::Column::of(type, std::move(values), is_there));
    };
    add(times_);
    add(lines_, &has_line_);
    add(event_);
    add(command_);
    add(symbol_, &has_symbol_);
    add(order_);
    add(participant_);
    add(side_);
    add(type_);
    add(tif_);
    add(reason_, &has_reason_);
    has_exact_prices_ ? add(exact_prices_, &has_price_) : add(prices_, &has_price_);
    add(quantity_, &has_quantity_);
    add(remaining_);
    add(displayed_);
    add(reference_);
    add(flags_);
    return table;
}

}  // namespace damrak::python
