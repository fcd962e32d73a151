// `damrak sim whatif`: a recorded day with the participants of a market file in it.
#include <damrak/what_if/what_if.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <damrak/base/duration_text.hpp>

#include "cli.hpp"
#include "modify_option.hpp"
#include "partial.hpp"
#include "progress.hpp"
#include "serve/process.hpp"
#include "sim/explained.hpp"
#include "sim/hours.hpp"
#include "sim/jobs.hpp"

namespace damrak::app {
namespace {

using Json = nlohmann::ordered_json;
using what_if::DriftStretch;
using what_if::GroupTrading;

constexpr const char* k_what_if_command = "sim whatif";
constexpr double k_units = 10'000;  // of the currency

/// A folder for the archived day of another format, which goes with the program.
class WorkFolder {
  public:
    WorkFolder()
        : path_(std::filesystem::temp_directory_path() /
                fmt::format("damrak-whatif-{}", ::getpid())) {}
    ~WorkFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

Json a_share(double sum, std::int64_t quantity) {
    if (quantity == 0) return nullptr;
    return sum / static_cast<double>(quantity) / k_units;
}

std::string share_text(double sum, std::int64_t quantity) {
    if (quantity == 0) return "-";
    return fmt::format("{:.4f}", sum / static_cast<double>(quantity) / k_units);
}

std::string time_text(std::int64_t ns) {
    const std::int64_t us = ns / 1'000;
    return fmt::format("{:02}:{:02}:{:02}.{:06}", us / 3'600'000'000, us / 60'000'000 % 60,
                       us / 1'000'000 % 60, us % 1'000'000);
}

double missed_share(const what_if::Result& result) {
    if (result.recorded_trades == 0) return 0;
    return static_cast<double>(result.drift.missed_trades) /
           static_cast<double>(result.recorded_trades);
}

Json json_of(const GroupTrading& group) {
    Json markouts = Json::object();
    for (std::size_t i = 0; i < what_if::k_markout_ns.size(); ++i)
        markouts[duration_text(what_if::k_markout_ns[i])] =
            a_share(group.markouts[i].sum, group.markouts[i].quantity);
    return {{"group", group.group},
            {"messages", group.messages},
            {"orders", group.orders},
            {"fills", group.fills},
            {"bought", group.bought},
            {"sold", group.sold},
            {"maker_quantity", group.maker_quantity},
            {"cash", static_cast<double>(group.cash) / k_units},
            {"arrival_mid", group.arrival_x2
                                ? Json(static_cast<double>(*group.arrival_x2) / 2 / k_units)
                                : Json(nullptr)},
            {"slippage_a_share", a_share(group.slippage, group.slippage_quantity)},
            {"shortfall_a_share", a_share(group.shortfall, group.slippage_quantity)},
            {"markout_a_share", std::move(markouts)}};
}

Json json_of(const DriftStretch& stretch) {
    return {{"from", time_text(stretch.begin_ns)},
            {"until", time_text(stretch.end_ns)},
            {"measured_s", static_cast<double>(stretch.measured_ns) / 1e9},
            {"differing_s", static_cast<double>(stretch.differing_ns) / 1e9},
            {"bid_distance", stretch.bid_distance / k_units},
            {"ask_distance", stretch.ask_distance / k_units}};
}

Json json_of(const what_if::Result& result) {
    Json groups = Json::array();
    for (const GroupTrading& group : result.groups) groups.push_back(json_of(group));
    Json series = Json::array();
    for (const DriftStretch& stretch : result.series) series.push_back(json_of(stretch));
    Json drift{{"recorded_trades", result.recorded_trades},
               {"missed_trades", result.drift.missed_trades},
               {"missed_share", missed_share(result)},
               {"missed_quantity", result.drift.missed_quantity},
               {"taken", result.drift.taken},
               {"withdrawn", result.drift.withdrawn},
               {"differences", result.drift.differences},
               {"refused", result.drift.refused},
               {"not_played", result.drift.not_played}};
    if (result.has_acted) {
        drift["first_action"] = time_text(result.first_action_ns);
        drift["distance"] = json_of(result.distance);
        drift["series"] = std::move(series);
    }
    Json object{{"hash", fmt::format("{:016x}", result.hash)},
                {"messages", result.recorded_messages},
                {"own_messages", result.counts.messages},
                {"trades", result.counts.trades},
                {"messages_per_s", static_cast<double>(result.recorded_messages) / result.cpu_s},
                {"groups", std::move(groups)},
                {"drift", std::move(drift)}};
    if (result.reaction)
        object["reaction"] = {{"orders", result.reaction->orders},
                              {"added", result.reaction->added},
                              {"cancelled", result.reaction->cancelled},
                              {"filled", result.reaction->filled}};
    if (!result.faults.empty()) object["faults"] = result.faults;
    add_completeness(object, result.completeness);
    object["complete"] = result.is_complete;
    return object;
}

void print_groups(const what_if::Result& result) {
    if (result.groups.empty()) return;
    fmt::print("\n{:<16} {:>8} {:>8} {:>10} {:>10} {:>8} {:>10} {:>10}", "group", "orders", "fills",
               "bought", "sold", "maker", "slippage", "shortfall");
    for (const std::int64_t ns : what_if::k_markout_ns)
        fmt::print(" {:>10}", "after " + duration_text(ns));
    fmt::print("\n");
    for (const GroupTrading& group : result.groups) {
        fmt::print("{:<16} {:>8} {:>8} {:>10} {:>10} {:>7.0f}% {:>10} {:>10}", group.group,
                   group.orders, group.fills, group.bought, group.sold,
                   group.quantity() == 0 ? 0
                                         : 100 * static_cast<double>(group.maker_quantity) /
                                               static_cast<double>(group.quantity()),
                   share_text(group.slippage, group.slippage_quantity),
                   share_text(group.shortfall, group.slippage_quantity));
        for (const what_if::Markout& markout : group.markouts)
            fmt::print(" {:>10}", share_text(markout.sum, markout.quantity));
        fmt::print("\n");
    }
    fmt::print(
        "slippage, shortfall: paid a share over the recorded mid, at the fill and at the first "
        "message\nafter: gained a share against the recorded mid that much later\n");
}

void print_drift(const what_if::Result& result) {
    fmt::print("\n{} of {} recorded trades missed ({:.2f}%); {} shares traded with the record\n",
               grouped(static_cast<std::int64_t>(result.drift.missed_trades)),
               grouped(static_cast<std::int64_t>(result.recorded_trades)),
               100 * missed_share(result), grouped(static_cast<std::int64_t>(result.drift.taken)));
    if (result.drift.refused > 0)
        fmt::print("{} recorded messages refused: raise maximum_orders of [exchange]\n",
                   result.drift.refused);
    if (result.reaction)
        fmt::print("the reaction added {} shares, cancelled {}, traded {}\n",
                   grouped(result.reaction->added), grouped(result.reaction->cancelled),
                   grouped(result.reaction->filled));
    if (!result.has_acted) return;
    fmt::print("best prices against the record since {}:\n{:>16} {:>10} {:>12} {:>12}\n",
               time_text(result.first_action_ns), "until", "differing", "bid, mean", "ask, mean");
    const auto line = [](const DriftStretch& stretch, const std::string& name) {
        const double share = stretch.measured_ns == 0
                                 ? 0
                                 : static_cast<double>(stretch.differing_ns) /
                                       static_cast<double>(stretch.measured_ns);
        fmt::print("{:>16} {:>9.2f}% {:>12.4f} {:>12.4f}\n", name, 100 * share,
                   stretch.bid_distance / k_units, stretch.ask_distance / k_units);
    };
    for (const DriftStretch& stretch : result.series) line(stretch, time_text(stretch.end_ns));
    line(result.distance, "all");
}

void print(const what_if::Result& result, const std::string& symbol) {
    fmt::print("{}: {} recorded messages, {} own, {:.2f} million a second, hash {:016x}\n", symbol,
               grouped(static_cast<std::int64_t>(result.recorded_messages)),
               grouped(static_cast<std::int64_t>(result.counts.messages)),
               static_cast<double>(result.recorded_messages) / result.cpu_s * 1e-6, result.hash);
    print_groups(result);
    print_drift(result);
    for (const std::string& fault : result.faults) fmt::print("fault: {}\n", fault);
}

}  // namespace

int replay_what_if(const SimWhatIfOptions& options) {
    const auto hours = measured_hours(options.from, options.until);
    if (!hours) return fail_usage(hours.error(), k_what_if_command);
    std::optional<modify::Modification> modification;
    if (!options.modification.empty()) {
        auto read = modify::read_modification(options.modification);
        if (!read) return fail(read.error());
        modification = *std::move(read);
    }
    const WorkFolder folder;
    const auto day = what_if::open_day({.file = options.day,
                                        .folder = folder.path(),
                                        .symbol = options.symbol,
                                        .from_ns = hours->begin_ns,
                                        .until_ns = hours->end_ns,
                                        .tick = std::llround(options.tick * k_units),
                                        .trust_messages = options.trust_messages,
                                        .modification = std::move(modification)});
    if (!day) return fail(day.error());
    for (const std::string& sentence : archive::sentences(day->day->depth()))
        say("damrak: note: {}\n", sentence);
    const auto file = market_runs::read_market_file(options.file, &day->given);
    if (!file) return fail(file.error());
    const auto watch = watch_for(options.explain, *file);
    if (!watch) return fail_usage(watch.error(), k_what_if_command);
    handle_signals();
    constexpr std::uint64_t k_whole = 10'000;
    ProgressBar bar{"replaying", k_whole};
    what_if::Options how;
    how.seed = options.seed.value_or(file->seed);
    how.progress = [&](double share, std::uint64_t messages) {
        bar.update(static_cast<std::uint64_t>(share * k_whole), messages);
    };
    how.stop = [] { return stop_asked(); };
    how.watchers = watchers_of(*watch);
    const auto result = what_if::run(*day, *file, how);
    bar.clear();
    if (!result) return fail(result.error());
    const Timestamp begin{day->midnight_ns + day->begin_ns};
    std::optional<Timestamp> end;
    if (result->is_complete)
        end = {begin.value + std::min(file->duration_ns, day->given.duration_ns)};
    const auto answered = answer(*watch, end);
    if (!answered) return fail_usage(answered.error(), k_what_if_command);
    if (options.json) {
        Json object = json_of(*result);
        object["not_known"] = archive::sentences(day->day->depth());
        if (day->changes) add_changes(object, *day->changes);
        if (*watch) object["explained"] = app::json_of(**watch, begin);
        print_json(object);
    } else {
        if (day->changes)
            for (const std::string& sentence : modify::sentences(*day->changes))
                fmt::print("note: {}\n", sentence);
        print(*result, std::string{day->given.instrument.definition.symbol.view()});
        if (*watch) print_explained(**watch, begin);
    }
    if (!result->faults.empty() && !result->is_complete) return fail(result->faults.front());
    return end_answer(result->completeness, options.partial);
}

}  // namespace damrak::app
