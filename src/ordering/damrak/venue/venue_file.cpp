#include <damrak/venue/venue_file.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <damrak/base/did_you_mean.hpp>
#include <damrak/base/time_zone.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/files/toml_table.hpp>
#include <damrak/venue/detail/breaker_reader.hpp>
#include <damrak/venue/detail/combination_reader.hpp>
#include <damrak/venue/detail/rules_reader.hpp>
#include <damrak/venue/detail/trading_reader.hpp>
#include <damrak/venue/ready_made.hpp>

namespace damrak::venue {

namespace {

using files::Mistake;
using files::TableReader;

constexpr auto k_weekdays =
    std::to_array<std::string_view>({"mon", "tue", "wed", "thu", "fri", "sat", "sun"});

template <class Words>
std::vector<std::string_view> list_of(const Words& words) {
    return {words.begin(), words.end()};
}

template <class Enum, class Words>
std::optional<Enum> enum_of(TableReader& in, std::string_view key, const Words& words) {
    if (in.take(key) == nullptr) return {};
    const std::string word = in.word(key, words[0], list_of(words));
    return static_cast<Enum>(std::ranges::find(words, std::string_view{word}) - words.begin());
}

class VenueReader {
  public:
    explicit VenueReader(std::string_view where) : mistake_(where) {}

    [[nodiscard]] std::expected<Venue, std::string> read(const toml::table& table) {
        TableReader top{table, "", mistake_};
        venue_.name = top.text("name", "");
        if (venue_.name.empty()) top.complain("a venue needs a name: name = \"...\"");
        venue_.about = top.text("about", "");
        venue_.leaves_out = top.texts("leaves_out");
        venue_.sources = top.texts("sources");
        read_day(top);
        read_sessions(top);
        if (const toml::node* const node = top.take("rules"); node != nullptr) {
            if (!node->is_table()) {
                top.refuse(*node, "rules", "a table [rules]");
            } else {
                TableReader in{*node->as_table(), "rules", mistake_};
                read_rules(in, venue_.rules);
                in.finish();
            }
        }
        for (const toml::table* const one : top.tables("group")) read_group(*one);
        for (const toml::table* const one : top.tables("instrument")) read_instrument(*one);
        for (const toml::table* const one : top.tables("spread"))
            read_combination(*one, "spread", CombinationKind::spread);
        for (const toml::table* const one : top.tables("basket"))
            read_combination(*one, "basket", CombinationKind::basket);
        if (const toml::node* const node = top.take("market_breaker"); node != nullptr) {
            if (!node->is_table())
                top.refuse(*node, "market_breaker", "a table [market_breaker]");
            else
                venue_.market_breaker = detail::read_market_breaker(*node->as_table(), mistake_);
            need_hours(*node);
        }
        venue_.delay = detail::read_delay(top);
        venue_.fees = detail::read_fees(top);
        venue_.obligations = detail::read_obligations(top);
        venue_.index = detail::read_index(top);
        if (venue_.index && venue_.market_breaker && venue_.market_breaker->index.empty())
            venue_.market_breaker->index = venue_.index->parts;
        check_hours();
        top.finish();
        if (mistake_.is_there()) return std::unexpected{mistake_.text()};
        std::erase_if(venue_.groups, [](const Group& one) { return one.symbols.empty(); });
        return std::move(venue_);
    }

  private:
    [[nodiscard]] Weekdays weekdays(TableReader& in, Weekdays preset) {
        const toml::node* const node = in.take("days");
        if (node == nullptr) return preset;
        Weekdays days = 0;
        for (const std::string& word : in.texts("days")) {
            const auto found = std::ranges::find(k_weekdays, word);
            const auto day = static_cast<Weekdays>(1U << (found - k_weekdays.begin()));
            if (found == k_weekdays.end() || (days & day) != 0)
                in.refuse(*node, "days",
                          fmt::format("a list of \"{}\", each at most once",
                                      fmt::join(k_weekdays, "\", \"")));
            days |= day;
        }
        if (days == 0) in.refuse(*node, "days", "a list of at least one weekday");
        return days;
    }

