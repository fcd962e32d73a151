#include "support/measure.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/driver.hpp"
#include "support/rows.hpp"

namespace damrak::bench {

double Timing::median_ns() const { return median(runs_ns); }

std::string find_disagreement(const MessageStream& stream, const Outcome& expected) {
    for (const Row& row : all_rows()) {
        if (row.check == nullptr) continue;
        const Outcome outcome = row.check(stream);
        if (outcome == expected) continue;
        if (!outcome.cannot_hold.empty()) {
            return fmt::format(
                "row '{}' cannot hold this stream, which it rejects in part ({}): prices, "
                "quantities and their products have to stay within 63 bits",
                row.name, outcome.cannot_hold);
        }
        return fmt::format(
            "row '{}' disagrees with the control: {} trades, fingerprint {:016x}, {} refused; "
            "control: {} trades, fingerprint {:016x}, {} refused",
            row.name, outcome.trades, outcome.fingerprint, outcome.refused, expected.trades,
            expected.fingerprint, expected.refused);
    }
    return {};
}

std::vector<Timing> time_rows(const MessageStream& stream, int runs, std::string_view only) {
    std::vector<Timing> timings;
    for (const Row& row : all_rows()) timings.push_back({row.name, {}});
    for (int run = 0; run < runs; ++run) {
        for (std::size_t i = 0; i < timings.size(); ++i) {
            if (!only.empty() && timings[i].row != only) continue;
            timings[i].runs_ns.push_back(all_rows()[i].time_ns(stream));
        }
    }
    std::erase_if(timings, [](const Timing& timing) { return timing.runs_ns.empty(); });
    for (Timing& timing : timings) std::ranges::sort(timing.runs_ns);
    return timings;
}

const Timing* find_timing(const std::vector<Timing>& timings, std::string_view row) {
    const auto found = std::ranges::find(timings, row, &Timing::row);
    return found == timings.end() ? nullptr : &*found;
}

void write_timings(nlohmann::ordered_json& out, const std::vector<Timing>& timings) {
    const Timing* control = find_timing(timings, "control");
    for (const Timing& timing : timings) {
        out[fmt::format("{}_ns", timing.row)] = timing.median_ns();
        out[fmt::format("{}_ns_min", timing.row)] = timing.runs_ns.front();
        out[fmt::format("{}_ns_max", timing.row)] = timing.runs_ns.back();
        if (control != nullptr && timing.row != "control" && timing.row != "null") {
            out[fmt::format("{}_ratio", timing.row)] = timing.median_ns() / control->median_ns();
        }
    }
}

void print_timings(const std::vector<Timing>& timings) {
    fmt::print("{:<10}{:>9}{:>9}{:>9}{:>12}\n", "row", "median", "min", "max", "of control");
    const Timing* control = find_timing(timings, "control");
    for (const Timing& timing : timings) {
        fmt::print("{:<10}{:>9.2f}{:>9.2f}{:>9.2f}", timing.row, timing.median_ns(),
                   timing.runs_ns.front(), timing.runs_ns.back());
        if (control != nullptr) {
            fmt::print("{:>12.3f}", timing.median_ns() / control->median_ns());
        }
        fmt::print("\n");
    }
}

}  // namespace damrak::bench
