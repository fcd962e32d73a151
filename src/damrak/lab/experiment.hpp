// What an experiment of the laboratory is made of: trials, in each of them some variants that do
// the same work in different ways, and what others have published about them.
//
// To add one: write a function that returns an Experiment in a file of its own, declare it in a
// header beside it, and name it in the list of experiments.cpp. `damrak lab run` finds it there,
// and runs, compares and reports it; nothing else has to change. A variant's `run` does its set-up,
// hands the part that is to be measured to measured() (lab/measured.hpp) and returns its Sample:
//
//     Variant{"map", "levels in a std::map", [flow] {
//         MapBook book;
//         return measured(flow->size(), Clock::cpu, [&] { apply(*flow, book); });
//     }};
//
// Called on one thread, at set-up of a run; nothing here costs anything while something is timed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/histogram.hpp>

namespace damrak::lab {

/// What one repetition of a variant gave.
struct Sample {
    std::int64_t operations = 0;
    std::int64_t elapsed_ns = 0;                 ///< for all of them, by the clock of the trial
    std::optional<std::int64_t> instructions{};  ///< where the processor's counters can be read
    std::optional<Histogram> latency_ns{};  ///< of single operations, if the variant timed them
};

struct Variant {
    std::string name;  ///< short, unlike any other of the trial
    std::string what;  ///< half a sentence for the report
    /// One repetition: its set-up, then the measured part. Every call starts afresh.
    std::function<Sample()> run;
};

/// Which figure of a variant is meant. Percentiles need a histogram in the sample.
enum class Measure : std::uint8_t { time_ns, latency_ns_p50, latency_ns_p99, latency_ns_p99_9 };

/// A figure that others have published about a variant. Where a trial has one of the same measure
/// and source for its baseline as well, the report says whether the difference is found here too.
struct Published {
    std::string variant;
    Measure measure = Measure::time_ns;
    double figure = 0;  ///< nanoseconds
    std::string source{};
};

enum class Clock : std::uint8_t {
    cpu,  ///< processor time of the calling thread: others on the machine count for less
    wall  ///< for work of more than one thread
};

/// Variants under one workload. The first is the baseline with which the others are compared.
struct Trial {
    std::string name;       ///< unlike any other of the experiment: "rung2", "100000_ticks"
    std::string title;      ///< what is done, for the report
    std::string operation;  ///< what `Sample::operations` counts, in the singular: "order"
    std::vector<Variant> variants;
    std::vector<Published> published{};
    /// Size of the work; trials with the same `series` are drawn as one line over it.
    std::optional<double> size{};
    std::string series{};
    /// Instructions are reported only of work that is the same in each repetition: not of threads
    /// that spin.
    bool countable = true;
    Clock clock = Clock::cpu;  ///< by which its variants measure, as the report says it
};

/// How much work is wanted.
struct Effort {
    enum class Size : std::uint8_t {
        full,
        quick,    ///< a sixteenth
        counting  ///< a 64th: under an instrument that makes everything some fifty times slower
    };
    Size size = Size::full;
    std::uint64_t seed = 42;

    /// `full` operations or the share of them that is wanted, never fewer than `least`.
    [[nodiscard]] std::int64_t scaled(std::int64_t full, std::int64_t least = 1) const;
};

struct Experiment {
    std::string name;  ///< of the command line: lower case
    std::string title;
    std::string question;    ///< that it answers, one or two sentences
    bool is_factor = false;  ///< one design choice alone: `damrak lab factor NAME`
    /// Makes the workloads; called once a run.
    std::function<std::vector<Trial>(const Effort&)> trials;
};

/// All of them, in the order of a whole run.
[[nodiscard]] const std::vector<Experiment>& experiments();
/// Null if no experiment has this name.
[[nodiscard]] const Experiment* find_experiment(std::string_view name);

}  // namespace damrak::lab