    void read_day(TableReader& top) {
        venue_.zone = top.text("zone", venue_.zone);
        if (venue_.zone != "UTC")
            if (const auto zone = TimeZone::find(venue_.zone); !zone)
                mistake_.note(top.table().get("zone")->source(), "zone: " + zone.error());
        venue_.day_begin_ns = top.time_of_day("day_begin", venue_.day_begin_ns);
        venue_.day_end_ns = top.time_of_day("day_end", venue_.day_end_ns);
        days_ = weekdays(top, k_all_days);
        venue_.indicative_every_ns =
            top.duration("indicative_every", 0, 100 * k_millisecond_ns, k_hour_ns);
    }

    void read_sessions(TableReader& top) {
        std::vector<const toml::table*> tables = top.tables("session");
        for (const toml::table* const one : tables) read_session(*one);
        if (mistake_.is_there()) return;
        if (venue_.sessions.empty())
            return top.complain("a venue needs sessions: add a table [[session]]");
        for (std::size_t i = 0; i < tables.size(); ++i) check_session(i, *tables[i]);
    }

    void read_session(const toml::table& table) {
        TableReader in{table, "session", mistake_};
        TradingSession made;
        made.at_ns = in.time_of_day("at", 0);
        if (!in.has("at"))
            in.complain("a session needs the time at which it begins: at = \"09:30\"");
        if (made.at_ns >= k_day_ns)
            in.refuse(*in.take("at"), "at", "before 24:00, which is 00:00 of the next day");
        made.days = weekdays(in, days_);
        const auto phase = enum_of<Phase>(in, "phase", k_phase_names);
        if (!phase)
            in.complain(fmt::format("a session needs a phase: one of \"{}\"",
                                    fmt::join(k_phase_names, "\", \"")));
        made.phase = phase.value_or(Phase{});
        made.name = in.text("name", name(made.phase));
        in.rename(fmt::format("session \"{}\"", made.name));
        made.continues = in.truth("continues", false);
        if (made.continues) return read_stage(in, made);
        const auto kind = enum_of<CallKind>(in, "call", k_call_kind_names);
        made.call = kind.value_or(CallKind::intraday);
        made.auction = enum_of<AuctionRule>(in, "auction", k_auction_rule_names);
        made.sealed = in.truth("sealed", false);
        made.random_end_ns = in.duration("random_end", 0, 0, k_hour_ns);
        made.interval_ns = in.duration("interval", 0, k_millisecond_ns, k_hour_ns);
        made.refuses = restrictions(in);
        in.finish();
        check_call(in, made);
        venue_.sessions.push_back(made);
    }

    // A stage of a call differs from the one before in what it refuses, and in its end.
    void read_stage(TableReader& in, TradingSession& made) {
        for (const std::string_view key : {"call", "auction", "sealed", "interval"})
            if (in.has(key))
                in.complain(
                    fmt::format("{} is that of the call that it continues: leave it out", key));
        made.random_end_ns = in.duration("random_end", 0, 0, k_hour_ns);
        made.refuses = restrictions(in);
        in.finish();
        const TradingSession* const before =
            venue_.sessions.empty() ? nullptr : &venue_.sessions.back();
        if (before == nullptr || made.phase != Phase::call || before->phase != Phase::call ||
            before->interval_ns != 0)
            return in.complain(
                "continues is for a call, and the session ahead of it must be a call without an "
                "interval");
        made.call = before->call;
        made.auction = before->auction;
        made.sealed = before->sealed;
        venue_.sessions.push_back(made);
    }

    static PhaseRestrictions::Bits restrictions(TableReader& in) {
        unsigned bits = 0;
        for (const std::string& word : in.texts("refuses")) {
            const auto found = std::ranges::find(k_restriction_names, word);
            if (found == k_restriction_names.end())
                in.complain(fmt::format("refuses is a list of \"{}\", not \"{}\"",
                                        fmt::join(k_restriction_names, "\", \""), word));
            else
                bits |= 1U << (found - k_restriction_names.begin());
        }
        return static_cast<PhaseRestrictions::Bits>(bits);
    }

