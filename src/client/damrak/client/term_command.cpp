#include <damrak/client/term_command.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ranges>

#include <fmt/format.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/client/detail/same_word.hpp>

namespace damrak::client {

namespace {

using Words = std::vector<std::string_view>;
using Parsed = std::expected<TermCommand, std::string>;

constexpr std::array<std::string_view, 22> k_help{
    "buy QUANTITY SYMBOL PRICE       a limit order; PRICE `market`: a market order",
    "sell QUANTITY SYMBOL PRICE      likewise; after or instead of the price:",
    "    stop 99.00 [limit 98.50]    waits for a trade at that price",
    "    ioc, fok, day, until 16:00  time in force; default gtc, good till cancelled",
    "    show 10, hidden, min 50, post   iceberg, least first trade, never takes",
    "    opening, closing, auction, imbalance   waits for that auction; for its imbalance",
    "    peg mid [offset 0.05], trail 0.50, to-limit   follows the market; rests where it traded",
    "    cancels N, after N          each cancels the other; waits until order N is filled",
    "quote SYMBOL 100 99.50 120 99.70  bid and ask, quantity first; `quote SYMBOL off`: neither",
    "protect SYMBOL 500 1s           quotes end once they traded 500 within 1s; `off`",
    "cancel N                        cancel order N; `cancel all`: all open orders",
    "modify N QUANTITY PRICE         change the open quantity and the price or stop of order N",
    "status N                        request the status of order N over FIX",
    "book [SYMBOL]                   show its depth; on the screen: keep showing it",
    "orders                          show open orders",
    "tape [N]                        show the last N trades of the market (20)",
    "replay [pause|resume|SPEED|max] the replayed day of this exchange: its time, its pace",
    "    replay seek TIME            start the day again at a time of day; logs everybody out",
    "positions                       show positions, profit and loss",
    "wait SECONDS                    report what happens meanwhile",
    "help                            this list",
    "quit                            leave; open orders stay"};
constexpr std::array<std::string_view, 15> k_verbs{
    "buy",    "sell", "quote",     "protect", "cancel", "modify", "status", "book",
    "orders", "tape", "positions", "replay",  "wait",   "help",   "quit"};

bool begins(std::string_view text, std::string_view start) {
    return text.size() >= start.size() && detail::same_word(text.substr(0, start.size()), start);
}

Words split(std::string_view line) {
    constexpr std::string_view k_blank = " \t\r";
    Words words;
    for (;;) {
        const std::size_t from = line.find_first_not_of(k_blank);
        if (from == std::string_view::npos) return words;
        const std::size_t to = std::min(line.find_first_of(k_blank, from), line.size());
        words.push_back(line.substr(from, to - from));
        line.remove_prefix(to);
    }
}

template <class T>
std::optional<T> number(std::string_view text) {
    T value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::uint32_t> order_number(std::string_view text) {
    if (text.starts_with('#')) text.remove_prefix(1);
    const auto value = number<std::uint32_t>(text);
    return value && *value > 0 ? value : std::nullopt;
}

std::unexpected<std::string> wrong(std::string text) { return std::unexpected{std::move(text)}; }

// Reads the quantity of an order and everything after it.
std::optional<std::string> read_terms(std::string_view quantity,
                                      std::span<const std::string_view> words, TermCommand& into) {
    const auto count = number<std::uint64_t>(quantity);
    if (!count || *count == 0)
        return fmt::format("'{}' is not a quantity: expected a whole number above zero", quantity);
    into.quantity = *count;
    return read_order_words(words, into.price_e2, into.extras);
}

std::string unknown_symbol(std::string_view name, const Symbols& symbols) {
    if (symbols.all().empty())
        return fmt::format("no instrument '{}': the exchange has listed none; use ids, such as #1",
                           name);
    return fmt::format("no instrument '{}': there are {}", name,
                       fmt::join(symbols.all() | std::views::values, ", "));
}

Parsed parse_order(const Words& words, const Symbols& symbols) {
    if (words.size() < 4)
        return wrong(fmt::format(
            "expected: {} QUANTITY SYMBOL PRICE, or market or stop 99.00 as price", words[0]));
    TermCommand command{.kind = TermCommand::Kind::enter,
                        .side = detail::same_word(words[0], "buy") ? Side::buy : Side::sell};
    if (auto error = read_terms(words[1], std::span{words}.subspan(3), command))
        return wrong(std::move(*error));
    const auto instrument = symbols.find(words[2]);
    if (!instrument) return wrong(unknown_symbol(words[2], symbols));
    command.instrument = *instrument;
    return command;
}

Parsed parse_quote(const Words& words, const Symbols& symbols) {
    const bool off = words.size() == 3 && detail::same_word(words[2], "off");
    if (!off && words.size() != 6)
        return wrong("expected: quote SYMBOL 100 99.50 100 99.70, or quote SYMBOL off");
    TermCommand command{.kind = TermCommand::Kind::quote};
    const auto instrument = symbols.find(words[1]);
    if (!instrument) return wrong(unknown_symbol(words[1], symbols));
    command.instrument = *instrument;
    if (off) return command;
    const auto read = [&](std::size_t at, std::uint64_t& quantity, std::int64_t& price_e2) {
        const auto count = number<std::uint64_t>(words[at]);
        const auto price = parse_amount(words[at + 1]);
        if (!count || *count == 0 || !price) return false;
        quantity = *count;
        price_e2 = *price;
        return true;
    };
    if (!read(2, command.quantity, command.price_e2) ||
        !read(4, command.ask_quantity, command.ask_e2))
        return wrong(
            "a quote has a quantity and a price of each side: quote AAPL 100 99.50 100 99.70");
    return command;
}

Parsed parse_protect(const Words& words, const Symbols& symbols) {
    const bool off = words.size() == 3 && detail::same_word(words[2], "off");
    if (!off && words.size() != 4)
        return wrong("expected: protect SYMBOL 500 1s, or protect SYMBOL off");
    TermCommand command{.kind = TermCommand::Kind::protect};
    const auto instrument = symbols.find(words[1]);
    if (!instrument) return wrong(unknown_symbol(words[1], symbols));
    command.instrument = *instrument;
    if (off) return command;
    const auto count = number<std::uint64_t>(words[2]);
    const auto window_ns = parse_duration(words[3]);
    if (!count || *count == 0 || !window_ns || *window_ns < k_microsecond_ns)
        return wrong(fmt::format("'{} {}' is not a quantity within a time: expected such as 500 1s",
                                 words[2], words[3]));
    command.quantity = *count;
    command.window_us = static_cast<std::uint64_t>(*window_ns / k_microsecond_ns);
    return command;
}

Parsed parse_cancel(const Words& words) {
    if (words.size() == 2 && detail::same_word(words[1], "all"))
        return TermCommand{.kind = TermCommand::Kind::cancel_all};
    const auto n = words.size() == 2 ? order_number(words[1]) : std::nullopt;
    if (!n) return wrong("expected: cancel N, with the number of an order, or cancel all");
    return TermCommand{.kind = TermCommand::Kind::cancel, .number = *n};
}

Parsed parse_modify(const Words& words) {
    const auto n = words.size() >= 4 ? order_number(words[1]) : std::nullopt;
    if (!n) return wrong("expected: modify N QUANTITY PRICE, with the number of an order");
    TermCommand command{.kind = TermCommand::Kind::modify, .number = *n};
    if (auto error = read_terms(words[2], std::span{words}.subspan(3), command))
        return wrong(std::move(*error));
    OrderExtras others = command.extras;
    others.stop_e2 = 0;
    if (others != OrderExtras{})
        return wrong("modify changes quantity, price and stop only: cancel and enter a new order");
    if (command.price_e2 == 0 && command.extras.stop_e2 == 0)
        return wrong("'market' is not a price here: expected one such as 101.25");
    return command;
}

Parsed parse_status(const Words& words) {
    const auto n = words.size() == 2 ? order_number(words[1]) : std::nullopt;
    if (!n) return wrong("expected: status N, with the number of an order");
    return TermCommand{.kind = TermCommand::Kind::status, .number = *n};
}

Parsed parse_book(const Words& words, const Symbols& symbols) {
    TermCommand command{.kind = TermCommand::Kind::book};
    if (words.size() > 2) return wrong("expected: book, or book SYMBOL");
    if (words.size() == 1) return command;
    const auto instrument = symbols.find(words[1]);
    if (!instrument) return wrong(unknown_symbol(words[1], symbols));
    command.instrument = *instrument;
    return command;
}

Parsed parse_tape(const Words& words) {
    constexpr std::uint32_t k_usual = 20;
    const auto n = words.size() == 2 ? order_number(words[1]) : std::optional{k_usual};
    if (!n || words.size() > 2) return wrong("expected: tape, or tape N for the last N trades");
    return TermCommand{.kind = TermCommand::Kind::tape, .number = *n};
}

Parsed parse_replay(const Words& words) {
    TermCommand command{.kind = TermCommand::Kind::replay};
    if (words.size() == 1) return command;
    const std::string_view what = words.size() == 2 ? words[1] : "";
    if (words.size() == 3 && detail::same_word(words[1], "seek") && parse_time_of_day(words[2])) {
        command.control = fmt::format(R"({{"seek": "{}"}})", words[2]);
        return command;
    }
    if (detail::same_word(what, "pause") || detail::same_word(what, "resume")) {
        command.control = fmt::format(R"({{"paused": {}}})", detail::same_word(what, "pause"));
    } else if (detail::same_word(what, "max") || number<double>(what)) {
        command.control = fmt::format(R"({{"speed": "{}"}})", what);
    } else {
        return wrong(
            "expected: replay, replay pause, replay resume, replay max, replay SPEED, or replay "
            "seek TIME");
    }
    return command;
}

Parsed parse_wait(const Words& words) {
    constexpr std::uint32_t k_longest_s = 86'400;
    const auto seconds =
        words.size() == 2 ? number<std::uint32_t>(words[1]) : std::optional<std::uint32_t>{};
    if (!seconds || *seconds > k_longest_s) return wrong("expected: wait SECONDS, up to 86400");
    return TermCommand{.kind = TermCommand::Kind::wait, .seconds = *seconds};
}

}  // namespace

std::optional<InstrumentId> Symbols::find(std::string_view name) const {
    if (name.starts_with('#')) {
        const auto id = number<std::uint32_t>(name.substr(1));
        return id && *id > 0 ? std::optional{InstrumentId{*id}} : std::nullopt;
    }
    // Exact case takes precedence: two names may differ in case alone.
    const auto exact =
        std::ranges::find(names_, name, [](const auto& each) { return each.second; });
    const auto found =
        exact != names_.end() ? exact : std::ranges::find_if(names_, [name](const auto& each) {
            return detail::same_word(each.second, name);
        });
    return found == names_.end() ? std::nullopt : std::optional{found->first};
}

Symbols::Symbols(const std::vector<std::string>& names) {
    for (const std::string& each : names) add(each);
}

InstrumentId Symbols::add(std::string_view name) {
    const auto there =
        std::ranges::find(names_, name, [](const auto& each) { return each.second; });
    if (there != names_.end()) return there->first;
    const InstrumentId next{names_.empty() ? 1 : names_.rbegin()->first.value + 1};
    names_[next] = name;
    return next;
}

std::string Symbols::name(InstrumentId id) const {
    const auto found = names_.find(id);
    return found == names_.end() ? fmt::format("#{}", id.value) : found->second;
}

std::expected<TermCommand, std::string> parse_command(std::string_view line,
                                                      const Symbols& symbols) {
    using Kind = TermCommand::Kind;
    const Words words = split(line);
    if (words.empty() || words[0].starts_with('#')) return TermCommand{};
    const std::string_view verb = words[0];
    if (detail::same_word(verb, "buy") || detail::same_word(verb, "sell"))
        return parse_order(words, symbols);
    if (detail::same_word(verb, "quote")) return parse_quote(words, symbols);
    if (detail::same_word(verb, "protect")) return parse_protect(words, symbols);
    if (detail::same_word(verb, "cancel")) return parse_cancel(words);
    if (detail::same_word(verb, "modify")) return parse_modify(words);
    if (detail::same_word(verb, "status")) return parse_status(words);
    if (detail::same_word(verb, "book")) return parse_book(words, symbols);
    if (detail::same_word(verb, "tape")) return parse_tape(words);
    if (detail::same_word(verb, "replay")) return parse_replay(words);
    if (detail::same_word(verb, "wait")) return parse_wait(words);
    for (const auto& [name, kind] : {std::pair{"orders", Kind::orders},
                                     {"positions", Kind::positions},
                                     {"help", Kind::help},
                                     {"quit", Kind::quit},
                                     {"exit", Kind::quit}}) {
        if (!detail::same_word(verb, name)) continue;
        if (words.size() > 1) return wrong(fmt::format("{} takes no arguments", name));
        return TermCommand{.kind = kind};
    }
    return wrong(fmt::format("no command '{}': type help", verb));
}

std::vector<std::string> complete_command(std::string_view line, const Symbols& symbols,
                                          std::span<const std::uint32_t> orders) {
    Words words = split(line);
    if (words.empty() || line.ends_with(' ')) words.emplace_back();
    const std::string_view start = words.back();
    std::vector<std::string> found;
    const auto offer = [&](std::string_view word) {
        if (begins(word, start)) found.emplace_back(word);
    };
    const std::size_t place = words.size() - 1;
    const std::string_view verb = words[0];
    const bool order = detail::same_word(verb, "buy") || detail::same_word(verb, "sell");
    const bool by_number = detail::same_word(verb, "cancel") || detail::same_word(verb, "modify") ||
                           detail::same_word(verb, "status");
    const bool quotes = detail::same_word(verb, "quote") || detail::same_word(verb, "protect");
    const bool by_symbol = quotes || detail::same_word(verb, "book");
    if (place == 0) {
        for (const std::string_view each : k_verbs) offer(each);
    } else if ((order && place == 2) || (by_symbol && place == 1)) {
        for (const auto& [id, each] : symbols.all()) offer(each);
    } else if (order && place == 3) {
        offer("market");
        offer("stop");
    } else if (order && place > 3) {
        for (const std::string_view each : k_order_words) offer(each);
    } else if (quotes && place == 2) {
        offer("off");
    } else if (by_number && place == 1) {
        for (const std::uint32_t each : orders) offer(std::to_string(each));
        if (detail::same_word(verb, "cancel")) offer("all");
    }
    return found;
}

std::span<const std::string_view> command_help() { return k_help; }

std::string price_text(std::int64_t price_e2) {
    const std::int64_t size = std::abs(price_e2);
    return fmt::format("{}{}.{:02}", price_e2 < 0 ? "-" : "", size / 100, size % 100);
}

std::optional<std::int64_t> parse_price(std::string_view text) {
    if (!text.starts_with('-')) return parse_amount(text);
    const auto amount_e2 = parse_amount(text.substr(1));
    return amount_e2 ? std::optional{-*amount_e2} : std::nullopt;
}

std::optional<std::int64_t> parse_amount(std::string_view text) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const auto whole = number<std::uint32_t>(text.substr(0, dot));
    if (!whole) return std::nullopt;
    std::int64_t cents = 0;
    if (dot < text.size()) {
        const std::string_view digits = text.substr(dot + 1);
        const auto value = number<std::uint8_t>(digits);
        if (!value || digits.size() > 2) return std::nullopt;
        cents = digits.size() == 1 ? *value * 10 : *value;
    }
    const std::int64_t amount_e2 = std::int64_t{*whole} * 100 + cents;
    return amount_e2 > 0 ? std::optional{amount_e2} : std::nullopt;
}

}  // namespace damrak::client
