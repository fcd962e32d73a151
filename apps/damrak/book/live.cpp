#include "live.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <damrak/base/system_time.hpp>
#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/soup_receiver.hpp>

#include "cli.hpp"
#include "day_text.hpp"
#include "say.hpp"
#include "serve/process.hpp"

namespace damrak::app {
namespace {

using Json = nlohmann::ordered_json;
using client::FeedBooks;
using client::FeedInstrument;

constexpr const char* k_live_command = "book";
constexpr int k_receive_ms = 100;
constexpr std::int64_t k_refresh_ns = 100'000'000;

std::string live_price(Price price) { return price_text(static_cast<std::uint32_t>(price.value)); }

/// A row of either side: a level, or an order.
struct LiveRow {
    Price price{};
    std::int64_t quantity = 0;
    std::uint64_t last = 0;  ///< number of orders, or the reference of the one
};

std::string symbols_of(const FeedBooks& books) {
    constexpr std::size_t k_most = 20;
    std::string text;
    const auto all = books.instruments();
    for (const FeedInstrument& one : all.first(std::min(all.size(), k_most)))
        text += (text.empty() ? "" : ", ") + one.symbol;
    return text + (all.size() > k_most ? ", ..." : "");
}

double price_of(Price price_e4) {
    constexpr double k_scale = 10'000;
    return static_cast<double>(price_e4.value) / k_scale;
}

Json auction_of(const order_flow::Indicative& value) {
    Json json{{"type", std::string{value.cross_type}},
              {"price", value.price.value == 0 ? Json{} : Json{price_of(value.price)}},
              {"quantity", value.paired},
              {"imbalance", value.imbalance},
              {"side", nullptr}};
    if (value.side) json["side"] = *value.side == Side::buy ? "buy" : "sell";
    return json;
}

/// A handler of the feed that prints what changes.
class LiveBook {
  public:
    explicit LiveBook(const LiveOptions& options)
        : options_(options), on_a_terminal_(::isatty(STDOUT_FILENO) == 1) {}

    void on_session(const FeedBooks::SessionName& session) {
        books_.on_session(session);
        printed_.reset();
    }
    void on_message(std::uint64_t number, std::span<const std::byte> message) {
        books_.on_message(number, message);
        if (options_.json && number > 0) print_change();
    }
    void on_joined(std::uint64_t next) {
        books_.on_joined(next);
        if (options_.json) print_change();
    }
    void on_end_of_session() { books_.on_end_of_session(); }

    /// The ladder as it is now, if it changed; `trouble`: why it does not change.
    void refresh(std::string_view trouble);
    /// Why the instrument cannot be shown; empty: it can, or the directory has not come yet.
    [[nodiscard]] std::string problem() const;
    [[nodiscard]] bool is_whole() const {
        return books_.is_whole() && !books_.instruments().empty();
    }

  private:
    [[nodiscard]] const FeedInstrument* chosen() const {
        const auto all = books_.instruments();
        if (!options_.symbol.empty()) return books_.find(options_.symbol);
        return all.size() == 1 ? &all.front() : nullptr;
    }
    void print_change();
    [[nodiscard]] std::vector<LiveRow> rows(const FeedInstrument& of, Side side) const;
    [[nodiscard]] Json list(const FeedInstrument& of, Side side) const;
    [[nodiscard]] std::string ladder(const FeedInstrument& of, std::string_view trouble) const;

