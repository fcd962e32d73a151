#include "support/driver.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <ios>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace damrak::bench {

void Output::add_to(CLI::App& app) {
    app.add_flag("--json", json, "print one JSON object");
    app.add_option("--save", save_path, "keep the same object in this file");
}

int Output::deliver(const nlohmann::ordered_json& out) const {
    const std::string text = out.dump(2) + "\n";
    if (json) fmt::print("{}", text);
    if (save_path.empty()) return 0;
    std::ofstream file(save_path);
    file << text << std::flush;
    if (!file) fmt::print(stderr, "{}: cannot write\n", save_path);
    return file.good() ? 0 : 1;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace damrak::bench
