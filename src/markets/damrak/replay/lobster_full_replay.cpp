// The full replay of lobster_verify.hpp.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <damrak/order_flow/lobster_flow.hpp>
#include <damrak/replay/detail/price_levels.hpp>
#include <damrak/replay/lobster_verify.hpp>

namespace damrak::replay {

namespace {

using detail::describe;
using detail::levels_of;
using detail::PriceLevel;
using detail::PriceLevels;
using lobster::EventType;
using lobster::MessageRow;

// How deep a side is known. Deeper levels may hold orders from before the file, besides those of
// the messages.
class Horizon {
  public:
    [[nodiscard]] bool covers(Side side, std::int64_t price_e4) const {
        return whole_ || (price_e4_ && !is_deeper(side, price_e4, *price_e4_));
    }
    static bool is_deeper(Side side, std::int64_t price_e4, std::int64_t than_e4) {
        return side == Side::buy ? price_e4 < than_e4 : price_e4 > than_e4;
    }
    // A row shows a side down to its last level; if it has unused levels, it shows the whole side.
    void extend(Side side, const PriceLevels& shown, std::size_t most_shown) {
        if (shown.size() < most_shown) whole_ = true;
        if (!shown.empty() && !covers(side, shown.back().price_e4))
            price_e4_ = shown.back().price_e4;
    }

  private:
    bool whole_ = false;
    std::optional<std::int64_t> price_e4_;
};

// The book of a wide message file, for comparison with the rows of a narrow book file.
class WideReplay {
  public:
    explicit WideReplay(std::size_t levels) : levels_{levels} {}

    /// Applies the message. Returns whether a row belongs to it.
    bool apply(const MessageRow& message, std::size_t message_row) {
        const PriceLevels before = shown(message.side);
        if (!flow_.on(message)) books_.anomalies().place(message_row);
        last_ns_ = message.time_ns;
        return message.type >= EventType::execute_hidden || shown(message.side) != before;
    }

    /// Compares the row with the known part of the book. Returns the first difference, or nothing.
    [[nodiscard]] std::optional<std::string> contradiction(BookRow row) const {
        std::optional<std::string> failure = compare(Side::buy, row).failure;
        return failure ? failure : compare(Side::sell, row).failure;
    }

    /// Adds deeper levels of a row that does not contradict the book; returns how many.
    std::size_t adopt(BookRow row) {
        std::size_t adopted = 0;
        for (const Side side : {Side::buy, Side::sell}) {
            for (const PriceLevel& level : compare(side, row).unknown) {
                ++adopted;
                if (!flow_.on_anonymous(last_ns_, side, Price{level.price_e4},
                                        Quantity{level.quantity}))
                    books_.anomalies().place(0);
            }
            horizon_[static_cast<std::size_t>(side)].extend(side, levels_of(row, side), levels_);
        }
        return adopted;
    }

    [[nodiscard]] const order_flow::Anomalies& anomalies() const { return books_.anomalies(); }

  private:
    [[nodiscard]] PriceLevels shown(Side side) const {
        return levels_of(books_, flow_.instrument(), side, levels_);
    }

    struct Comparison {
        std::optional<std::string> failure;
        PriceLevels unknown;  // levels of the row beyond the horizon that the book lacks
    };

    [[nodiscard]] Comparison compare(Side side, BookRow row) const {
        const Horizon& horizon = horizon_[static_cast<std::size_t>(side)];
        const PriceLevels expected = shown(side);
        const PriceLevels found = levels_of(row, side);
        Comparison result;
        std::size_t at = 0;
        for (std::size_t level = 0; level < found.size(); ++level) {
            const PriceLevel& there = found[level];
            const bool same_price = at < expected.size() && expected[at].price_e4 == there.price_e4;
            const std::int64_t quantity = same_price ? expected[at].quantity : 0;
            const bool lacks_better =
                !same_price && at < expected.size() &&
                Horizon::is_deeper(side, there.price_e4, expected[at].price_e4);
            if (lacks_better || quantity > there.quantity ||
                (quantity < there.quantity && horizon.covers(side, there.price_e4))) {
                result.failure = describe(side, level, level_at(expected, at), there);
                return result;
            }
            if (quantity < there.quantity)
                result.unknown.push_back({there.price_e4, there.quantity - quantity});
            at += same_price ? 1 : 0;
        }
        if (found.size() < levels_ && at < expected.size())
            result.failure = describe(side, found.size(), expected[at], std::nullopt);
        return result;
    }

