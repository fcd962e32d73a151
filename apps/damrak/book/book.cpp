// `damrak book`: the book of an archived day at any nanosecond.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/day_file.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/plot/picture_file.hpp>
#include <damrak/replay/book_picture.hpp>

#include "cli.hpp"
#include "day_text.hpp"
#include "live.hpp"
#include "partial.hpp"
#include "say.hpp"
#include "search.hpp"

namespace damrak::app {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* k_book_command = "book";

struct BookOptions {
    std::filesystem::path file;
    std::string at;
    std::vector<std::string> between;  ///< two times, or nothing
    std::uint64_t order = 0;
    bool trades = false;
    std::string symbol;
    std::size_t depth = 10;
    bool orders = false;
    bool json = false;
    bool csv = false;
    bool partial = false;
    std::optional<std::filesystem::path> plot;
    bool live = false;
    LiveOptions exchange;  ///< where it is
};

/// A row of either side: a level, or an order.
struct BookRow {
    std::uint32_t price_e4 = 0;
    std::optional<std::uint64_t> quantity = 0;  ///< empty: not known, of an order known in part
    /// How many, or the reference of the one; empty: not known, of anonymous quantity.
    std::optional<std::uint64_t> orders{};
};

std::vector<BookRow> rows_of(std::span<const archive::BookOrder> side, const BookOptions& options) {
    const auto best = archive::best_levels(side, options.depth);
    std::vector<BookRow> rows;
    if (options.orders)
        for (const archive::BookOrder& order : best)
            rows.push_back(
                {order.price_e4, archive::known_shares(order), archive::known_reference(order)});
    else
        for (const archive::BookLevel& level : archive::Book::levels(best))
            rows.push_back({level.price_e4, level.shares, level.orders});
    return rows;
}

std::string number_text(std::optional<std::uint64_t> known, const char* unknown = "?") {
    return known ? fmt::to_string(*known) : unknown;
}

Json to_json(std::optional<std::uint64_t> known) { return known ? Json(*known) : Json(nullptr); }

Json to_json(std::span<const BookRow> rows, const BookOptions& options) {
    constexpr double k_scale = 10'000;
    Json list = Json::array();
    for (const BookRow& row : rows)
        list.push_back({{"price", row.price_e4 / k_scale},
                        {"quantity", to_json(row.quantity)},
                        {options.orders ? "reference" : "orders", to_json(row.orders)}});
    return list;
}

void print_csv(std::string_view side, std::span<const BookRow> rows) {
    for (const BookRow& row : rows)
        fmt::print("{},{},{},{}\n", side, price_text(row.price_e4), number_text(row.quantity, ""),
                   number_text(row.orders, ""));
}

void print_table(const archive::Book& book, std::span<const BookRow> bids,
                 std::span<const BookRow> asks, const BookOptions& options) {
    fmt::print("{} at {}, after message {}\n\n", options.symbol, time_text(book.time_ns),
               book.sequence);
    constexpr auto k_half = "{:>20} {:>10} {:>12}";
    const char* const last = options.orders ? "reference" : "orders";
    fmt::print(k_half, last, "quantity", "bid");
    fmt::print("   {:<12} {:<10} {:<20}\n", "ask", "quantity", last);
    for (std::size_t i = 0; i < std::max(bids.size(), asks.size()); ++i) {
        if (i < bids.size())
            fmt::print(k_half, number_text(bids[i].orders), number_text(bids[i].quantity),
                       price_text(bids[i].price_e4));
        else
            fmt::print("{:>44}", "");
        if (i < asks.size())
            fmt::print("   {:<12} {:<10} {:<20}", price_text(asks[i].price_e4),
                       number_text(asks[i].quantity), number_text(asks[i].orders));
        fmt::print("\n");
    }
}

std::string known(std::span<const archive::Instrument> instruments) {
    constexpr std::size_t k_most = 20;
    std::string text;
    for (const archive::Instrument& one : instruments.first(std::min(instruments.size(), k_most)))
        text += (text.empty() ? "" : ", ") + one.symbol;
    return text + (instruments.size() > k_most ? ", ..." : "");
}

Form form_of(const BookOptions& options) {
    if (options.json) return Form::json;
    return options.csv ? Form::csv : Form::text;
}

int show_book(const archive::Day& day, std::uint16_t locate, std::int64_t time_ns,
              const BookOptions& options) {
    const archive::DayDepth& depth = day.depth();
    if (const std::string why = archive::why_not_known(depth, time_ns); !why.empty())
        return fail(fmt::format("{}: {}", options.file.string(), why));
    const auto [book, completeness] = day.book_known_at(locate, time_ns);
    if (!book.why_not_known.empty())
        return fail(fmt::format("{}: {}", options.file.string(), book.why_not_known));
    const auto bids = rows_of(book.bids, options);
    const auto asks = rows_of(book.asks, options);
    if (options.json) {
        Json object{{"symbol", options.symbol},       {"time", time_text(book.time_ns)},
                    {"time_ns", book.time_ns},        {"sequence", book.sequence},
                    {"bids", to_json(bids, options)}, {"asks", to_json(asks, options)}};
        object["not_known"] = archive::sentences(depth);
        add_completeness(object, completeness);
        print_json(object);
    } else if (options.csv) {
        fmt::print("side,price,quantity,{}\n", options.orders ? "reference" : "orders");
        print_csv("bid", bids);
        print_csv("ask", asks);
    } else {
        print_table(book, bids, asks, options);
    }
    for (const std::string& sentence : archive::sentences(depth))
        say("damrak: note: {}\n", sentence);
    return end_answer(completeness, options.partial);
}

/// A time of day, or nothing and a message.
std::optional<std::int64_t> time_of(std::string_view option, const std::string& text) {
    const auto time = parse_time_of_day(text);
    if (!time)
        static_cast<void>(
            fail_usage(fmt::format("{}: '{}' is no time of day: write it like 10:31:05.123456789",
                                   option, text),
                       k_book_command));
    return time;
}

int show_window(const archive::Day& day, std::uint16_t locate, const BookOptions& options) {
    if (options.between.empty())
        return show_changes(day, locate, 0, INT64_MAX, true, form_of(options), options.partial);
    const auto from = time_of("--between", options.between.at(0));
    if (!from) return k_exit_usage;
    const auto to = time_of("--between", options.between.at(1));
    if (!to) return k_exit_usage;
    if (*to < *from)
        return fail_usage("--between: the second time is before the first", k_book_command);
    return show_changes(day, locate, *from, *to, options.trades, form_of(options), options.partial);
}

/// A ladder of the book --at a time, or a map of a window, otherwise of the day.
int plot_book(const archive::Day& day, std::uint16_t locate, std::int64_t at,
              const BookOptions& options) {
    replay::BookWindow window{.locate = locate,
                              .symbol = options.symbol,
                              .from_ns = options.at.empty() ? day.first_time_ns() : at,
                              .until_ns = day.last_time_ns()};
    if (!options.between.empty()) {
        const auto from = time_of("--between", options.between.at(0));
        const auto to = from ? time_of("--between", options.between.at(1)) : from;
        if (!to) return k_exit_usage;
        if (*to <= *from)
            return fail_usage("--between: the second time is not after the first", k_book_command);
        window.from_ns = *from;
        window.until_ns = *to;
    }
    if (const std::string why = archive::why_not_known(day.depth(), window.from_ns); !why.empty())
        return fail(fmt::format("{}: {}", options.file.string(), why));
    std::string svg;
    archive::Completeness completeness;
    if (!options.at.empty()) {
        const std::size_t depth = options.depth == 0 ? SIZE_MAX : options.depth;
        const auto ladder = replay::ladder_of(day, window, depth);
        if (!ladder) return fail(fmt::format("{}: {}", options.file.string(), ladder.error()));
        completeness = ladder->completeness;
        svg = plot::render_ladder(ladder->value);
    } else {
        const auto map = replay::depth_map_of(day, window);
        if (!map) return fail(map.error());
        completeness = map->completeness;
        svg = plot::render_depth_map(map->value);
    }
    if (const auto written = plot::write_picture(*options.plot, svg); !written)
        return fail(written.error());
    fmt::print("{}: {}\n", options.plot->string(), options.symbol);
    for (const std::string& sentence : archive::sentences(day.depth()))
        say("damrak: note: {}\n", sentence);
    return end_answer(completeness, options.partial);
}

int run_live(BookOptions& options) {
    if (!options.file.empty() || !options.at.empty() || !options.between.empty() ||
        options.trades || options.order != 0 || options.csv || options.plot)
        return fail_usage("--live goes with --symbol, --depth, --orders and --json alone",
                          k_book_command);
    options.exchange.symbol = options.symbol;
    options.exchange.depth = options.depth;
    options.exchange.orders = options.orders;
    options.exchange.json = options.json;
    return show_live(options.exchange);
}

int run(BookOptions options) {
    if (options.live) return run_live(options);
    if (options.file.empty()) return fail_usage("give FILE, or --live", k_book_command);
    const int questions =
        !options.at.empty() + (options.order != 0) + (!options.between.empty() || options.trades);
    if (questions > 1 || (questions == 0 && !options.plot))
        return fail_usage("give one of --at, --between, --trades and --order", k_book_command);
    if (options.plot) {
        if (options.order != 0 || options.trades || options.json || options.csv)
            return fail_usage("--plot goes with --at, --between, --symbol and --depth",
                              k_book_command);
        if (const auto good = plot::check_picture_name(*options.plot); !good)
            return fail_usage("--plot: " + good.error(), k_book_command);
    }
    std::int64_t at = 0;
    if (!options.at.empty()) {
        const auto time = time_of("--at", options.at);
        if (!time) return k_exit_usage;
        at = *time;
    }
    const auto day = archive::open_day(options.file);
    if (!day) return fail(day.error());
    // Trades and messages are known of every day.
    const bool needs_book = options.order != 0 || !options.at.empty() || options.plot;
    const auto why = options.order != 0 ? archive::why_no_orders(day->depth())
                     : needs_book       ? archive::why_no_book(day->depth())
                                        : std::string{};
    if (!why.empty()) return fail(fmt::format("{}: {}", options.file.string(), why));
    if (options.order != 0)
        return show_order(*day, options.order, form_of(options), options.partial);
    const auto instruments = day->instruments();
    if (instruments.empty())
        if (const auto first = archive::DayCursor{*day}.next(); !first)
            return fail(first.error().text);
    if (options.symbol.empty() && instruments.size() == 1)
        options.symbol = instruments.front().symbol;
    const auto found = std::ranges::find(instruments, options.symbol, &archive::Instrument::symbol);
    if (found == instruments.end())
        return fail_usage(
            options.symbol.empty()
                ? fmt::format("give --symbol, one of {}", known(instruments))
                : fmt::format("--symbol: there is no {} in {}: it has {}", options.symbol,
                              options.file.string(), known(instruments)),
            k_book_command);
    if (options.plot) return plot_book(*day, found->locate, at, options);
    if (options.at.empty()) return show_window(*day, found->locate, options);
    return show_book(*day, found->locate, at, options);
}

}  // namespace

