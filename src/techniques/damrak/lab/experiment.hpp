// The parts of an experiment of the laboratory: trials, each with several variants that do the same
// work in different ways, and the figures that others have published about them.
//
// To add one, write a function that returns an Experiment in a file of its own, declare it in a
// header beside it, and add it to the list in experiments.cpp. `damrak lab run` then runs, compares
// and reports it. A variant's `run` does its set-up, passes the part to measure to measured()
// (lab/measured.hpp) and returns its Sample:
//
//     Variant{"map", "levels in a std::map", [flow] {
//         MapBook book;
//         return measured(flow->size(), Clock::cpu, [&] { apply(*flow, book); });
//     }};
//
// Called on one thread, at the set-up of a run; costs nothing while the clock runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/histogram.hpp>

namespace damrak::lab {

/// The result of one repetition of a variant.
struct Sample {
    std::int64_t operations = 0;
    std::int64_t elapsed_ns = 0;                 ///< total, by the trial's clock
    std::optional<std::int64_t> instructions{};  ///< if the processor's counters are readable
    std::optional<Histogram> latency_ns{};       ///< of single operations, if timed
};

/// One of the designs that a trial compares.
struct Variant {
    std::string name;  ///< short, unique within the trial
    std::string what;  ///< a phrase for the report
    /// One repetition: set-up, then the measured part. Every call starts afresh.
    std::function<Sample()> run;
};

/// A figure of a variant. Percentiles need a histogram in the sample.
enum class Measure : std::uint8_t { time_ns, latency_ns_p50, latency_ns_p99, latency_ns_p99_9 };

/// A figure that others have published about a variant. If the baseline of the trial has one of the
/// same measure and source, the report says whether the difference is reproduced here.
struct Published {
    std::string variant;
    Measure measure = Measure::time_ns;
    double figure = 0;  ///< nanoseconds
    std::string source{};
};

enum class Clock : std::uint8_t {
    cpu,  ///< processor time of the calling thread: less affected by other load
    wall  ///< for work of more than one thread
};

/// Variants under one workload. The first is the baseline for comparisons.
struct Trial {
    std::string name;       ///< unique within the experiment: "rung2", "100000_ticks"
    std::string title;      ///< for the report
    std::string operation;  ///< unit of `Sample::operations`, singular: "order"
    std::vector<Variant> variants;
    std::vector<Published> published{};
    /// Size of the work; trials with the same `series` form one line over it.
    std::optional<double> size{};
    std::string series{};
    /// False if the work differs between repetitions, as with spinning threads: no instruction
    /// counts.
    bool countable = true;
    Clock clock = Clock::cpu;  ///< the clock of its variants, for the report
};

/// The amount of work to do.
struct Effort {
    enum class Size : std::uint8_t {
        full,
        quick,    ///< a sixteenth of the work
        counting  ///< a 64th: for an instrument that slows everything some fifty times
    };
    Size size = Size::full;
    std::uint64_t seed = 42;

    /// `full` operations or the share of them for this effort, at least `least`.
    [[nodiscard]] std::int64_t scaled(std::int64_t full, std::int64_t least = 1) const;
};

struct Experiment {
    std::string name;  ///< on the command line: lower case
    std::string title;
    std::string question;    ///< one or two sentences
    bool is_factor = false;  ///< a single design choice: `damrak lab factor NAME`
    /// Creates the workloads; called once per run.
    std::function<std::vector<Trial>(const Effort&)> trials;
};

/// All experiments, in the order of a full run.
[[nodiscard]] const std::vector<Experiment>& experiments();
/// Null if there is no experiment of this name.
[[nodiscard]] const Experiment* find_experiment(std::string_view name);

}  // namespace damrak::lab
