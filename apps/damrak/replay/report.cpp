// The tables of `damrak replay`, at most 100 columns wide.
#include "replay/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include <damrak/wire/itch/view_mark.hpp>

#include "cli.hpp"

namespace damrak::app {

namespace {

using replay::InstrumentStatistics;

// Colours only where somebody looks.
struct Ink {
    bool on = isatty(STDOUT_FILENO) == 1;
    [[nodiscard]] std::string operator()(const char* code, std::string_view text) const {
        return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string{text};
    }
};
constexpr const char* k_bold = "1";
constexpr const char* k_dim = "2";
constexpr const char* k_green = "32";
constexpr const char* k_red = "31";

std::string grouped_count(std::uint64_t value) { return grouped(static_cast<std::int64_t>(value)); }

std::string units_text(double units) { return fmt::format("{:.4f}", units / 10'000.0); }

std::string percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    // Rounded down: 100% means all.
    const double share = static_cast<double>(part) / static_cast<double>(whole);
    return fmt::format("{:.2f}%", std::floor(share * 10'000.0) / 100.0);
}

std::string rate_text(const Reading& reading) {
    if (reading.seconds <= 0) return "";
    const double rate = static_cast<double>(reading.messages) / reading.seconds;
    return fmt::format("{:.2f} s, {:.1f} M messages/s", reading.seconds, rate / 1e6);
}

std::string shown_name(const ReplayOptions& options) {
    return options.file == "-" ? "standard input" : options.file.filename().string();
}

void print_headline(const ReplayResult& result, const Ink& ink) {
    const replay::MarketStatistics& statistics = result.books.observer();
    fmt::print("{}\n", ink(k_bold, shown_name(result.options)));
    const std::string span = statistics.first_ns()
                                 ? fmt::format(", {} to {}", time_text(*statistics.first_ns(), 3),
                                               time_text(statistics.last_ns(), 3))
                                 : "";
    fmt::print("{} {}: {} of {}{}\n", names_of(result.format).noun,
               result.rematch == nullptr ? "build" : "rematch",
               counted(static_cast<std::int64_t>(result.reading.messages), "message"),
               counted(static_cast<std::int64_t>(statistics.instruments().size()), "instrument"),
               span);
    fmt::print("{}\n", ink(k_dim, fmt::format("{}, at most {} resting", rate_text(result.reading),
                                              counted(statistics.most_orders(), "order"))));
}

std::string best_text(const ReplayResult& result, InstrumentId id, Side side) {
    const order_flow::BuiltBook& built = result.books.book(id);
    const DepthLevel best = built.book.best(result.books.store(), side);
    return best.quantity.value == 0 || !has_last_book(result)
               ? "-"
               : price_text(built.scale.price_of(best.tick));
}

void print_instruments(const ReplayResult& result, const std::vector<std::size_t>& order,
                       const Ink& ink) {
    fmt::print("\n{}\n",
               ink(k_dim, fmt::format("{:<8} {:>11} {:>11} {:>9} {:>12} {:>9} {:>9} {:>11} {:>11}",
                                      "symbol", "messages", "orders", "trades", "volume", "spread",
                                      "median", "bid", "ask")));
    const auto& all = result.books.observer().instruments();
    const std::size_t shown = std::min(order.size(), static_cast<std::size_t>(result.options.top));
    for (std::size_t i = 0; i < shown; ++i) {
        const InstrumentStatistics& s = all[order[i]];
        const InstrumentId id{static_cast<std::uint32_t>(order[i] + 1)};
        const auto spread = known_spread(result.reading, s);
        fmt::print("{:<8} {:>11} {:>11} {:>9} {:>12} {:>9} {:>9} {} {}\n", s.symbol,
                   grouped_count(s.messages()), grouped_count(s.orders()),
                   grouped_count(s.traded.trades()), grouped_count(s.traded.volume()),
                   spread ? units_text(spread->mean) : "-",
                   spread ? units_text(spread->median) : "-",
                   ink(k_green, fmt::format("{:>11}", best_text(result, id, Side::buy))),
                   ink(k_red, fmt::format("{:>11}", best_text(result, id, Side::sell))));
    }
    if (shown < order.size())
        fmt::print("{}\n", ink(k_dim, fmt::format("and {} more: --top N, --json",
                                                  grouped_count(order.size() - shown))));
}

// Told where the recording does not show the market for all of the time that it speaks of.
void print_coverage(const InstrumentStatistics& s) {
    const auto coverage = s.coverage();
    if (!coverage || coverage->two_sided >= 0.9995) return;
    const auto share = [](double part) { return fmt::format("{:.1f}%", part * 100); };
    fmt::print("covered  {} of the time had a bid and an ask; crossed {} of the time\n",
               share(coverage->two_sided), share(coverage->crossed));
}

void print_detail(const ReplayResult& result, std::size_t index, const Ink& ink) {
    const InstrumentStatistics& s = result.books.observer().instruments()[index];
    fmt::print("\n{}\n", ink(k_bold, s.symbol));
    if (s.first_trade)
        fmt::print("trades   first {}, high {}, low {}, last {}\n", price_text(*s.first_trade),
                   price_text(s.high_trade), price_text(s.low_trade), price_text(s.last_trade));
    if (result.reading.depth.has(archive::DayDepth::k_no_book))
        fmt::print("         against which orders is not known\n");
    else if (s.traded.hidden.trades + s.traded.crosses.trades > 0)
        fmt::print("         of these {} with hidden orders; {} in crosses\n",
                   grouped_count(s.traded.hidden.trades), grouped_count(s.traded.crosses.volume));
    if (const auto spread = known_spread(result.reading, s))
        fmt::print("spread   mean {}, median {}, min {}, max {} (weighted by time)\n",
                   units_text(spread->mean), units_text(spread->median),
                   units_text(static_cast<double>(spread->least)),
                   units_text(static_cast<double>(spread->most)));
    print_coverage(s);
    if (s.depth.count > 0) {
        const auto mean = [&](std::int64_t sum) {
            return grouped(sum / static_cast<std::int64_t>(s.depth.count));
        };
        fmt::print("depth    {} bid, {} ask: mean of the best {}\n", mean(s.depth.bid_sum),
                   mean(s.depth.ask_sum),
                   counted(levels_known(result.reading.depth, result.options.depth), "level"));
    }
}

struct LadderLevel {
    std::string price;
    std::string quantity;
    std::string orders;
};

std::vector<LadderLevel> ladder(const ReplayResult& result, InstrumentId id, Side side) {
    std::vector<LadderLevel> levels;
    const order_flow::BuiltBook& built = result.books.book(id);
    const std::size_t most = last_levels(result);
    const auto anonymous = anonymous_levels(result.books, id, side, most);
    built.book.for_each_level(result.books.store(), side, [&](const DepthLevel& level) {
        if (levels.size() >= most) return false;
        levels.push_back({price_text(built.scale.price_of(level.tick)),
                          grouped(level.quantity.value),
                          anonymous[levels.size()] ? "?" : grouped_count(level.orders)});
        return true;
    });
    return levels;
}

void print_ladder(const ReplayResult& result, std::size_t index, const Ink& ink) {
    const InstrumentId id{static_cast<std::uint32_t>(index + 1)};
    auto bids = ladder(result, id, Side::buy);
    auto asks = ladder(result, id, Side::sell);
    if (bids.empty() && asks.empty()) return;
    fmt::print("\n{}\n",
               ink(k_dim, fmt::format("{:>9} {:>11} {:>11}   {:<11} {:<11} {:<9}", "orders",
                                      "quantity", "bid", "ask", "quantity", "orders")));
    const std::size_t rows = std::max(bids.size(), asks.size());
    bids.resize(rows);
    asks.resize(rows);
    for (std::size_t i = 0; i < rows; ++i)
        fmt::print("{:>9} {:>11} {}   {} {:<11} {:<9}\n", bids[i].orders, bids[i].quantity,
                   ink(k_green, fmt::format("{:>11}", bids[i].price)),
                   ink(k_red, fmt::format("{:<11}", asks[i].price)), asks[i].quantity,
                   asks[i].orders);
}

std::string fill_text(const std::optional<replay::Fill>& fill) {
    if (!fill) return "nothing";
    return fmt::format("{} at {} of order {}", fill->quantity.value, price_text(fill->price),
                       fill->order.value);
}

void print_disagreement(const char* what, const std::optional<replay::Disagreement>& first) {
    if (!first) return;
    fmt::print("first other {} at {} in {}:\n    recorded {}\n    engine   {}\n", what,
               time_text(first->time_ns, 9), first->symbol, fill_text(first->recorded),
               fill_text(first->engine));
}

void print_rematch(const replay::RematchReport& r, const Ink& ink) {
    fmt::print("\n{}\n", ink(k_bold, "engine against recording"));
    const auto line = [](const char* what, std::uint64_t part, std::uint64_t whole) {
        fmt::print("{:<42} {:>13} of {:>13} {:>9}\n", what, grouped_count(part),
                   grouped_count(whole), percent(part, whole));
    };
    line("executions with the same price and size", r.equal_price_and_size, r.recorded);
    line("executions of the same resting order", r.equal_order, r.recorded - r.order_not_known);
    if (r.order_not_known > 0)
        fmt::print("    not known for {} at levels with anonymous quantity\n",
                   counted(static_cast<std::int64_t>(r.order_not_known), "execution"));
    line("incoming orders with the recorded executions", r.aggressors_equal, r.aggressors);
    line("volume", r.matched_volume, r.recorded_volume);
    fmt::print("{}\n",
               ink(k_dim, fmt::format("left out: {} at another price, {} hidden, {} crosses",
                                      grouped_count(r.left_out_at_other_price),
                                      grouped_count(r.left_out_hidden),
                                      grouped_count(r.left_out_crosses))));
    if (r.unrecorded + r.diverged + r.repaired + r.all_rejected() > 0)
        fmt::print(
            "{} executions not in the recording, {} diverging messages, {} reduced orders, {} "
            "commands "
            "rejected\n",
            grouped_count(r.unrecorded), grouped_count(r.diverged), grouped_count(r.repaired),
            grouped_count(r.all_rejected()));
    print_disagreement("price or size", r.first_price_or_size);
    print_disagreement("resting order", r.first_order);
}

void print_anomalies(const order_flow::Anomalies& anomalies, const char* place) {
    if (anomalies.total() == 0) return;
    fmt::print("\n{} in the recording:\n", anomalies.total() == 1
                                               ? "1 anomaly"
                                               : grouped_count(anomalies.total()) + " anomalies");
    for (std::size_t i = 0; i < order_flow::k_anomaly_kinds; ++i) {
        const auto kind = static_cast<order_flow::Anomaly>(i);
        const auto& entry = anomalies.of(kind);
        if (entry.count > 0)
            fmt::print("    {:<20} {:>12}, the first at {} {}\n", name(kind),
                       grouped_count(entry.count), place, entry.first_place);
    }
}

}  // namespace

std::vector<bool> anonymous_levels(const order_flow::BookBuilder<replay::MarketStatistics>& books,
                                   InstrumentId id, Side side, std::size_t most) {
    std::vector<bool> levels;
    LevelIndex last = 0;
    books.book(id).book.for_each_order(books.store(), side, [&](OrderIndex index) {
        const Order& order = books.store().order(index);
        if (order.level != last) {
            if (levels.size() == most) return false;
            levels.push_back(false);
            last = order.level;
        }
        if (wire::itch::is_anonymous(order.id.value)) levels.back() = true;
        return true;
    });
    return levels;
}

std::vector<std::size_t> busiest_first(const replay::MarketStatistics& statistics) {
    const auto& all = statistics.instruments();
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const std::uint64_t messages_a = all[a].messages();
        const std::uint64_t messages_b = all[b].messages();
        return messages_a != messages_b ? messages_a > messages_b : a < b;
    });
    return order;
}

std::string price_text(Price price) {
    const std::string text =
        fmt::format("{}.{:04}", grouped(price.value / 10'000), price.value % 10'000);
    return text.ends_with("00") ? text.substr(0, text.size() - 2) : text;
}

std::string time_text(std::int64_t time_ns, int decimals) {
    constexpr std::int64_t k_second_ns = 1'000'000'000;
    const std::int64_t s = time_ns / k_second_ns;
    const std::string text = fmt::format("{:02}:{:02}:{:02}.{:09}", s / 3600, s / 60 % 60, s % 60,
                                         time_ns % k_second_ns);
    return text.substr(0,
                       std::string_view{"hh:mm:ss."}.size() + static_cast<std::size_t>(decimals));
}

void print_tables(const ReplayResult& result) {
    const Ink ink;
    const std::vector<std::size_t> order = busiest_first(result.books.observer());
    print_headline(result, ink);
    for (const std::string& note : result.reading.notes) fmt::print("note: {}\n", note);
    if (!order.empty()) {
        print_instruments(result, order, ink);
        print_detail(result, order.front(), ink);
        print_ladder(result, order.front(), ink);
    }
    if (result.rematch != nullptr) print_rematch(*result.rematch, ink);
    print_anomalies(result.books.anomalies(), names_of(result.format).place);
}

void print_tables(const VerificationResult& result) {
    const Ink ink;
    const convert::RowsReport& rows = result.day.report();
    const lobster::PairReader& files = result.day.files();
    fmt::print("{}\n", ink(k_bold, shown_name(result.options)));
    fmt::print("against {}\n", std::filesystem::path{files.book_name()}.filename().string());
    fmt::print("each row must follow from the row before and {}\n",
               files.is_wide() ? fmt::format("the messages; the first stands after message {}",
                                             grouped_count(rows.seed_message))
                               : "its message");
    for (const std::string& note : result.reading.notes) fmt::print("note: {}\n", note);
    const bool good = rows.equal == rows.checked;
    fmt::print("{} of {} rows equal ({}), {} levels a side, {} levels revealed\n",
               ink(good ? k_green : k_red, grouped_count(rows.equal)), grouped_count(rows.checked),
               percent(rows.equal, rows.checked), result.day.depth(), grouped_count(rows.revealed));
    for (const auto& failure : rows.failures)
        fmt::print("    row {} (message {}): {}\n", failure.book_row, failure.message_row,
                   failure.text);
}

}  // namespace damrak::app
