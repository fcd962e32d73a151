// `damrak venue`: the rule books that ship with the program, and those of files.
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <damrak/base/duration_text.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/venue/ready_made.hpp>
#include <damrak/venue/venue_file.hpp>

#include "cli.hpp"
#include "venue/json.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

struct VenueOptions {
    std::string venue;
    bool json = false;
    bool toml = false;
};

int list(bool json) {
    Json all = Json::array();
    for (const venue::ReadyMade& one : venue::ready_made()) {
        const auto venue = venue::parse_venue(one.text, one.name);
        if (!venue) return fail(venue.error());
        if (json)
            all.push_back({{"name", venue->name}, {"about", venue->about}});
        else
            fmt::print("{:<15} {}\n", venue->name, venue->about);
    }
    if (json) print_json({{"venues", std::move(all)}});
    return k_exit_success;
}

void print_session(const venue::TradingSession& session) {
    std::string what{name(session.phase)};
    if (session.phase == Phase::call) what += fmt::format(", {}", name(session.call));
    if (session.auction) what += fmt::format(", rule {}", name(*session.auction));
    if (session.continues) what += ", continued";
    if (session.sealed) what += ", sealed";
    if (session.random_end_ns != 0)
        what += fmt::format(", ends up to {} later", duration_text(session.random_end_ns));
    if (session.interval_ns != 0)
        what += fmt::format(", a batch each {}", duration_text(session.interval_ns));
    if (session.refuses != 0) what += fmt::format(", refuses {}", fmt::join(refused(session), " "));
    const std::string days = session.days == venue::k_all_days
                                 ? "daily"
                                 : fmt::format("{}", fmt::join(words_of(session.days), " "));
    fmt::print("  {:<9} {:<20} {:<29} {}\n", time_of_day(session.at_ns), days, session.name, what);
}

// What differs from continuous price-time trading, one line a rule.
void print_rules(std::string_view title, const venue::Rules& rules) {
    fmt::print("\n{}\n", title);
    const Json all = to_json(rules);
    const Json usual = to_json(venue::Rules{});
    bool has_any = false;
    for (const auto& [key, value] : all.items()) {
        if (value == usual.at(key)) continue;
        fmt::print("  {:<21} {}\n", key,
                   value.is_string() ? value.get<std::string>() : value.dump());
        has_any = true;
    }
    if (!has_any) fmt::print("  price-time priority, no price limits\n");
}

void print_list(std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    fmt::print("\n{}\n", title);
    for (const std::string& line : lines) fmt::print("  - {}\n", line);
}

void print_object(std::string_view title, const Json& object) {
    if (object.is_null()) return;
    fmt::print("\n{}\n", title);
    for (const auto& [key, value] : object.items()) fmt::print("  {:<21} {}\n", key, value.dump());
}

int show(const VenueOptions& options) {
    const auto venue = venue::find_venue(options.venue);
    if (!venue) return fail(venue.error());
    if (options.toml) {
        fmt::print("{}", venue->text);
        return k_exit_success;
    }
    if (options.json) return print_json(to_json(*venue)), k_exit_success;
    fmt::print("{}: {}\n\nSessions ({})\n", venue->name, venue->about, venue->zone);
    for (const venue::TradingSession& session : venue->sessions) print_session(session);
    print_rules(venue->groups.empty() ? "All instruments" : "Instruments in no group",
                venue->rules);
    for (const venue::Group& group : venue->groups)
        print_rules(fmt::format("{}: {}", group.name, fmt::join(group.symbols, ", ")), group.rules);
    if (venue->market_breaker) print_object("Market-wide breaker", to_json(*venue->market_breaker));
    const Json all = to_json(*venue);
    for (const auto& [key, title] :
         {std::pair{"delay", "Delays"}, std::pair{"fees", "Fees"}, std::pair{"index", "Index"}})
        print_object(title, all[key]);
    for (const Json& one : all["combinations"]) print_object("Combination of instruments", one);
    for (const Json& one : all["obligations"]) print_object("Obligation of market makers", one);
    print_list("Left out", venue->leaves_out);
    print_list("Sources", venue->sources);
    return k_exit_success;
}

int check(const VenueOptions& options) {
    const auto venue = venue::read_venue(options.venue);
    if (!venue) {
        if (options.json)
            print_json({{"file", options.venue}, {"valid", false}, {"error", venue.error()}});
        return fail(venue.error());
    }
    if (options.json)
        print_json({{"file", options.venue}, {"valid", true}, {"venue", venue->name}});
    else
        fmt::print("{}: venue {}, {}, {}\n", options.venue, venue->name,
                   counted(std::ssize(venue->sessions), "session"),
                   counted(std::ssize(venue->groups), "group"));
    return k_exit_success;
}

}  // namespace

void add_venue(CLI::App& program, Job& job) {
    CLI::App* const command = program.add_subcommand(
        "venue", "Shows the sessions and rules of venues, and checks venue files");
    command->require_subcommand(1);
    const auto options = std::make_shared<VenueOptions>();
    const auto add = [&](const char* name, const char* about) {
        CLI::App* const made = command->add_subcommand(name, about);
        made->add_flag("--json", options->json, "one JSON object on stdout");
        return made;
    };
    add("list", "Lists the ready-made venues")->callback([&job, options] {
        job = [options] { return list(options->json); };
    });
    CLI::App* const shown = add("show", "Shows the timetable of a venue, and the rules by group");
    shown->add_option("VENUE", options->venue, "name of a ready-made venue, or venue file")
        ->required();
    shown->add_flag("--toml", options->toml, "print the venue file, to copy and change it");
    shown->callback([&job, options] { job = [options] { return show(*options); }; });
    CLI::App* const checked = add("check", "Checks a venue file, and reports what is invalid");
    checked->add_option("FILE", options->venue, "venue file")->required();
    checked->callback([&job, options] { job = [options] { return check(*options); }; });
}

}  // namespace damrak::app
