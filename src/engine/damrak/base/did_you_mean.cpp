#include <damrak/base/did_you_mean.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace damrak {

namespace {

// Levenshtein's: the fewest letters to insert, remove or exchange.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({exchanged, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    const auto nearest = std::ranges::min_element(
        known, {}, [word](const std::string& one) { return distance(word, one); });
    if (nearest != known.end() && distance(word, *nearest) <= 1 + word.size() / 3)
        return "did you mean " + *nearest + "?";
    std::string all = "known here: ";
    for (std::size_t i = 0; i < known.size(); ++i) all += (i == 0 ? "" : ", ") + known[i];
    return all;
}

}  // namespace damrak
