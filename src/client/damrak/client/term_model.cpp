#include <damrak/client/term_model.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/wire/binary/messages.hpp>

namespace damrak::client {

namespace {

using Lines = std::vector<std::string>;
using Answer = std::expected<Lines, std::string>;
using Tone = TermLine::Tone;

Price price_of(std::int64_t price_e2) { return Price{price_e2 * wire::binary::k_price_units}; }

std::string_view verb(Side side) { return side == Side::buy ? "buy" : "sell"; }

}  // namespace

std::string money_text(Int128 value) {
    // Price units are 0.0001; rounds to the cent, towards zero.
    const auto cents = static_cast<std::int64_t>(value / wire::binary::k_price_units);
    const auto size = static_cast<std::uint64_t>(cents < 0 ? -cents : cents);
    return fmt::format("{}{}.{:02}", cents < 0 ? '-' : '+', size / 100, size % 100);
}

std::string describe_order(const OwnOrder& order, const Symbols& symbols) {
    return fmt::format("{} {} {} {}", verb(order.side), order.open, symbols.name(order.instrument),
                       order_words(order.market, order.price_e2, order.extras));
}

Answer TermModel::execute(const TermCommand& command) {
    using Kind = TermCommand::Kind;
    const bool request = command.kind == Kind::enter || command.kind == Kind::cancel ||
                         command.kind == Kind::cancel_all || command.kind == Kind::modify ||
                         command.kind == Kind::status || command.kind == Kind::quote ||
                         command.kind == Kind::protect;
    if (request && link.state != TermLink::State::up)
        return std::unexpected{link.trouble.empty()
                                   ? std::string{"not connected yet"}
                                   : fmt::format("not connected: {}", link.trouble)};
    switch (command.kind) {
        case Kind::enter:
            return enter(command);
        case Kind::quote:
        case Kind::protect:
            return quote(command);
        case Kind::cancel:
            return entry_->cancel(command.number) ? Answer{} : no_order(command.number);
        case Kind::cancel_all:
            for (const std::uint32_t number : open_orders()) entry_->cancel(number);
            return open_orders().empty() ? Answer{Lines{"no open orders"}} : Answer{};
        case Kind::modify:
            return modify(command);
        case Kind::status:
            if (!entry_->tells_status())
                return std::unexpected{"the binary protocol has no status request: use orders"};
            return entry_->ask_status(command.number) ? Answer{} : no_order(command.number);
        case Kind::book:
            return show_book(command);
        case Kind::orders:
            return order_lines();
        case Kind::tape:
            return tape_lines(command.number);
        case Kind::positions:
            return position_lines();
        case Kind::help: {
            const auto help = command_help();
            return Lines{help.begin(), help.end()};
        }
        case Kind::nothing:
        case Kind::replay:
        case Kind::wait:
        case Kind::quit:
            break;
    }
    return {};
}

Answer TermModel::enter(const TermCommand& command) {
    OrderExtras extras = command.extras;
    if (std::string why = entry_->why_not(extras); !why.empty()) return std::unexpected{why};
    if (command.price_e2 < 0 && !entry_->takes_below_zero())
        return std::unexpected{
            "version 1 of the binary gateway has no prices below zero: version 2 has, and `damrak "
            "term --fix`"};
    const std::vector<std::uint32_t> open = open_orders();
    if (extras.is_linked() && std::ranges::find(open, extras.other) == open.end())
        return no_order(extras.other);
    if (extras.in_force == TimeInForce::gtd) {
        const auto moment = local_moment(extras.until, now);
        if (!moment || *moment <= now)
            return std::unexpected{
                fmt::format("{} has passed: until 2026-03-02T16:00 names a day", extras.until)};
        extras.expires = *moment;
    }
    entry_->enter(command.instrument, command.side, command.quantity, command.price_e2, extras);
    return {};
}

Answer TermModel::quote(const TermCommand& command) {
    if (std::string why = entry_->why_no_quotes(); !why.empty()) return std::unexpected{why};
    if (command.kind == TermCommand::Kind::protect)
        entry_->protect(command.instrument, command.quantity, command.window_us);
    else
        entry_->quote({.instrument = command.instrument,
                       .bid_quantity = command.quantity,
                       .bid_e2 = command.price_e2,
                       .ask_quantity = command.ask_quantity,
                       .ask_e2 = command.ask_e2});
    return {};
}

Answer TermModel::modify(const TermCommand& command) {
    const auto found = entry_->orders().find(command.number);
    if (found != entry_->orders().end()) {
        const OwnOrder& order = found->second;
        if (command.extras.stop_e2 > 0 && order.extras.stop_e2 == 0)
            return std::unexpected{fmt::format("order {} is no stop order: modify {} {} {}",
                                               order.number, order.number, command.quantity,
                                               price_text(command.extras.stop_e2))};
        if (command.price_e2 != 0 && order.is_plain_stop())
            return std::unexpected{fmt::format("order {} has no limit: modify {} {} stop {}",
                                               order.number, order.number, command.quantity,
                                               price_text(command.price_e2))};
    }
    return entry_->modify(command.number, command.quantity, command.price_e2,
                          command.extras.stop_e2)
               ? Answer{}
               : no_order(command.number);
}

Answer TermModel::no_order(std::uint32_t number) const {
    const auto found = entry_->orders().find(number);
    if (found == entry_->orders().end())
        return std::unexpected{fmt::format("no open order {}", number)};
    if (found->second.state == OwnOrder::State::unsure)
        return std::unexpected{
            fmt::format("order {} belongs to a lost connection and is out of reach", number)};
    return std::unexpected{fmt::format("order {} is not acknowledged yet, try again", number)};
}

std::vector<TermLine> TermModel::hear(const std::vector<News>& news) {
    std::vector<TermLine> lines;
    for (const News& each : news) {
        if (each.kind == News::Kind::filled) fill(each);
        if (each.kind == News::Kind::trade_changed) correct(each);
        lines.push_back(line_of(each));
        refusals_ += std::uint64_t{lines.back().tone == Tone::bad};
        say(lines.back());
    }
    return lines;
}

void TermModel::add_market_trades(std::span<const TapeTrade> trades) {
    if (!market_trades_) market_trades_.emplace();
    for (const TapeTrade& trade : trades) market_trades_->push_back(trade);
    while (market_trades_->size() > k_most_lines) market_trades_->pop_front();
}

void TermModel::fill(const News& news) {
    const Price price = price_of(news.price_e2);
    positions_[news.order.instrument].trade(news.order.side, price,
                                            Quantity{static_cast<std::int64_t>(news.quantity)});
    last_fill_[news.order.instrument] = price;
    // Reports of own fills do not say which side was the aggressor.
    own_trades_.push_back({.time = time,
                           .instrument = news.order.instrument,
                           .price_e2 = news.price_e2,
                           .quantity = news.quantity});
    if (own_trades_.size() > k_most_lines) own_trades_.pop_front();
}

void TermModel::correct(const News& news) {
    const auto quantity = [](std::uint64_t value) {
        return Quantity{static_cast<std::int64_t>(value)};
    };
    views::Position& position = positions_[news.order.instrument];
    position.bust(news.order.side, price_of(news.old_price_e2), quantity(news.old_quantity));
    if (news.quantity > 0)
        position.trade(news.order.side, price_of(news.price_e2), quantity(news.quantity));
}

std::string TermModel::changed_trade(const News& news) const {
    const std::string before =
        fmt::format("the trade of order {}, {} {} at {},", news.order.number, news.old_quantity,
                    symbols().name(news.order.instrument), price_text(news.old_price_e2));
    if (news.quantity == 0) return before + " was busted";
    return before + fmt::format(" is now {} at {}", news.quantity, price_text(news.price_e2));
}

TermLine TermModel::line_of(const News& news) {
    const auto line = [this](std::string text, Tone tone) {
        return TermLine{.time = time, .text = std::move(text), .tone = tone};
    };
    const OwnOrder& order = news.order;
    const std::string what = describe_order(order, symbols());
    const std::string why = entry_->why(news);
    switch (news.kind) {
        case News::Kind::logged_in:
            return line(fmt::format("logged in as {}", entry_->who()), Tone::good);
        case News::Kind::login_refused:
            return line(fmt::format("login refused: {}", why), Tone::bad);
        case News::Kind::logged_out:
            return line("logged out", Tone::plain);
        case News::Kind::accepted:
            return line(fmt::format("order {} accepted: {}", order.number, what), Tone::plain);
        case News::Kind::refused:
            return line(fmt::format("order {} refused: {}: {}", order.number, what, why),
                        Tone::bad);
        case News::Kind::filled:
            return line(fmt::format("order {} {} {} {} at {}, {}", order.number,
                                    order.side == Side::buy ? "bought" : "sold", news.quantity,
                                    symbols().name(order.instrument), price_text(news.price_e2),
                                    order.open == 0 ? "done" : fmt::format("{} open", order.open)),
                        Tone::good);
        case News::Kind::trade_changed:
            return line(changed_trade(news), Tone::bright);
        case News::Kind::triggered:
            return line(fmt::format("order {} triggered: {}", order.number, what), Tone::bright);
        case News::Kind::quote_refused:
            return line(
                fmt::format("quote of {} refused: {}", symbols().name(order.instrument), why),
                Tone::bad);
        case News::Kind::protection_set:
            return line(fmt::format("the protection of quotes of {} is set",
                                    symbols().name(order.instrument)),
                        Tone::plain);
        case News::Kind::protection_refused:
            return line(
                fmt::format("protection of {} refused: {}", symbols().name(order.instrument), why),
                Tone::bad);
        case News::Kind::unfilled:
            return line(fmt::format("order {} ended: nothing left to trade with, {} not filled",
                                    order.number, order.open),
                        Tone::bright);
        case News::Kind::cancelled:
            return line(fmt::format("order {} cancelled: {}{}", order.number, what,
                                    why.empty() ? "" : fmt::format(" ({})", why)),
                        Tone::plain);
        case News::Kind::cancel_refused:
            return line(fmt::format("order {} not cancelled: {}", order.number, why), Tone::bad);
        case News::Kind::modified:
            return line(fmt::format("order {} is now: {}", order.number, what), Tone::plain);
        case News::Kind::modify_refused:
            return line(fmt::format("order {} not modified: {}", order.number, why), Tone::bad);
        case News::Kind::error:
            return line(fmt::format("the exchange refused a message: {}", why), Tone::bad);
        case News::Kind::status:
            return line(fmt::format("order {} {}: {}, {} filled", order.number,
                                    order.state == OwnOrder::State::open ? "stands" : "has ended",
                                    what, order.filled),
                        Tone::plain);
        case News::Kind::timed_out:
            return line("the exchange ended the session: idle for too long", Tone::bad);
    }
    return {};
}

void TermModel::say(TermLine line) {
    lines_.push_back(std::move(line));
    if (lines_.size() > k_most_lines) lines_.pop_front();
}

std::vector<std::uint32_t> TermModel::open_orders() const {
    std::vector<std::uint32_t> numbers;
    for (const auto& [number, order] : entry_->orders())
        if (order.state == OwnOrder::State::open && order.rests()) numbers.push_back(number);
    return numbers;
}

Price TermModel::mark(InstrumentId id) const {
    const L2Receiver::Book* const book = this->book(id);
    if (book != nullptr && book->valid && !book->side(Side::buy).empty() &&
        !book->side(Side::sell).empty()) {
        const Price bid = price_of(book->side(Side::buy).front().price_e2);
        const Price ask = price_of(book->side(Side::sell).front().price_e2);
        return Price{(bid.value + ask.value) / 2};
    }
    const auto last = last_fill_.find(id);
    return last == last_fill_.end() ? Price{0} : last->second;
}

Int128 TermModel::profit() const {
    Int128 sum = 0;
    for (const auto& [id, position] : positions_)
        sum += position.realised() + position.unrealised(mark(id));
    return sum;
}

std::string TermModel::why_no_book(InstrumentId id) const {
    if (feed_state == TermFeed::off) return "market data is off (--l2-port)";
    if (feed_state == TermFeed::live) {
        const std::string why = entry_->why_no_book(id);
        return why.empty() ? "waiting for the next snapshot" : why;
    }
    return entry_->tells_books()
               ? "no market data without a connection"
               : "no market data received: is the L2 multicast of the exchange open?";
}

Answer TermModel::show_book(const TermCommand& command) {
    if (command.instrument) shown_ = command.instrument;
    const L2Receiver::Book* const book = this->book(shown());
    if (book == nullptr || !book->valid)
        return std::unexpected{
            fmt::format("no book of {}: {}", symbols().name(shown()), why_no_book(shown()))};
    Lines lines{fmt::format("{}   {:>10} {:>10} | {:>10} {:>10}", symbols().name(shown()),
                            "quantity", "bid", "ask", "quantity")};
    const auto& bids = book->side(Side::buy);
    const auto& asks = book->side(Side::sell);
    const auto cell = [](const L2Receiver::Levels& side, std::size_t i, bool price) -> std::string {
        if (i >= side.size()) return "";
        return price ? price_text(side[i].price_e2) : std::to_string(side[i].quantity);
    };
    constexpr std::size_t k_levels = 10;
    for (std::size_t i = 0; i < std::min(k_levels, std::max(bids.size(), asks.size())); ++i)
        lines.push_back(fmt::format("{}   {:>10} {:>10} | {:>10} {:>10}", symbols().name(shown()),
                                    cell(bids, i, false), cell(bids, i, true), cell(asks, i, true),
                                    cell(asks, i, false)));
    return lines;
}

Lines TermModel::tape_lines(std::size_t most) const {
    Lines lines;
    if (tape_is_own())
        lines.emplace_back(
            "own trades only: the others come over HTTP, see --http-port, or use `damrak term "
            "--fix`");
    const auto& trades = tape();
    for (std::size_t i = trades.size() - std::min(most, trades.size()); i < trades.size(); ++i)
        lines.push_back(tape_text(trades[i]));
    if (trades.empty()) lines.emplace_back("no trades yet");
    return lines;
}

std::string TermModel::tape_text(const TapeTrade& trade) const {
    return fmt::format("{} {:<5}{:>10}{:>8}{}", trade.time, symbols().name(trade.instrument),
                       price_text(trade.price_e2), trade.quantity,
                       !trade.taker               ? ""
                       : trade.taker == Side::buy ? " buy"
                                                  : " sell");
}

Lines TermModel::order_lines() const {
    Lines lines;
    for (const auto& [number, order] : entry_->orders())
        lines.push_back(fmt::format("order {} {}: {}, {} filled", number,
                                    order.state == OwnOrder::State::unsure ? "of a lost connection"
                                    : order.state == OwnOrder::State::sent ? "sent"
                                                                           : "open",
                                    describe_order(order, symbols()), order.filled));
    if (lines.empty()) lines.emplace_back("no open orders");
    return lines;
}

Lines TermModel::position_lines() const {
    Lines lines;
    for (const auto& [id, position] : positions_)
        lines.push_back(fmt::format(
            "{} {:+} at {} (bought {}, sold {}): realised {}, open {}", symbols().name(id),
            position.open().value,
            price_text(position.average_price().value / wire::binary::k_price_units),
            position.bought().value, position.sold().value, money_text(position.realised()),
            money_text(position.unrealised(mark(id)))));
    if (lines.empty()) lines.emplace_back("no positions");
    return lines;
}

}  // namespace damrak::client
