#include <damrak/replay/book_picture.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/day_json.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/into_flow.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::replay {

namespace {

constexpr double k_price_scale = 10'000;
constexpr std::size_t k_columns = 320;
constexpr double k_most_rows = 120;

/// The books of the window's instrument, after each message.
class WindowBooks {
  public:
    /// Only this many levels of a side; zero: all.
    WindowBooks(const BookWindow& window, std::size_t levels) : window_(&window), levels_(levels) {}

    /// Calls `before(time)` and `after(time)` around each message of the window.
    template <class F, class G>
    archive::Completeness read(const archive::Day& day, const F& before, const G& after) {
        archive::DayCursor cursor = archive::DayCursor::with_books(
            day,
            {.locate = window_->locate, .from_ns = window_->from_ns, .until_ns = window_->until_ns},
            [&](std::span<const std::byte> frames) {
                archive::IntoFlow visitor{flow_};
                return wire::itch::walk(frames, visitor).end != wire::itch::WalkEnd::fault;
            });
        return archive::read_messages(cursor, [&](std::uint64_t, const auto& message) {
            if (message.timestamp_ns > window_->until_ns) return false;
            if (message.stock_locate != window_->locate) return true;
            if (message.timestamp_ns >= window_->from_ns) before(message.timestamp_ns);
            if constexpr (requires { flow_.on(message); }) static_cast<void>(flow_.on(message));
            if (message.timestamp_ns >= window_->from_ns) after(message.timestamp_ns);
            return true;
        });
    }
    /// Null before the first order.
    [[nodiscard]] const order_flow::BuiltBook* book() const {
        const InstrumentId id = flow_.instrument(window_->locate);
        return id && id.value <= builder_.instruments() ? &builder_.book(id) : nullptr;
    }
    template <class F>
    void each_level(Side side, const F& f) const {
        const order_flow::BuiltBook* const built = book();
        if (built == nullptr) return;
        std::size_t count = 0;
        built->book.for_each_level(builder_.store(), side, [&](const DepthLevel& level) {
            if (levels_ > 0 && ++count > levels_) return false;
            return f(static_cast<double>(built->scale.price_of(level.tick).value) / k_price_scale,
                     static_cast<double>(level.quantity.value));
        });
    }
    [[nodiscard]] double best(Side side) const {
        double price = std::numeric_limits<double>::quiet_NaN();
        each_level(side, [&](double at, double) {
            price = at;
            return false;
        });
        return price;
    }

