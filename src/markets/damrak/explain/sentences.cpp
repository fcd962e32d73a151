#include <damrak/explain/sentences.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

namespace damrak::explain {
namespace {

constexpr std::int64_t k_units = 10'000;  // price units of the currency's unit
constexpr std::int64_t k_second_ns = 1'000'000'000;

/// A length of time in the unit that suits it.
std::string span_text(std::int64_t ns) {
    if (ns < 1'000) return fmt::format("{} ns", ns);
    const auto of = [ns](std::int64_t unit, const char* name) {
        return fmt::format("{:.4g} {}", static_cast<double>(ns) / static_cast<double>(unit), name);
    };
    if (ns < 1'000'000) return of(1'000, "us");
    if (ns < k_second_ns) return of(1'000'000, "ms");
    return of(k_second_ns, "s");
}

std::string plural(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string crowd_text(const Crowd& crowd) {
    return fmt::format("{} with {}", plural(crowd.orders, "order"), crowd.quantity);
}

std::string_view side_text(Side side) { return side == Side::buy ? "buy" : "sell"; }
std::string_view across_text(Side side) { return side == Side::buy ? "ask" : "bid"; }

std::string_view time_in_force_text(TimeInForce tif) {
    switch (tif) {
        case TimeInForce::day:
            return "";
        case TimeInForce::gtc:
            return ", good till cancelled";
        case TimeInForce::gtd:
            return ", good till date";
        case TimeInForce::ioc:
            return ", immediate or cancel";
        case TimeInForce::fok:
            return ", fill or kill";
        case TimeInForce::at_open:
            return ", for the opening auction";
        case TimeInForce::at_close:
            return ", for the closing auction";
        case TimeInForce::at_auction:
            return ", for the next auction";
    }
    return "";
}

std::string terms_text(const Command& terms) {
    std::string text = fmt::format("{} {}", side_text(terms.side), terms.quantity.value);
    if (has_limit(terms.order_type))
        text += fmt::format(" at {}", price_text(terms.price));
    else
        text += " at market";
    if (is_stop(terms.order_type))
        text += fmt::format(", once {} traded", price_text(terms.order.stop_price));
    text += time_in_force_text(terms.time_in_force);
    if (has_flag(terms, CommandFlags::k_hidden)) text += ", hidden";
    if (has_flag(terms, CommandFlags::k_post_only)) text += ", post-only";
    if (terms.order.display_quantity.value > 0)
        text += fmt::format(", displays {}", terms.order.display_quantity.value);
    return text;
}

std::string facing_text(const std::optional<Facing>& facing, Side side) {
    if (!facing) return fmt::format("there was no {}", across_text(side));
    return fmt::format("the best {} was {} for {}", across_text(side), price_text(facing->price),
                       facing->quantity.value);
}

std::string ahead_text(const Crowd& ahead) {
    return ahead.empty() ? "nothing displayed ahead" : crowd_text(ahead) + " ahead";
}

/// What there was to take, of an order that took nothing.
std::string untaken_text(const Fate& fate) {
    if (fate.missed) {
        const std::int64_t late_ns = (*fate.arrived - fate.missed->gone).value;
        return fmt::format(
            "missed: it arrived {} {} was gone",
            late_ns == 0 ? "at the same time, just after" : span_text(late_ns) + " after",
            price_text(fate.missed->price));
    }
    if (!fate.facing_arrived) return fmt::format("there was no {}", across_text(fate.terms.side));
    return fmt::format("the best {} was {}", across_text(fate.terms.side),
                       price_text(fate.facing_arrived->price));
}

/// Why an order that rested was not filled, or not in full.
std::string waiting_text(const Fate& fate) {
    if (fate.stays.empty()) return {};
    const Stay& stay = fate.stays.back();
    std::string text = ", " + ahead_text(stay.ahead());
    if (fate.trade_count == 0 && stay.traded.quantity == 0 && stay.nearest && *stay.nearest > 0)
        text += fmt::format("; the best {} came no nearer than {}", across_text(fate.terms.side),
                            price_text({*stay.nearest}));
    return text;
}

std::string filled_text(const Fate& fate) {
    if (fate.trade_count == 0) return {};
    return fmt::format("filled {} of {}; ", fate.filled.value,
                       std::max(fate.filled.value, fate.terms.quantity.value));
}

/// The lines of a story; those of the same time have it once.
class Story {
  public:
    explicit Story(Timestamp origin) : origin_(origin) {}

    void add(Timestamp at, std::string_view text) {
        lines_.push_back(fmt::format("{}  {}", clock_text(at, origin_), text));
    }
    void add_more(std::string_view text) { lines_.push_back(fmt::format("{:18}  {}", "", text)); }
    [[nodiscard]] std::vector<std::string> take() { return std::move(lines_); }

  private:
    Timestamp origin_;
    std::vector<std::string> lines_;
};

void tell_arrival(Story& story, const Fate& fate) {
    const Side side = fate.terms.side;
    story.add(fate.sent, fmt::format("sent; {}", facing_text(fate.facing_sent, side)));
    if (!fate.arrived) return;
    story.add(*fate.arrived,
              fmt::format("arrived after {}; {}", span_text((*fate.arrived - fate.sent).value),
                          facing_text(fate.facing_arrived, side)));
    if (!fate.missed) return;
    const std::int64_t late_ns = (*fate.arrived - fate.missed->gone).value;
    story.add_more(
        fmt::format("{} was gone {} before{}", price_text(fate.missed->price), span_text(late_ns),
                    fate.missed->gone >= fate.sent ? ", while the order was under way"
                                                   : ", and already when the order was sent"));
}

void tell_trade(Story& story, const Trade& trade, const std::vector<Member>& members) {
    const std::string other = name_of(trade.other, members);
    const std::string_view whose = trade.is_maker     ? "the incoming"
                                   : trade.was_hidden ? "the hidden"
                                                      : "the displayed";
    const std::string what = fmt::format("{} {} traded at {} with",
                                         trade.is_maker ? "rested:" : "took:", trade.quantity.value,
                                         price_text(trade.price));
    if (trade.orders > 1)
        return story.add(trade.at, fmt::format("{} {} {} orders, the first of {}", what,
                                               trade.orders, whose.substr(4), other));
    std::string order = "order";
    if (trade.other_ordered.value > 0) {
        order = trade.other_limit.value == 0 ? "market order" : "order";
        order += fmt::format(" for {}", trade.other_ordered.value);
        if (trade.other_limit.value != 0)
            order += fmt::format(" at {}", price_text(trade.other_limit));
    }
    story.add(trade.at, fmt::format("{} {} {} of {}", what, whose, order, other));
}

std::string queue_text(const Stay& stay) {
    if ((stay.at_price + stay.better).empty()) return "nothing displayed ahead of it";
    std::string text = "ahead of it: ";
    if (!stay.at_price.empty()) text += crowd_text(stay.at_price) + " at its price";
    if (!stay.better.empty())
        text += fmt::format("{}{} at better prices", stay.at_price.empty() ? "" : ", ",
                            crowd_text(stay.better));
    return text;
}

void tell_stay(Story& story, const Stay& stay, bool is_first) {
    story.add(stay.since,
              fmt::format("{} the {}queue at {} with {}; {}",
                          is_first ? "joined" : "replaced: joined", stay.is_hidden ? "hidden " : "",
                          price_text(stay.price), stay.open.value, queue_text(stay)));
    std::string text;
    const auto say = [&](const Crowd& crowd, std::string_view what) {
        if (!crowd.empty())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", crowd_text(crowd), what);
    };
    say(stay.traded, "traded");
    say(stay.cancelled, "cancelled");
    say(stay.moved, "moved");
    say(stay.joined, "joined at better places");
    if (stay.hidden_traded > 0)
        text +=
            fmt::format("{}{} hidden shares traded", text.empty() ? "" : ", ", stay.hidden_traded);
    if (text.empty()) return;
    story.add_more(fmt::format("of those ahead: {}; left ahead: {}", text,
                               stay.ahead().empty() ? "none" : crowd_text(stay.ahead())));
}

/// In the order of time; a stay is reported when it begins, what reached the front then, and
/// trades.
void tell_life(Story& story, const Fate& fate, const std::vector<Member>& members) {
    std::size_t trade = 0;
    const auto tell_trades_before = [&](Timestamp time) {
        while (trade < fate.trades.size() && fate.trades[trade].at < time)
            tell_trade(story, fate.trades[trade++], members);
    };
    const auto is_taken = [&] {
        return trade < fate.trades.size() && !fate.trades[trade].is_maker;
    };
    for (std::size_t i = 0; i < fate.stays.size(); ++i) {
        const Stay& stay = fate.stays[i];
        tell_trades_before(stay.since);
        while (is_taken() && fate.trades[trade].at == stay.since)
            tell_trade(story, fate.trades[trade++], members);
        if (i + 1 == fate.stays.size() && fate.dropped > 0)
            story.add_more(fmt::format("{} more places are left out", fate.dropped));
        tell_stay(story, stay, i == 0);
        if (!stay.front || *stay.front == stay.since) continue;
        tell_trades_before(*stay.front);
        story.add(*stay.front, fmt::format("reached the front, {} after it joined",
                                           span_text((*stay.front - stay.since).value)));
    }
    while (trade < fate.trades.size()) tell_trade(story, fate.trades[trade++], members);
    if (fate.trades_dropped > 0)
        story.add_more(fmt::format("{} more trades are left out", fate.trades_dropped));
}

}  // namespace

std::expected<Question, std::string> parse_question(std::string_view text,
                                                    const std::vector<Member>& members) {
    const auto is_group = [&](std::string_view name) {
        return std::ranges::any_of(members, [&](const Member& one) { return one.group == name; });
    };
    if (is_group(text)) return Question{.group = std::string{text}, .number = {}};
    const std::size_t colon = text.rfind(':');
    const std::string_view group = text.substr(0, colon);
    if (!is_group(group)) {
        std::string groups;
        for (const Member& one : members)
            if (one.member == 0) groups += (groups.empty() ? "" : ", ") + one.group;
        return std::unexpected{
            fmt::format("--explain {}: there is no group '{}'; {}", text, group,
                        groups.empty() ? "the file has none" : "the groups are " + groups)};
    }
    const std::string_view digits = text.substr(colon + 1);
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size() || number == 0)
        return std::unexpected{fmt::format(
            "--explain {}: '{}' is no number of an order; they count from 1", text, digits)};
    return Question{.group = std::string{group}, .number = number};
}

std::string unanswered(const OrderWatch& watch) {
    const Question& question = watch.question();
    if (!question.number || *question.number <= watch.orders()) return {};
    return fmt::format("--explain {}:{}: {} sent {} in this run", question.group, *question.number,
                       question.group, plural(static_cast<std::int64_t>(watch.orders()), "order"));
}

std::string name_of(const Member& member) {
    if (member.members == 1) return member.group;
    return fmt::format("{} {}", member.group, member.member + 1);
}

std::string name_of(ParticipantId id, const std::vector<Member>& members) {
    if (id.value > members.size() + 1) return "the reaction";
    if (id.value == 0 || id.value > members.size()) return "the record";
    return name_of(members[id.value - 1]);
}

std::string price_text(Price price) {
    const std::int64_t size = std::abs(price.value);
    const char* const sign = price.value < 0 ? "-" : "";
    if (size % 100 == 0)
        return fmt::format("{}{}.{:02}", sign, size / k_units, size % k_units / 100);
    return fmt::format("{}{}.{:04}", sign, size / k_units, size % k_units);
}

std::string clock_text(Timestamp time, Timestamp origin) {
    const std::int64_t ns = (time - origin).value;
    const std::int64_t s = ns / k_second_ns;
    return fmt::format("{:02}:{:02}:{:02}.{:09}", s / 3'600, s / 60 % 60, s % 60, ns % k_second_ns);
}

std::string outcome_of(const Fate& fate) {
    switch (fate.ending) {
        case Ending::under_way:
            return "never arrived";
        case Ending::rejected:
            return fmt::format("rejected: {}", damrak::text(fate.reason));
        case Ending::filled:
            return fmt::format("filled, {} after it was sent",
                               span_text((fate.ended - fate.sent).value));
        case Ending::cancelled:
            return fmt::format("{}{} cancelled by its owner{}", filled_text(fate), fate.open.value,
                               waiting_text(fate));
        case Ending::removed:
            if (fate.stays.empty() && fate.trade_count == 0 &&
                (fate.reason == Reason::unfilled_remainder || fate.reason == Reason::fill_or_kill))
                return untaken_text(fate);
            return fmt::format("{}{} taken away: {}{}", filled_text(fate), fate.open.value,
                               damrak::text(fate.reason), waiting_text(fate));
        case Ending::open:
            return fmt::format("{}{} open at the end{}", filled_text(fate), fate.open.value,
                               waiting_text(fate));
    }
    return {};
}

std::vector<std::string> story_of(const Fate& fate, const std::vector<Member>& members,
                                  Timestamp origin) {
    Story story{origin};
    tell_arrival(story, fate);
    tell_life(story, fate, members);
    story.add(fate.ended, outcome_of(fate));
    if (fate.late_request)
        story.add(*fate.late_request,
                  fmt::format("a request to cancel or replace it arrived, {} too late",
                              span_text((*fate.late_request - fate.ended).value)));
    std::vector<std::string> lines = story.take();
    const Member& owner = members[fate.terms.participant.value - 1];
    lines.insert(lines.begin(), fmt::format("order {} of {}, {}: {}", fate.number, owner.group,
                                            name_of(owner), terms_text(fate.terms)));
    return lines;
}

}  // namespace damrak::explain