    LiveOptions options_;
    bool on_a_terminal_;
    FeedBooks books_;
    std::optional<std::uint64_t> printed_;  ///< the changes of the instrument so far
    std::string trouble_;                   ///< as it was printed
};

std::vector<LiveRow> LiveBook::rows(const FeedInstrument& of, Side side) const {
    std::vector<LiveRow> rows;
    if (options_.orders) {
        for (const auto& order : books_.orders(of, side, options_.depth))
            rows.push_back({order.price, order.quantity.value, order.reference});
    } else {
        for (const auto& level : books_.levels(of, side, options_.depth))
            rows.push_back({level.price, level.quantity.value, level.orders});
    }
    return rows;
}

Json LiveBook::list(const FeedInstrument& of, Side side) const {
    constexpr double k_scale = 10'000;
    Json list = Json::array();
    for (const LiveRow& row : rows(of, side))
        list.push_back({{"price", static_cast<double>(row.price.value) / k_scale},
                        {"quantity", row.quantity},
                        {options_.orders ? "reference" : "orders", row.last}});
    return list;
}

void LiveBook::print_change() {
    const FeedInstrument* const of = books_.is_whole() ? chosen() : nullptr;
    if (of == nullptr || printed_ == of->changes) return;
    printed_ = of->changes;
    Json line{{"symbol", of->symbol},
              {"time", time_text(books_.time_ns())},
              {"time_ns", books_.time_ns()},
              {"session", std::string{books_.session().data(), books_.session().size()}},
              {"sequence", books_.sequence()},
              {"bids", list(*of, Side::buy)},
              {"asks", list(*of, Side::sell)},
              {"halted", of->halted},
              {"collects", of->collects}};
    if (!of->halt.cause().empty()) line["cause"] = of->halt.cause();
    if (const auto& collar = of->halt.collar())
        line["collar"] = Json::array({price_of(collar->lower), price_of(collar->upper)});
    if (of->indicative) line["auction"] = auction_of(*of->indicative);
    if (of->last_trade) {
        constexpr double k_scale = 10'000;
        line["last_trade"] = {{"time", time_text(of->last_trade->time_ns)},
                              {"price", static_cast<double>(of->last_trade->price.value) / k_scale},
                              {"quantity", of->last_trade->quantity.value}};
    }
    fmt::print("{}\n", line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string LiveBook::ladder(const FeedInstrument& of, std::string_view trouble) const {
    std::string text;
    const std::string state = client::state_text(of);
    text += fmt::format("{} at {}, after message {}{}{}\n", of.symbol, time_text(books_.time_ns()),
                        books_.sequence(), state.empty() ? "" : ", ", state);
    if (of.last_trade)
        text += fmt::format("last trade {} at {}, {} in {} trades\n", of.last_trade->quantity.value,
                            live_price(of.last_trade->price), of.traded, of.trades);
    if (!trouble.empty()) text += fmt::format("not up to date: {}\n", trouble);
    const auto bids = rows(of, Side::buy);
    const auto asks = rows(of, Side::sell);
    const char* const last = options_.orders ? "reference" : "orders";
    text += fmt::format("\n{:>20} {:>10} {:>12}   {:<12} {:<10} {}\n", last, "quantity", "bid",
                        "ask", "quantity", last);
    for (std::size_t i = 0; i < std::max(bids.size(), asks.size()); ++i) {
        if (i < bids.size())
            text += fmt::format("{:>20} {:>10} {:>12}", bids[i].last, bids[i].quantity,
                                live_price(bids[i].price));
        else
            text.append(44, ' ');
        if (i < asks.size())
            text += fmt::format("   {:<12} {:<10} {}", live_price(asks[i].price), asks[i].quantity,
                                asks[i].last);
        text += '\n';
    }
    return text;
}

void LiveBook::refresh(std::string_view trouble) {
    const FeedInstrument* const of = books_.is_whole() ? chosen() : nullptr;
    if (of == nullptr || (printed_ == of->changes && trouble_ == trouble)) return;
    printed_ = of->changes;
    trouble_ = trouble;
    constexpr auto k_clear_screen = "\x1b[H\x1b[2J";
    fmt::print("{}{}{}", on_a_terminal_ ? k_clear_screen : "", ladder(*of, trouble),
               on_a_terminal_ ? "" : "\n");
}

std::string LiveBook::problem() const {
    if (!is_whole() || chosen() != nullptr) return {};
    return options_.symbol.empty() ? fmt::format("give --symbol, one of {}", symbols_of(books_))
                                   : fmt::format("--symbol: there is no {} on the feed: it has {}",
                                                 options_.symbol, symbols_of(books_));
}

}  // namespace

int show_live(const LiveOptions& options) {
    handle_signals();
    LiveBook book{options};
    client::SoupReceiver receiver{
        {.feed = {.host = options.host, .port = options.itch_port},
         .snapshots = {.host = options.host, .port = options.glimpse_port},
         .settings = {.login = {}, .begins_with_snapshot = true}},
        book};
    ForwardClock clock;
    std::int64_t refreshed_ns = 0;
    bool was_live = false;
    bool told = false;
    while (!stop_asked() && std::ferror(stdout) == 0) {
        receiver.poll(k_receive_ms);
        was_live |= receiver.is_live();
        const std::string& trouble = receiver.trouble();
        if (receiver.over()) return fail(trouble);
        if (!was_live && !trouble.empty())
            return fail(
                fmt::format("{}; an exchange with the feed open is `damrak serve`, see "
                            "--itch-port and --glimpse-port",
                            trouble));
        if (const std::string problem = book.problem(); !problem.empty())
            return fail_usage(problem, k_live_command);
        if (options.json) {
            if (told != !trouble.empty() && !trouble.empty())
                say("damrak: note: {}; trying again\n", trouble);
            told = !trouble.empty();
        } else if (const std::int64_t now = clock.now_ns(); now - refreshed_ns >= k_refresh_ns) {
            refreshed_ns = now;
            book.refresh(trouble);
        }
        std::fflush(stdout);
    }
    return k_exit_success;
}

}  // namespace damrak::app