  private:
    const BookWindow* window_;
    std::size_t levels_;
    order_flow::BookBuilder<> builder_;
    order_flow::ItchFlow<order_flow::BookBuilder<>> flow_{builder_, order_flow::Selection{}};
};

/// The prices to show: those of the best quotes and some room around them, in whole ticks per row.
struct PriceRows {
    plot::Range range;
    std::size_t rows = 0;
};

std::optional<PriceRows> price_rows(const std::vector<plot::Point>& bids,
                                    const std::vector<plot::Point>& asks) {
    std::vector<double> quotes;
    for (const auto* const side : {&bids, &asks})
        for (const plot::Point& point : *side)
            if (!std::isnan(point.value)) quotes.push_back(point.value);
    if (quotes.empty()) return std::nullopt;
    std::ranges::sort(quotes);
    // Percentiles, because some quotes are far from all others for a moment.
    const auto at = [&](double share) {
        return quotes[static_cast<std::size_t>(share * static_cast<double>(quotes.size() - 1))];
    };
    const double low = at(0.002);
    const double high = at(0.998);
    constexpr double k_room = 0.35;
    constexpr double k_tick = 0.01;
    const double more = std::max((high - low) * k_room, 10 * k_tick);
    const double bottom = std::max(std::floor((low - more) / k_tick) * k_tick, 0.0);
    const double ticks = std::ceil((high + more - bottom) / k_tick);
    const double step = std::ceil(ticks / k_most_rows) * k_tick;
    const double rows = std::ceil(ticks * k_tick / step - 1e-9);
    // A row is centred on its price.
    const double begin = bottom - step / 2;
    return PriceRows{.range = {.low = begin, .high = begin + step * rows},
                     .rows = static_cast<std::size_t>(rows)};
}

/// Whether a buyer took; nothing if the resting order was hidden.
std::optional<bool> side_of(const archive::DayTrade& trade) {
    if (!trade.resting) return std::nullopt;
    return *trade.resting == Side::sell;
}

/// The largest trades, in order. Where only some of equal size have room, they are spread evenly:
/// often most trades of a day have the same size.
std::vector<archive::DayTrade> largest(std::span<const archive::DayTrade> trades,
                                       std::size_t most) {
    if (trades.size() <= most) return {trades.begin(), trades.end()};
    std::vector<std::uint64_t> sizes;
    for (const archive::DayTrade& trade : trades) sizes.push_back(trade.shares);
    std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(most) - 1,
                             std::ranges::greater{});
    const std::uint64_t least = sizes[most - 1];
    const auto larger =
        static_cast<std::size_t>(std::ranges::count_if(sizes, [&](auto n) { return n > least; }));
    const auto equal = static_cast<std::size_t>(std::ranges::count(sizes, least));
    const std::size_t room = most - larger;
    std::vector<archive::DayTrade> kept;
    std::size_t seen = 0;
    for (const archive::DayTrade& trade : trades) {
        if (trade.shares < least) continue;
        if (trade.shares == least) {
            const std::size_t before = seen * room / equal;
            if (++seen * room / equal == before) continue;
        }
        kept.push_back(trade);
    }
    return kept;
}

std::vector<plot::TradeDot> trades_of(const archive::Day& day, const BookWindow& window) {
    auto trades =
        archive::trades(day, window.locate, {.from_ns = window.from_ns, .to_ns = window.until_ns});
    std::erase_if(trades.value, [](const archive::DayTrade& trade) { return !trade.counts(); });
    // The largest trades are enough for a picture.
    constexpr std::size_t k_most_dots = 3'000;
    std::vector<plot::TradeDot> dots;
    for (const archive::DayTrade& trade : largest(trades.value, k_most_dots))
        dots.push_back({.time_ns = trade.time_ns,
                        .price = trade.price_e4 / k_price_scale,
                        .quantity = static_cast<double>(trade.shares),
                        .is_buy = side_of(trade)});
    return dots;
}

std::string date_of(const archive::Day& day) {
    if (day.date() == 0) return {};
    return fmt::format(", {:04}-{:02}-{:02}", day.date() / 10'000, day.date() / 100 % 100,
                       day.date() % 100);
}

std::string not_known(const archive::Day& day) {
    std::string text;
    for (const std::string& sentence : archive::sentences(day.depth())) text += "; " + sentence;
    return text;
}

/// The best prices are not known from this time on.
void end_lines(plot::DepthMap& map, std::int64_t time_ns) {
    map.subtitle += fmt::format("; known until {}", archive::time_text(time_ns));
    for (auto* const line : {&map.best_bid, &map.best_ask})
        line->push_back({.time_ns = time_ns, .value = std::numeric_limits<double>::quiet_NaN()});
}

std::vector<plot::LadderRow> rows_of(std::span<const archive::BookOrder> orders,
                                     std::size_t depth) {
    std::vector<plot::LadderRow> rows;
    for (const archive::BookLevel& level :
         archive::Book::levels(archive::best_levels(orders, depth)))
        rows.push_back({.price = level.price_e4 / k_price_scale,
                        .quantity = static_cast<double>(level.shares),
                        .orders = level.orders});
    return rows;
}

}  // namespace