    static void check_call(TableReader& in, const TradingSession& session) {
        if (session.phase == Phase::call) {
            if (!session.auction) in.complain("a call needs an auction rule: auction = \"...\"");
            const bool batches = session.auction == AuctionRule::frequent_batch;
            if (batches != (session.interval_ns != 0))
                in.complain(batches ? "frequent_batch needs an interval, such as \"100ms\""
                                    : "interval needs auction = \"frequent_batch\"");
            if (batches && session.random_end_ns != 0)
                in.complain("a session of batches has no random_end");
            return;
        }
        for (const std::string_view key : {"call", "sealed", "random_end", "interval"})
            if (in.has(key)) in.complain(fmt::format("{} needs phase = \"call\"", key));
        if (in.has("auction") && session.phase != Phase::continuous)
            in.complain("auction needs phase = \"call\" or \"continuous\"");
    }

    // In relation to those before and after it, which are those of the same weekdays or any other.
    void check_session(std::size_t index, const toml::table& table) {
        const TradingSession& session = venue_.sessions[index];
        TableReader in{table, fmt::format("session \"{}\"", session.name), mistake_};
        if (index > 0) {
            const TradingSession& before = venue_.sessions[index - 1];
            const bool same_day = (before.days & session.days) != 0;
            if (session.at_ns < before.at_ns || (same_day && session.at_ns == before.at_ns))
                return in.complain(fmt::format(
                    "it begins at or before the session \"{}\" ahead of it: sessions are in order "
                    "of time and do not overlap",
                    before.name));
        }
        const std::size_t count = venue_.sessions.size();
        const TradingSession& before = venue_.sessions[(index + count - 1) % count];
        if (session.phase == Phase::at_last && before.phase != Phase::call)
            in.complain(
                "at_last trades at the price of an auction: the session ahead of it must "
                "be a call");
        if (before.phase != Phase::call || before.random_end_ns == 0 || index + 1 == count) return;
        const TradingSession& next = venue_.sessions[index + 1];
        if ((next.days & session.days) != 0 && session.at_ns + before.random_end_ns >= next.at_ns)
            in.complain(fmt::format(
                "the call \"{}\" may end after it, by its random_end: they overlap", before.name));
    }

    void read_rules(TableReader& in, Rules& rules) {
        detail::read_rules(in, rules);
        if (const toml::node* const luld = in.take("luld"); luld != nullptr && rules.luld.exists())
            need_hours(*luld);
    }

    void need_hours(const toml::node& node) {
        const toml::source_region& place = node.source();
        if (!hours_needed_ || place.begin < hours_needed_->begin) hours_needed_ = place;
    }

    // Bands and breakers need to know when the regular hours begin and end.
    void check_hours() {
        const auto has = [&](CallKind kind) {
            return std::ranges::any_of(venue_.sessions, [kind](const TradingSession& one) {
                return one.phase == Phase::call && one.call == kind;
            });
        };
        if (hours_needed_ && !(has(CallKind::opening) && has(CallKind::closing)))
            mistake_.note(*hours_needed_,
                          "luld and market_breaker need a session with call = \"opening\" and one "
                          "with call = \"closing\": the regular hours are between them");
    }

    void read_group(const toml::table& table) {
        TableReader in{table, "group", mistake_};
        Group group{.name = in.text("name", ""), .symbols = {}, .rules = venue_.rules};
        in.rename(fmt::format("group \"{}\"", group.name));
        if (group.name.empty()) in.complain("a group needs a name");
        if (find_group(group.name) != nullptr) in.complain("there are two groups of this name");
        for (const std::string& symbol : in.texts("symbols"))
            if (is_new(in, symbol)) group.symbols.push_back(symbol);
        read_rules(in, group.rules);
        in.finish();
        venue_.groups.push_back(std::move(group));
    }

