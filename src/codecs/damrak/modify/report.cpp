#include <damrak/modify/report.hpp>

#include <fmt/format.h>

#include <damrak/base/number_text.hpp>

namespace damrak::modify {

std::vector<std::string> sentences(const Changes& changes) {
    std::vector<std::string> made;
    std::string_view table;
    for (std::size_t i = 0; i < k_counts.size(); ++i) {
        const CountName& name = k_counts[i];
        const std::uint64_t count = changes.report.all()[i];
        if (count == 0 && i > static_cast<std::size_t>(Count::messages_out)) continue;
        const std::string counted =
            fmt::format("{} {}", grouped(static_cast<std::int64_t>(count)), name.words);
        if (made.empty()) {
            made.push_back(
                fmt::format("modified by {}, seed {}: {}", changes.file, changes.seed, counted));
        } else if (name.table.empty()) {
            made.front() += ", " + counted;
        } else if (name.table == table) {
            made.back() += ", " + counted;
        } else {
            made.push_back(fmt::format("[{}] {}", name.table, counted));
        }
        if (!name.table.empty()) table = name.table;
    }
    return made;
}

}  // namespace damrak::modify
