// Scores as one HTML page that needs nothing else: a chart of all distances, a picture of each
// feature, the table. Called at the end.
#pragma once

#include <string>
#include <vector>

#include <damrak/score/score.hpp>

namespace damrak::score {

/// What was compared, and how it came out.
struct Scored {
    std::string market;  ///< its name
    std::string day;     ///< the symbol
    std::vector<Score> scores;
    std::vector<std::string> notes;  ///< a sentence each
};

[[nodiscard]] std::string report_html(const Scored& scored);

}  // namespace damrak::score
