#include <damrak/client/detail/term_order.hpp>

#include <charconv>
#include <ctime>

#include <fmt/format.h>

#include <damrak/base/time_units.hpp>
#include <damrak/client/detail/same_word.hpp>
#include <damrak/client/term_command.hpp>

namespace damrak::client {

namespace {

using TypedWords = std::span<const std::string_view>;
using Trouble = std::optional<std::string>;

// Each in the order of its enumeration.
constexpr std::array<std::string_view, 8> k_in_force{"day", "gtc",     "gtd",     "ioc",
                                                     "fok", "opening", "closing", "auction"};
constexpr std::array<std::string_view, 4> k_pegs{"none", "primary", "market", "mid"};

std::optional<std::uint64_t> count_of(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<int> digits(std::string_view text, std::size_t from, std::size_t count, int most) {
    if (text.size() < from + count) return std::nullopt;
    const auto value = count_of(text.substr(from, count));
    if (!value || *value > static_cast<std::uint64_t>(most)) return std::nullopt;
    return static_cast<int>(*value);
}

/// Second of the day from "16:00" or "16:00:30".
std::optional<int> seconds_of(std::string_view text) {
    if ((text.size() != 5 && text.size() != 8) || text[2] != ':') return std::nullopt;
    const auto hours = digits(text, 0, 2, 23);
    const auto minutes = digits(text, 3, 2, 59);
    const auto seconds = text.size() == 5 ? std::optional{0} : digits(text, 6, 2, 59);
    if (!hours || !minutes || !seconds || (text.size() == 8 && text[5] != ':')) return std::nullopt;
    return *hours * 3'600 + *minutes * 60 + *seconds;
}

class Reader {
  public:
    Reader(TypedWords words, std::int64_t& price_e2, OrderExtras& into)
        : words_(words), price_e2_(&price_e2), into_(&into) {}

    Trouble read() {
        while (!words_.empty()) {
            const std::string_view word = words_.front();
            words_ = words_.subspan(1);
            if (auto trouble = read(word)) return trouble;
        }
        if (into_->offset_e2 > 0 && into_->peg == PegReference::none)
            return "offset goes with peg: peg primary offset 0.05";
        if (priced_ || into_->is_stop() || into_->peg != PegReference::none) return {};
        return "expected a price: such as 101.25, market, or stop 99.00";
    }

  private:
    Trouble read(std::string_view word) {
        if (detail::same_word(word, "market")) return priced();
        if (detail::same_word(word, "limit")) return limit(next());
        if (detail::same_word(word, "stop")) return stop(next());
        if (detail::same_word(word, "show")) return show(next());
        if (detail::same_word(word, "min")) return least(next());
        if (detail::same_word(word, "until")) return until(next());
        if (detail::same_word(word, "hidden")) return show("0");
        if (detail::same_word(word, "peg")) return peg(next());
        if (detail::same_word(word, "offset")) return distance(word, next(), into_->offset_e2);
        if (detail::same_word(word, "trail")) return distance(word, next(), into_->trail_e2);
        if (detail::same_word(word, "cancels"))
            return link(word, next(), Contingency::one_cancels_other);
        if (detail::same_word(word, "after"))
            return link(word, next(), Contingency::one_triggers_other);
        if (detail::same_word(word, "imbalance")) {
            into_->imbalance = true;
            return {};
        }
        if (detail::same_word(word, "to-limit")) {
            into_->to_limit = true;
            return priced();
        }
        if (detail::same_word(word, "post")) {
            if (into_->post) return "post is given twice";
            into_->post = true;
            return {};
        }
        for (const TimeInForce each :
             {TimeInForce::day, TimeInForce::gtc, TimeInForce::ioc, TimeInForce::fok,
              TimeInForce::at_open, TimeInForce::at_close, TimeInForce::at_auction})
            if (detail::same_word(word, k_in_force.at(static_cast<std::size_t>(each))))
                return in_force(each);
        if (!priced_ && !into_->is_stop()) return limit(word);
        return fmt::format("'{}' is not an order attribute: {}", word,
                           fmt::join(k_order_words, ", "));
    }
    std::string_view next() {
        if (words_.empty()) return {};
        const std::string_view word = words_.front();
        words_ = words_.subspan(1);
        return word;
    }
    Trouble priced() {
        if (priced_) return "give one price: market or a limit";
        priced_ = true;
        return {};
    }
    Trouble limit(std::string_view text) {
        const auto price = parse_price(text);
        if (!price)
            return fmt::format("'{}' is not a price: expected one such as 101.25, or market", text);
        *price_e2_ = *price;
        return priced();
    }
    Trouble stop(std::string_view text) {
        const auto price = parse_amount(text);
        if (!price) return fmt::format("'{}' is not a stop price: expected stop 99.00", text);
        if (into_->stop_e2 > 0) return "stop is given twice";
        into_->stop_e2 = *price;
        return {};
    }
    Trouble peg(std::string_view text) {
        if (into_->peg != PegReference::none) return "peg is given twice";
        for (const PegReference each :
             {PegReference::primary, PegReference::market, PegReference::midpoint})
            if (detail::same_word(text, k_pegs.at(static_cast<std::size_t>(each))))
                into_->peg = each;
        if (into_->peg != PegReference::none) return {};
        return fmt::format("'{}' is nothing to follow: expected peg primary, market or mid", text);
    }
    static Trouble distance(std::string_view word, std::string_view text, std::int64_t& into) {
        const auto value = parse_amount(text);
        if (!value) return fmt::format("'{}' is not a distance: expected {} 0.05", text, word);
        if (into > 0) return fmt::format("{} is given twice", word);
        into = *value;
        return {};
    }
    Trouble link(std::string_view word, std::string_view text, Contingency how) {
        if (text.starts_with('#')) text.remove_prefix(1);
        const auto number = count_of(text);
        if (!number || *number == 0 || *number > UINT32_MAX)
            return fmt::format("'{}' is not the number of an order: expected {} 3", text, word);
        if (into_->is_linked()) return "give either cancels or after, once";
        into_->contingency = how;
        into_->other = static_cast<std::uint32_t>(*number);
        return {};
    }
    Trouble show(std::string_view text) {
        const auto count = count_of(text);
        if (!count) return fmt::format("'{}' is not a display quantity: expected show 10", text);
        if (into_->shown) return "give either show or hidden, once";
        into_->shown = count;
        return {};
    }
    Trouble least(std::string_view text) {
        const auto count = count_of(text);
        if (!count || *count == 0)
            return fmt::format("'{}' is not a minimum quantity: expected min 50", text);
        if (into_->least > 0) return "min is given twice";
        into_->least = *count;
        return {};
    }
    Trouble until(std::string_view text) {
        if (!local_moment(text, Timestamp{0}))
            return fmt::format(
                "'{}' is not a time: expected until 16:00, or until 2026-03-02T16:00", text);
        into_->until = text;
        return in_force(TimeInForce::gtd);
    }
    Trouble in_force(TimeInForce which) {
        if (into_->in_force)
            return "give one of ioc, fok, day, gtc, until, opening, closing and auction";
        into_->in_force = which;
        return {};
    }

    TypedWords words_;
    std::int64_t* price_e2_;
    OrderExtras* into_;
    bool priced_ = false;
};

}  // namespace

std::optional<std::string> read_order_words(TypedWords words, std::int64_t& price_e2,
                                            OrderExtras& into) {
    return Reader{words, price_e2, into}.read();
}

std::string price_words(bool market, std::int64_t price_e2, const OrderExtras& extras) {
    const std::string limit =
        price_e2 == 0 ? std::string{} : fmt::format(" limit {}", price_text(price_e2));
    if (extras.peg != PegReference::none)
        return fmt::format("peg {}{}", k_pegs.at(static_cast<std::size_t>(extras.peg)), limit);
    if (extras.stop_e2 > 0) return fmt::format("stop {}{}", price_text(extras.stop_e2), limit);
    if (extras.trail_e2 > 0) return fmt::format("trail {}{}", price_text(extras.trail_e2), limit);
    if (extras.to_limit && market) return "to-limit";
    return market ? "market" : price_text(price_e2);
}

std::string order_words(bool market, std::int64_t price_e2, const OrderExtras& extras) {
    std::string text = price_words(market, price_e2, extras);
    if (extras.offset_e2 > 0) text += fmt::format(" offset {}", price_text(extras.offset_e2));
    if (extras.stop_e2 > 0 && extras.trail_e2 > 0)
        text += fmt::format(" trail {}", price_text(extras.trail_e2));
    if (extras.in_force && *extras.in_force != TimeInForce::gtd)
        text += fmt::format(" {}", k_in_force.at(static_cast<std::size_t>(*extras.in_force)));
    if (extras.in_force == TimeInForce::gtd)
        text += extras.until.empty() ? " gtd" : fmt::format(" until {}", extras.until);
    if (extras.shown && *extras.shown == 0) text += " hidden";
    if (extras.shown && *extras.shown > 0) text += fmt::format(" show {}", *extras.shown);
    if (extras.least > 0) text += fmt::format(" min {}", extras.least);
    if (extras.post) text += " post";
    if (extras.imbalance) text += " imbalance";
    if (extras.contingency == Contingency::one_cancels_other)
        text += fmt::format(" cancels {}", extras.other);
    if (extras.contingency == Contingency::one_triggers_other)
        text += fmt::format(" after {}", extras.other);
    return text;
}

std::optional<Timestamp> local_moment(std::string_view text, Timestamp now) {
    const std::time_t today = now.value / k_second_ns;
    std::tm local{};
    ::localtime_r(&today, &local);
    if (const std::size_t middle = text.find('T'); middle != std::string_view::npos) {
        const auto year = digits(text, 0, 4, 2'200);
        const auto month = digits(text, 5, 2, 12);
        const auto day = digits(text, 8, 2, 31);
        if (middle != 10 || text[4] != '-' || text[7] != '-' || !year || !month || !day ||
            *year < 1970 || *month == 0 || *day == 0)
            return std::nullopt;
        local.tm_year = *year - 1900;
        local.tm_mon = *month - 1;
        local.tm_mday = *day;
        text.remove_prefix(middle + 1);
    }
    const auto seconds = seconds_of(text);
    if (!seconds) return std::nullopt;
    const int day = local.tm_mday;
    local.tm_hour = *seconds / 3'600;
    local.tm_min = *seconds / 60 % 60;
    local.tm_sec = *seconds % 60;
    local.tm_isdst = -1;
    const std::time_t moment = std::mktime(&local);
    if (local.tm_mday != day) return std::nullopt;  // the 31st of a shorter month
    return Timestamp{std::int64_t{moment} * k_second_ns};
}

}  // namespace damrak::client
