#include <damrak/lab/instruction_run.hpp>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/files/temporary_folder.hpp>

namespace damrak::lab {

namespace {

// Runs a child with its output in files; returns its exit status.
int run_child(std::vector<std::string> command, const std::filesystem::path& folder) {
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    const std::string out = folder / "out";
    const std::string err = folder / "err";
    const pid_t child = fork();
    if (child == 0) {
        if (std::freopen(out.c_str(), "w", stdout) != nullptr &&
            std::freopen(err.c_str(), "w", stderr) != nullptr)
            execvp(words.front(), words.data());
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The count of one dump: the number after "totals:" or "summary:".
double counted_in(const std::filesystem::path& dump) {
    std::ifstream file(dump);
    for (std::string line; std::getline(file, line);) {
        const std::string_view text = line;
        for (const std::string_view key : {"totals: ", "summary: "}) {
            if (!text.starts_with(key)) continue;
            double count = 0;
            const std::string_view number = text.substr(key.size());
            std::from_chars(number.data(), number.data() + number.size(), count);
            return count;
        }
    }
    return 0;
}

std::expected<InstructionCounts, std::string> read_counts(const std::filesystem::path& folder) {
    InstructionCounts counts;
    std::ifstream lines(folder / "out");
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find('\t');
        const auto second = line.find('\t', first + 1);
        if (second == std::string::npos) return std::unexpected("child process output: " + line);
        const double operations = std::strtod(line.c_str() + second + 1, nullptr);
        const double count = counted_in(folder / fmt::format("counts.{}", ++number));
        if (count <= 0 || operations <= 0)
            return std::unexpected("callgrind wrote no count for " + line);
        counts[{line.substr(0, first), line.substr(first + 1, second - first - 1)}] =
            count / operations;
    }
    return counts;
}

std::string first_line_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

}  // namespace

std::expected<InstructionCounts, std::string> count_instructions(
    const std::string& program, const std::vector<std::string>& arguments) {
    const files::TemporaryFolder folder{"lab"};
    if (folder.path().empty()) return std::unexpected("no directory for temporary files");
    std::vector<std::string> command{
        "valgrind", "--tool=callgrind",
        fmt::format("--callgrind-out-file={}", (folder.path() / "counts").string()), program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const int status = run_child(std::move(command), folder.path());
    if (status == 127) return std::unexpected("valgrind is not installed");
    if (status != 0)
        return std::unexpected(fmt::format("valgrind ended with status {}: {}", status,
                                           first_line_of(folder.path() / "err")));
    return read_counts(folder.path());
}

void run_counted(const Experiment& experiment, const Effort& effort) {
    for (const Trial& trial : experiment.trials(effort)) {
        if (!trial.countable) continue;
        for (const Variant& variant : trial.variants) {
            const Sample sample = variant.run();
            fmt::print("{}\t{}\t{}\n", trial.name, variant.name, sample.operations);
            std::fflush(stdout);
        }
    }
}

}  // namespace damrak::lab