void add_book(CLI::App& program, Job& job) {
    CLI::App* const command = program.add_subcommand(
        "book",
        "Shows the book, trades and orders of an archived day, or the live book of a running "
        "exchange");
    const auto options = std::make_shared<BookOptions>();
    command->add_option("FILE", options->file,
                        "archived day, see damrak archive import; or the folder of a kept run");
    command->add_option("--at", options->at,
                        "time of day, such as 10:31:05.123456789: after all messages up to then");
    command
        ->add_option("--between", options->between,
                     "two times of day: every message about the instrument from one to the other")
        ->expected(2);
    command->add_flag("--trades", options->trades, "trades of the whole day, or of --between");
    command->add_option("--order", options->order,
                        "reference: the life of an order, with what is ahead of it in its queue");
    command->add_option("--symbol", options->symbol, "instrument; required if the day has several");
    command->add_option("--depth", options->depth, "levels of each side; 0: all")
        ->capture_default_str();
    command->add_option("--plot", options->plot,
                        "chart (.svg or .png): with --at a ladder, otherwise a map of depth and "
                        "trades of the whole day, or of --between");
    command->add_flag("--orders", options->orders, "single orders by priority, instead of levels");
    auto* const json = command->add_flag("--json", options->json, "one JSON object on stdout");
    command->add_flag("--csv", options->csv, "comma-separated values")->excludes(json);
    add_partial(*command, options->partial);
    command->add_flag("--live", options->live,
                      "follow a running exchange until Ctrl-C; with --json one object per change");
    LiveOptions& exchange = options->exchange;
    command->add_option("--address,--host", exchange.host, "address of that exchange")
        ->capture_default_str();
    command->add_option("--itch-port", exchange.itch_port, "port of its order-by-order feed")
        ->capture_default_str();
    command->add_option("--glimpse-port", exchange.glimpse_port, "port of its snapshots")
        ->capture_default_str();
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
