#include <damrak/convert/lobster_day.hpp>

#include <utility>

#include <fmt/format.h>

#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/directory.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::convert {

namespace itch = wire::itch;
using lobster::EventType;
using lobster::MessageRow;

namespace {

constexpr std::uint16_t k_locate = 1;

template <class T>
using Expected = std::expected<T, std::string>;

constexpr std::int64_t k_most_shares = std::numeric_limits<std::uint32_t>::max();

// ITCH has 32 bits each for price and quantity; halts have neither.
std::string misfit(const MessageRow& row) {
    if (row.type == EventType::halt) return {};
    if (row.price_e4 < 0 || row.price_e4 > itch::k_max_price_e4)
        return fmt::format("price {}; ITCH carries 0 to {}", row.price_e4, itch::k_max_price_e4);
    if (row.size < 0 || row.size > k_most_shares)
        return fmt::format("size {}; ITCH carries 0 to {}", row.size, k_most_shares);
    if (row.type != EventType::cross && itch::is_anonymous(row.order_id))
        return fmt::format("order id {}; ids from 2^63 on mark anonymous quantity", row.order_id);
    return {};
}

std::string misfit(lobster::BookRow row) {
    const auto fits = [](std::int64_t price_e4, std::int64_t size) {
        return size == 0 || (price_e4 > 0 && price_e4 <= itch::k_max_price_e4 && size > 0 &&
                             size <= k_most_shares);
    };
    for (const lobster::BookLevel& level : row) {
        if (!fits(level.ask_price_e4, level.ask_size))
            return fmt::format("{} shares at price {} are more than ITCH can hold", level.ask_size,
                               level.ask_price_e4);
        if (!fits(level.bid_price_e4, level.bid_size))
            return fmt::format("{} shares at price {} are more than ITCH can hold", level.bid_size,
                               level.bid_price_e4);
    }
    return {};
}

itch::SystemEvent system_event(char code, std::int64_t time_ns) {
    itch::SystemEvent event;
    event.timestamp_ns = time_ns;
    event.event_code = code;
    return event;
}

itch::SystemEvent marked(char code, std::int64_t time_ns) {
    itch::SystemEvent event = system_event(code, time_ns);
    event.tracking_number = itch::k_made_by_view;
    return event;
}

}  // namespace

LobsterDay::LobsterDay(lobster::PairReader pair, const itch::Stock& stock)
    : pair_{std::move(pair)},
      stock_{stock},
      book_{stock, k_locate},
      book_from_ns_{pair_.has_book() && pair_.is_wide() ? k_always : 0} {}

Expected<LobsterDay> LobsterDay::open(const lobster::Pair& pair, std::string_view symbol) {
    auto source = files::ByteSource::open(pair.messages);
    if (!source) return std::unexpected{source.error()};
    return open(pair, symbol, std::move(*source));
}

Expected<LobsterDay> LobsterDay::open(const lobster::Pair& pair, std::string_view symbol,
                                      files::ByteSource messages) {
    const auto stock = itch::Stock::from(symbol);
    if (!stock || symbol.empty())
        return std::unexpected{
            fmt::format("symbol '{}': expected one to eight printable characters", symbol)};
    auto reader = lobster::PairReader::open(pair, std::move(messages));
    if (!reader) return std::unexpected{std::move(reader.error())};
    if (reader->has_book())  // so that the depth is known
        if (const auto row = reader->row(); !row) return std::unexpected{row.error()};
    return LobsterDay{std::move(*reader), *stock};
}

std::string LobsterDay::at_message(std::string_view what) const {
    return fmt::format("{}: row {}: {}", pair_.messages_name(), pair_.messages(), what);
}

// The session begins with the second of the first message.
void LobsterDay::begin(std::int64_t time_ns, const TakeMessage& take) {
    const std::int64_t begin_ns = time_ns - time_ns % lobster::k_ns_per_s;
    constexpr std::uint32_t k_round_lot = 100;
    take(marked('O', begin_ns));
    auto directory = itch::plain_directory(k_locate, begin_ns, stock_, k_round_lot);
    directory.tracking_number = static_cast<std::uint16_t>(depth());
    take(directory);
    take(system_event('S', begin_ns));
    take(itch::plain_trading_action(k_locate, begin_ns, stock_, 'T'));
    take(system_event('Q', begin_ns));
    has_begun_ = true;
}

void LobsterDay::end(const TakeMessage& take) const {
    for (const char code : {'M', 'E', 'C'}) take(system_event(code, last_ns_));
}

Expected<bool> LobsterDay::next(const TakeMessage& take) {
    auto message = pair_.next_message();
    if (!message) return std::unexpected{std::move(message.error())};
    if (!*message) {
        if (auto checked = check_end(); !checked)
            return std::unexpected{std::move(checked.error())};
        end(take);
        return false;
    }
    if (const auto why = misfit(**message); !why.empty()) return std::unexpected{at_message(why)};
    before_ns_ = std::exchange(last_ns_, (*message)->time_ns);
    if (!has_begun_) begin(last_ns_, take);
    if (auto made = step(**message, take); !made) return std::unexpected{std::move(made.error())};
    return true;
}