    // Its rules are those of its group, or of all, and what it changes in them.
    void read_instrument(const toml::table& table) {
        TableReader in{table, "instrument", mistake_};
        const std::string symbol = in.text("symbol", "");
        in.rename(fmt::format("instrument \"{}\"", symbol));
        if (symbol.empty()) in.complain("an instrument needs its symbol");
        Group own{.name = symbol, .symbols = {symbol}, .rules = venue_.rules};
        if (const std::string name = in.text("group", ""); !name.empty()) {
            const Group* const group = find_group(name);
            if (group == nullptr) {
                std::vector<std::string> known;
                known.reserve(venue_.groups.size());
                for (const Group& one : venue_.groups) known.push_back(one.name);
                return mistake_.note(
                    in.take("group")->source(),
                    fmt::format(
                        "instrument \"{}\": there is no group \"{}\"{}", symbol, name,
                        known.empty() ? " in this file" : "; " + did_you_mean(name, known)));
            }
            own.rules = group->rules;
        }
        if (!is_new(in, symbol)) return;
        read_rules(in, own.rules);
        in.finish();
        venue_.groups.push_back(std::move(own));
    }

    // Its rules are those of its table alone: percentages of its prices, which may be about zero,
    // would mean little.
    void read_combination(const toml::table& table, std::string_view what, CombinationKind kind) {
        TableReader in{table, std::string{what}, mistake_};
        Combination made = detail::read_combination(in, kind);
        detail::check_legs(made, venue_.combinations, in);
        Group own{.name = made.symbol, .symbols = {made.symbol}, .rules = {}};
        detail::read_rules(in, own.rules);
        if (own.rules.luld.exists()) in.complain("luld is for single instruments");
        in.finish();
        if (!is_new(in, made.symbol)) return;
        venue_.combinations.push_back(std::move(made));
        venue_.groups.push_back(std::move(own));
    }

    [[nodiscard]] bool is_new(TableReader& in, const std::string& symbol) {
        if (symbol.empty() || symbol.size() > Symbol{}.characters.size())
            in.complain("a symbol has 1 to 16 characters");
        else if (!symbols_.insert(symbol).second)
            in.complain(fmt::format("the symbol \"{}\" is in this file before", symbol));
        return !mistake_.is_there();
    }

    [[nodiscard]] const Group* find_group(std::string_view name) const {
        const auto found = std::ranges::find(venue_.groups, name, &Group::name);
        return found == venue_.groups.end() ? nullptr : &*found;
    }

    Mistake mistake_;
    Venue venue_;
    Weekdays days_ = k_all_days;
    std::optional<toml::source_region> hours_needed_;  // by the first rule that does
    std::set<std::string, std::less<>> symbols_;
};

}  // namespace

const Group* Venue::group_of(std::string_view symbol) const {
    for (const Group& group : groups)
        if (std::ranges::find(group.symbols, symbol) != group.symbols.end()) return &group;
    return nullptr;
}

const Rules& Venue::rules_of(std::string_view symbol) const {
    const Group* const group = group_of(symbol);
    return group == nullptr ? rules : group->rules;
}

bool Venue::has_combination(std::string_view symbol) const {
    return std::ranges::find(combinations, symbol, &Combination::symbol) != combinations.end();
}

std::expected<Venue, std::string> parse_venue(std::string_view text, std::string_view where) {
    const auto table = files::parse_toml(text, where);
    if (!table) return std::unexpected{table.error()};
    auto venue = VenueReader{where}.read(*table);
    if (venue) venue->text = text;
    return venue;
}

std::expected<Venue, std::string> read_venue(const std::filesystem::path& path) {
    const auto text = files::read_text(path, "venue file");
    if (!text) return std::unexpected{text.error()};
    return parse_venue(*text, path.string());
}

std::expected<Venue, std::string> find_venue(std::string_view name_or_file,
                                             const std::filesystem::path& folder) {
    if (const ReadyMade* const found = find_ready_made(name_or_file))
        return parse_venue(found->text, found->name);
    if (name_or_file.find('/') != std::string_view::npos || name_or_file.ends_with(".toml"))
        return read_venue(folder / name_or_file);
    std::vector<std::string> known;
    for (const ReadyMade& one : ready_made()) known.emplace_back(one.name);
    return std::unexpected{fmt::format("there is no venue '{}'; {} (a file has a name with .toml)",
                                       name_or_file, did_you_mean(name_or_file, known))};
}

}  // namespace damrak::venue