    static std::optional<PriceLevel> level_at(const PriceLevels& levels, std::size_t at) {
        return at < levels.size() ? std::optional{levels[at]} : std::nullopt;
    }

    std::size_t levels_;
    order_flow::BookBuilder<> books_{
        {.orders = 4096, .extensions = 0, .levels = 4096, .ladder_nodes = 4096}};
    order_flow::LobsterFlow<order_flow::BookBuilder<>> flow_{books_, ""};
    std::array<Horizon, 2> horizon_;
    std::int64_t last_ns_ = 0;
};

// Starts from the message in row `seed` (counted from 1) and stops after `most` failures.
LobsterVerification replay_from(std::size_t seed, MessageRows messages, const BookRows& rows,
                                std::size_t most_failures) {
    LobsterVerification result;
    result.check = LobsterCheck::full_replay;
    result.rows_checked = rows.size() - 1;
    result.seed_message_row = seed;
    WideReplay replay{rows.levels()};
    for (std::size_t i = 0; i < seed; ++i) (void)replay.apply(messages[i], i + 1);
    (void)replay.adopt(rows[0]);
    std::size_t row = 1;
    std::size_t failed = 0;
    const auto fail = [&](std::size_t message_row, std::string text) {
        if (++failed <= LobsterVerification::k_most_failures_reported)
            result.failures.push_back({row + 1, message_row, std::move(text)});
    };
    std::size_t i = seed;
    for (; i < messages.size() && row < rows.size() && failed < most_failures; ++i) {
        if (!replay.apply(messages[i], i + 1)) continue;
        if (auto failure = replay.contradiction(rows[row])) {
            fail(i + 1, std::move(*failure));
        } else {
            result.levels_revealed += replay.adopt(rows[row]);
            ++result.rows_equal;
        }
        ++row;
    }
    result.messages_applied = i;
    if (i == messages.size() && row < rows.size())
        fail(0,
             fmt::format("the messages end before this row; {} rows are left", rows.size() - row));
    result.anomalies = replay.anomalies();
    return result;
}

// Whether the message may have produced the row: its order is within the row's range.
bool may_have_made(const MessageRow& message, BookRow row) {
    if (message.type >= EventType::execute_hidden) return true;
    Horizon shown;
    shown.extend(message.side, levels_of(row, message.side), row.size());
    return shown.covers(message.side, message.price_e4);
}

}  // namespace

std::expected<LobsterVerification, std::string> verify_full_replay(MessageRows messages,
                                                                   const BookRows& rows) {
    // A wrong start fails within a few rows; the right one of a damaged file lasts longer.
    constexpr std::size_t k_failures_of_a_trial = 8;
    constexpr std::size_t k_most_trials = 256;
    std::optional<LobsterVerification> best;
    std::size_t trials = 0;
    WideReplay known{rows.levels()};
    for (std::size_t i = 0; i < messages.size() && trials < k_most_trials; ++i) {
        (void)known.apply(messages[i], i + 1);
        if (!may_have_made(messages[i], rows[0]) || known.contradiction(rows[0])) continue;
        ++trials;
        LobsterVerification trial = replay_from(i + 1, messages, rows, k_failures_of_a_trial);
        if (!best || trial.rows_equal > best->rows_equal) best = std::move(trial);
        if (best->rows_equal == best->rows_checked) return *best;
    }
    if (!best)
        return std::unexpected{
            std::string{"no message leads to row 1 of the order book file: the files belong to "
                        "different days or instruments, or the message file begins later"}};
    return replay_from(best->seed_message_row, messages, rows, rows.size());
}

}  // namespace damrak::replay