std::expected<archive::Answer<plot::LadderChart>, std::string> ladder_of(const archive::Day& day,
                                                                         const BookWindow& at,
                                                                         std::size_t depth) {
    const auto [book, completeness] = day.book_known_at(at.locate, at.from_ns);
    if (!book.why_not_known.empty()) return std::unexpected{book.why_not_known};
    archive::Answer<plot::LadderChart> answer{.completeness = completeness};
    plot::LadderChart& chart = answer.value;
    chart.title =
        fmt::format("{} at {}{}", at.symbol, archive::time_text(book.time_ns), date_of(day));
    chart.subtitle = fmt::format("quantity, and orders in which, by price; after message {}{}",
                                 book.sequence, not_known(day));
    chart.bids = rows_of(book.bids, depth);
    chart.asks = rows_of(book.asks, depth);
    return answer;
}

std::expected<archive::Answer<plot::DepthMap>, std::string> depth_map_of(const archive::Day& day,
                                                                         const BookWindow& asked) {
    BookWindow window = asked;
    window.from_ns = std::max(window.from_ns, day.depth().book_from_ns);
    window.until_ns = std::min(window.until_ns, day.depth().book_until_ns);
    archive::Answer<plot::DepthMap> answer;
    plot::DepthMap& map = answer.value;
    map.title = fmt::format("{}{}", window.symbol, date_of(day));
    map.subtitle = fmt::format("resting quantity by price, best bid and ask, trades, {} to {}{}",
                               archive::time_text(window.from_ns).substr(0, 12),
                               archive::time_text(window.until_ns).substr(0, 12), not_known(day));
    map.time_ns = {static_cast<double>(window.from_ns), static_cast<double>(window.until_ns)};
    map.columns = k_columns;
    const auto note_best = [&](const WindowBooks& books, std::int64_t time_ns) {
        for (const Side side : {Side::buy, Side::sell}) {
            auto& line = side == Side::buy ? map.best_bid : map.best_ask;
            const double price = books.best(side);
            const bool same =
                !line.empty() && (line.back().value == price ||
                                  (std::isnan(line.back().value) && std::isnan(price)));
            if (!same) line.push_back({.time_ns = time_ns, .value = price});
        }
    };
    {
        WindowBooks books{window, day.depth().depth};
        answer.completeness = books.read(
            day,
            [&](std::int64_t) {
                if (map.best_bid.empty()) note_best(books, window.from_ns);
            },
            [&](std::int64_t time_ns) { note_best(books, time_ns); });
        if (answer.completeness.is_complete())
            note_best(books, window.until_ns);
        else
            end_lines(map, answer.completeness.known_until_ns);
    }
    const auto range = price_rows(map.best_bid, map.best_ask);
    if (!range && !answer.completeness.is_complete())
        return std::unexpected{answer.completeness.missing.front()};
    if (!range)
        return std::unexpected{fmt::format("{} has no quotes in this window", window.symbol)};
    map.price = range->range;
    map.rows = range->rows;
    map.bids.assign(k_columns * map.rows, 0);
    map.asks.assign(k_columns * map.rows, 0);
    const double column_ns = map.time_ns.width() / static_cast<double>(k_columns);
    const double row_height = map.price.width() / static_cast<double>(map.rows);
    WindowBooks books{window, day.depth().depth};
    std::size_t column = 0;
    // Each column shows the book at its middle.
    const auto fill = [&](std::int64_t until_ns) {
        for (; column < k_columns; ++column) {
            const double middle = map.time_ns.low + (static_cast<double>(column) + 0.5) * column_ns;
            if (middle >= static_cast<double>(until_ns)) return;
            for (const Side side : {Side::buy, Side::sell})
                books.each_level(side, [&](double price, double quantity) {
                    const double row = (price - map.price.low) / row_height + 1e-6;
                    if (row < 0 || row >= static_cast<double>(map.rows))
                        return side == Side::buy ? row >= 0 : row < 0;
                    (side == Side::buy
                         ? map.bids
                         : map.asks)[column * map.rows + static_cast<std::size_t>(row)] += quantity;
                    return true;
                });
        }
    };
    const auto read = books.read(day, fill, [](std::int64_t) {});
    fill(read.is_complete() ? std::numeric_limits<std::int64_t>::max() : read.known_until_ns);
    map.trades = trades_of(day, window);
    return answer;
}

}  // namespace damrak::replay