Expected<void> LobsterDay::read(const TakeMessage& take) {
    for (;;) {
        const auto more = next(take);
        if (!more) return std::unexpected{more.error()};
        if (!*more) return {};
    }
}

Expected<void> LobsterDay::step(const MessageRow& message, const TakeMessage& take) {
    const auto row = row_after(message);
    if (!row) return std::unexpected{row.error()};
    if (!*row) {
        if (book_until_ns_ == last_ns_ - 1 && !std::exchange(has_told_end_, true))
            take(marked('M', last_ns_));
        static_cast<void>(book_.apply(message, {}, pair_.told_levels(), take));
        return {};
    }
    if (const auto why = misfit(**row); !why.empty())
        return std::unexpected{
            fmt::format("{}: row {}: {}", pair_.book_name(), rows_taken_ + 1, why)};
    tell(book_.apply(message, *row, pair_.told_levels(), take));
    pair_.take_row();
    if (rows_taken_ == 1 && book_from_ns_ > 0) take(marked('Q', last_ns_));
    return {};
}

Expected<std::optional<lobster::BookRow>> LobsterDay::row_after(const MessageRow& message) {
    if (!pair_.has_book()) return std::nullopt;
    auto row = pair_.row();
    if (!row) return std::unexpected{std::move(row.error())};
    if (!*row) {
        if (!pair_.is_wide())
            return std::unexpected{fmt::format(
                "{}: it ends after {} rows, but {} has more messages: use the files of one "
                "download (a message file of more levels says so in its name)",
                pair_.book_name(), rows_taken_, pair_.messages_name())};
        if (book_until_ns_ == k_always && book_.changes_best(message, pair_.levels()))
            book_until_ns_ = message.time_ns - 1;
        return std::nullopt;
    }
    if (!pair_.is_wide()) return row;
    const bool has_row = rows_taken_ == 0 ? book_.may_lead_to(message, **row)
                                          : book_.changes_best(message, pair_.levels());
    return has_row ? std::move(row) : std::nullopt;
}

void LobsterDay::tell(VisibleBook::Step step) {
    if (++rows_taken_ == 1) {
        report_.seed_message = pair_.messages();
        // At a time that messages before the row share, only the last book is known.
        if (pair_.is_wide())
            book_from_ns_ = pair_.messages() == 1 ? 0 : last_ns_ + (before_ns_ == last_ns_ ? 1 : 0);
        return;
    }
    ++report_.checked;
    report_.concealed += step.concealed;
    if (step.disagreement.empty()) {
        ++report_.equal;
        report_.revealed += step.revealed;
        return;
    }
    if (report_.failures.size() < RowsReport::k_most_failures_reported)
        report_.failures.push_back({rows_taken_, pair_.messages(), std::move(step.disagreement)});
}

Expected<void> LobsterDay::check_end() {
    report_.inexact_removals = book_.inexact_removals();
    if (!pair_.has_book()) return {};
    const auto row = pair_.row();
    if (!row) return std::unexpected{row.error()};
    if (rows_taken_ == 0)
        return std::unexpected{fmt::format(
            "{}: no message of {} leads to its first row: the files belong to different "
            "days or instruments, or one of them begins later",
            pair_.book_name(), pair_.messages_name())};
    if (*row)
        return std::unexpected{fmt::format(
            "{}: it has more than {} rows, but {} ends there: use the files of one download",
            pair_.book_name(), rows_taken_, pair_.messages_name())};
    constexpr std::uint64_t k_enough = 20;
    if (report_.checked >= k_enough && report_.equal < report_.checked / 2)
        return std::unexpected{
            fmt::format("{}: {} of {} rows do not follow from the messages of {} (the first is row "
                        "{}: {}): use the files of one download; where the rows begin later than "
                        "the messages, take the messages from the one of the first row on",
                        pair_.book_name(), report_.checked - report_.equal, report_.checked,
                        pair_.messages_name(), report_.failures.front().book_row,
                        report_.failures.front().text)};
    return {};
}

std::vector<std::string> sentences(const RowsReport& rows) {
    std::vector<std::string> result;
    if (rows.seed_message > 1)
        result.push_back(fmt::format(
            "the first row stands after message {}: the book before it is what the messages alone "
            "say, in which orders and levels are missing",
            rows.seed_message));
    if (rows.equal != rows.checked)
        result.push_back(
            fmt::format("{} of {} order book rows do not follow from the messages; the rows were "
                        "taken. The first is row {}: {}",
                        rows.checked - rows.equal, rows.checked, rows.failures.front().book_row,
                        rows.failures.front().text));
    if (rows.inexact_removals > 0)
        result.push_back(fmt::format("{} rows of type 3 gave a size that differs from the order's",
                                     rows.inexact_removals));
    return result;
}

}  // namespace damrak::convert
