// Log of a simulated world, one line per event. A failure report ends with its last lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace damrak::simulation {

class Chronicle {
  public:
    /// `print`: print every line at once.
    explicit Chronicle(bool print = false) : print_(print) {}

    void note(std::uint32_t step, std::int64_t elapsed_ns, const std::string& line) {
        lines_.push_back(fmt::format("{:>5} {:>9} us  {}", step, elapsed_ns / 1'000, line));
        if (print_) fmt::print("{}\n", lines_.back());
        if (lines_.size() > k_lines) lines_.pop_front();
    }
    [[nodiscard]] std::string reported_with(std::uint64_t seed, std::uint32_t step,
                                            const std::string& finding) const {
        std::string text =
            fmt::format("seed {}, step {}: {}\n\nwhat went before:\n", seed, step, finding);
        for (const std::string& line : lines_) text += "  " + line + "\n";
        return text;
    }

  private:
    static constexpr std::size_t k_lines = 50;

    bool print_;
    std::deque<std::string> lines_;
};

}  // namespace damrak::simulation
