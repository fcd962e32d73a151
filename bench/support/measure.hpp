// Runs rows beside each other over one stream: first checked, then timed in turns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "support/message.hpp"
#include "support/row_events.hpp"

namespace damrak::bench {

inline constexpr int k_runs_min = 5;

struct Timing {
    std::string_view row;
    std::vector<double> runs_ns;  // sorted

    [[nodiscard]] double median_ns() const;
};

// Empty when every row trades exactly as the control did, else which does not.
[[nodiscard]] std::string find_disagreement(const MessageStream& stream, const Outcome& expected);

// Times every row, or only the named one, `runs` times in turns (null, control, ..., null, ...).
[[nodiscard]] std::vector<Timing> time_rows(const MessageStream& stream, int runs,
                                            std::string_view only = {});

[[nodiscard]] const Timing* find_timing(const std::vector<Timing>& timings, std::string_view row);

// `ROW_ns` with its extremes, and `ROW_ratio` to the control, for each row.
void write_timings(nlohmann::ordered_json& out, const std::vector<Timing>& timings);

// The same as lines of a table.
void print_timings(const std::vector<Timing>& timings);

}  // namespace damrak::bench
