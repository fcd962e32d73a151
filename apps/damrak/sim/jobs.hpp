// The jobs of `damrak sim`. Each returns the exit code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <damrak/measures/results.hpp>

namespace damrak::app {

/// Orders to explain.
struct ExplainOptions {
    std::string question;  ///< GROUP or GROUP:N; empty: none
    std::uint64_t limit = 20;
};

struct SimRunOptions {
    std::filesystem::path file;
    std::optional<std::uint64_t> seed;
    std::uint32_t seeds = 1;
    std::optional<std::uint32_t> jobs;
    std::string duration;
    std::filesystem::path keep;
    std::filesystem::path tables;
    ExplainOptions explain;
    bool json = false;
};

struct SimCompareOptions {
    std::vector<std::filesystem::path> files;
    std::optional<std::uint64_t> seed;
    std::uint32_t seeds = 20;
    std::optional<std::uint32_t> jobs;
    std::string duration;
    bool other_seeds = false;
    std::vector<std::string> measures;
    std::string primary;
    std::string effect;
    std::optional<double> until_ci;
    std::filesystem::path results = "damrak-results.db";
    bool fresh = false;
    std::filesystem::path report;
    bool json = false;
};

struct SimResultsOptions {
    std::filesystem::path results = "damrak-results.db";
    std::string market;
    std::vector<std::string> measures;
    std::vector<std::string> compared;
    bool json = false;
};

struct SimMeasureOptions {
    std::filesystem::path day;
    std::string symbol;
    std::string other;
    std::filesystem::path other_day;
    std::filesystem::path book;
    bool trust_messages = false;
    std::string from;
    std::string until;
    double tick = 0.01;
    bool json = false;
    bool partial = false;
};

struct SimJoinOptions {
    std::filesystem::path file;
    std::string gateway = "binary";
    std::string host = "127.0.0.1";
    std::optional<std::uint16_t> port;
    std::uint16_t itch_port = 26'401;
    std::string comp_id = "SIM";
    std::string exchange_comp_id = "DAMRAK";
    std::string password;
    std::optional<std::uint64_t> seed;
    std::string duration;
    bool json = false;
};

struct SimCalibrateOptions {
    std::filesystem::path day;
    std::string symbol;
    std::filesystem::path book;
    bool trust_messages = false;
    std::string from;
    std::string until;
    double tick = 0.01;
    std::int64_t ticks = 50;
    std::int64_t queues = 3;
    std::string model;
    std::filesystem::path write;
    bool json = false;
    bool partial = false;
};

struct SimScoreOptions {
    std::filesystem::path market;
    std::filesystem::path day;
    std::string symbol;
    std::string instrument;
    std::filesystem::path book;
    bool trust_messages = false;
    std::string from;
    std::string until;
    std::optional<std::uint64_t> seed;
    std::uint32_t seeds = 3;
    std::string duration;
    std::string block = "5min";
    std::filesystem::path report;
    bool json = false;
    bool partial = false;
};

struct SimValidateOptions {
    std::string only;
    std::filesystem::path market;
    std::filesystem::path day;
    std::string symbol;
    std::filesystem::path report;
    std::optional<std::uint32_t> jobs;
    bool json = false;
    bool partial = false;
};

struct SimWatchOptions {
    std::vector<std::filesystem::path> runs;
    std::uint16_t port = 8'080;
};

struct SimWhatIfOptions {
    std::filesystem::path day;
    std::filesystem::path file;
    std::string symbol;
    std::string from;
    std::string until;
    double tick = 0.01;
    bool trust_messages = false;
    std::filesystem::path modification;  ///< empty: the day is replayed as recorded
    std::optional<std::uint64_t> seed;
    ExplainOptions explain;
    bool json = false;
    bool partial = false;
};

struct SimCheckOptions {
    std::filesystem::path file;
    std::string symbol = "DAY";
};

/// A line for each measure, except those by group.
void print_measures(const measures::Results& results);

int measure_recorded_day(const SimMeasureOptions& options);
int list_results(const SimResultsOptions& options);
int compare_sim(const SimCompareOptions& options);
int join_exchange(const SimJoinOptions& options);
int calibrate_sim(const SimCalibrateOptions& options);
int score_market(const SimScoreOptions& options);
int validate_sim(const SimValidateOptions& options);
int replay_what_if(const SimWhatIfOptions& options);
int run_sim(const SimRunOptions& options);
int watch_runs(const SimWatchOptions& options);
int check_market_file(const SimCheckOptions& options);
int list_kinds(bool json);
int explain_market(const std::string& what);

}  // namespace damrak::app
