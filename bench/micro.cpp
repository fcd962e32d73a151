// micro [--rounds N] [--case NAME] [--json] [--save FILE]: the small cases of the literature, on
// each row of nw1.
//
// The cases are those of a public study of matching engines, whose best results are given beside:
// insert at one and at random prices, execute one order, execute 100 over 1, 10 and 100 levels,
// cancel among 1, 1,000 and 1,000,000 levels. Three passes over fresh books: the mean comes from a
// loop without a clock inside, each message in a span of its own (nothing to look ahead to); the
// same with the messages in one queue, as a busy server has them, which may be looked ahead at; the
// percentiles come from clocking each message, less what the clock itself costs. A message is one
// order here, even when it fills 100.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/histogram.hpp>
#include <damrak/base/random.hpp>

#include "support/cpu_clock.hpp"
#include "support/cycle_clock.hpp"
#include "support/driver.hpp"
#include "support/measure.hpp"
#include "support/rows.hpp"

namespace damrak::bench {
namespace {

constexpr std::uint8_t k_buy = 0;
constexpr std::uint8_t k_sell = 1;
constexpr std::uint32_t k_lot = 100;
constexpr std::uint32_t k_orders = 10'000;  // live orders, or orders of a case, unless it says more
constexpr std::uint32_t k_fills = 100;

struct MicroCase {
    std::string_view name;
    double published_ns;  // best of the study in the mean; 0 where it has no such case
    MessageStream stream;
};

// Builds the stream of a case: what is appended before `start` is prefill.
class CaseBuilder {
  public:
    explicit CaseBuilder(std::uint64_t seed) : random_(seed) {}

    std::uint64_t add(std::uint8_t side, std::int32_t price_ticks, std::uint32_t quantity = k_lot) {
        append({.op = Nw1Op::add,
                .side = side,
                .quantity = quantity,
                .order_id = ++last_id_,
                .price_ticks = price_ticks});
        return last_id_;
    }

    void cancel(std::uint64_t order_id) { append({.op = Nw1Op::cancel, .order_id = order_id}); }

    void start() { stream_.prefill_count = stream_.messages.size(); }
    RandomStream& random() { return random_; }
    MessageStream take() { return std::move(stream_); }

  private:
    struct Fields {
        Nw1Op op = Nw1Op::add;
        std::uint8_t side = k_buy;
        std::uint32_t quantity = 0;
        std::uint64_t order_id = 0;
        std::int32_t price_ticks = 1;
    };

    void append(const Fields& fields) {
        stream_.append({.op = fields.op,
                        .side = fields.side,
                        .ioc = 0,
                        .padding = 0,
                        .quantity = fields.quantity,
                        .order_id = fields.order_id,
                        .price_ticks = fields.price_ticks,
                        .symbol = 0,
                        .more_padding = 0,
                        .target_age = 0});
    }

    RandomStream random_;
    MessageStream stream_;
    std::uint64_t last_id_ = 0;
};

// Each case is rehearsed once before it is timed: an exchange has touched its memory before the
// day.

MessageStream insert_at_random_prices(std::uint32_t prices) {
    CaseBuilder builder(1);
    const auto add_all = [&] {
        for (std::uint32_t i = 0; i < k_orders; ++i) {
            builder.add(k_buy, static_cast<std::int32_t>(1 + builder.random().below(prices)));
        }
    };
    add_all();
    for (std::uint64_t id = 1; id <= k_orders; ++id) builder.cancel(id);
    builder.start();
    add_all();
    return builder.take();
}

// Each timed order executes `fills` resting ones, spread evenly over `levels` prices.
MessageStream execute(std::uint32_t fills, std::uint32_t levels) {
    CaseBuilder builder(2);
    const auto fill_book = [&] {
        for (std::uint32_t i = 0; i < k_orders; ++i) {
            builder.add(k_sell, static_cast<std::int32_t>(1 + i / (fills / levels)));
        }
    };
    const auto execute_all = [&] {
        for (std::uint32_t i = 0; i < k_orders / fills; ++i) {
            builder.add(k_buy, static_cast<std::int32_t>(k_orders + 1), fills * k_lot);
        }
    };
    fill_book();
    execute_all();
    fill_book();
    builder.start();
    execute_all();
    return builder.take();
}

// Cancels 10,000 orders drawn at random from those that rest evenly on `levels` prices.
MessageStream cancel_among(std::uint32_t levels) {
    CaseBuilder builder(3);
    const std::uint32_t resting = std::max(k_orders, levels);
    std::vector<std::pair<std::uint64_t, std::int32_t>> orders;  // ids and prices
    for (std::uint32_t i = 0; i < resting; ++i) {
        const auto price_ticks = static_cast<std::int32_t>(1 + i % levels);
        orders.emplace_back(builder.add(k_buy, price_ticks), price_ticks);
    }
    const auto cancel_some = [&] {
        for (std::uint32_t i = 0; i < k_orders; ++i) {
            std::swap(orders[i], orders[i + builder.random().below(resting - i)]);
            builder.cancel(orders[i].first);
        }
    };
    cancel_some();
    for (std::uint32_t i = 0; i < k_orders; ++i) {
        orders[i].first = builder.add(k_buy, orders[i].second);
    }
    builder.start();
    cancel_some();
    return builder.take();
}

std::vector<MicroCase> make_cases() {
    std::vector<MicroCase> cases;
    cases.push_back({"insert, one price", 22.7, insert_at_random_prices(1)});
    cases.push_back({"insert, random of 10,000 prices", 103.0, insert_at_random_prices(10'000)});
    cases.push_back({"execute 1", 17.7, execute(1, 1)});
    cases.push_back({"execute 100 over 1 level", 905.0, execute(k_fills, 1)});
    cases.push_back({"execute 100 over 10 levels", 905.0, execute(k_fills, 10)});
    cases.push_back({"execute 100 over 100 levels", 920.0, execute(k_fills, 100)});
    cases.push_back({"cancel among 1 level", 0.0, cancel_among(1)});
    cases.push_back({"cancel among 1,000 levels", 0.0, cancel_among(1'000)});
    cases.push_back({"cancel among 1,000,000 levels", 155.0, cancel_among(1'000'000)});
    return cases;
}

struct Figures {
    std::string_view row;
    double mean_ns = 0.0;
    double queued_mean_ns = 0.0;
    double p50_ns = 0.0;
    double p99_ns = 0.0;
    double p99_9_ns = 0.0;
};

struct Options {
    int rounds = 50;
    std::string only_case;
    Output output;
};

// Large books are built fewer times, since building them is most of the work.
int rounds_of(const MessageStream& stream, int rounds) {
    return stream.messages.size() > std::size_t{10} * k_orders ? std::max(3, rounds / 10) : rounds;
}

Figures measure(const Row& row, const MessageStream& stream, int rounds, const CycleScale& clock) {
    std::vector<double> means;
    std::vector<double> queued_means;
    const auto histogram = std::make_unique<Histogram>();
    for (int round = 0; round < rounds; ++round) {
        means.push_back(row.time_singly_ns(stream));
        queued_means.push_back(row.time_ns(stream));
        row.clock_cycles(stream, *histogram);
    }
    return {.row = row.name,
            .mean_ns = median(std::move(means)),
            .queued_mean_ns = median(std::move(queued_means)),
            .p50_ns = clock.ns(histogram->percentile(50.0)),
            .p99_ns = clock.ns(histogram->percentile(99.0)),
            .p99_9_ns = clock.ns(histogram->percentile(99.9))};
}

nlohmann::ordered_json to_json(const Figures& figures) {
    return {{"mean_ns", figures.mean_ns},
            {"queued_mean_ns", figures.queued_mean_ns},
            {"ns_p50", figures.p50_ns},
            {"ns_p99", figures.p99_ns},
            {"ns_p99_9", figures.p99_9_ns}};
}

void print_case(const MicroCase& micro, const std::vector<Figures>& rows) {
    for (const Figures& row : rows) {
        const std::string published =
            micro.published_ns > 0.0 ? fmt::format("{:.1f}", micro.published_ns) : "-";
        fmt::print("{:<32}{:<10}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>11}\n", micro.name,
                   row.row, row.mean_ns, row.queued_mean_ns, row.p50_ns, row.p99_ns, row.p99_9_ns,
                   published);
    }
}

int run(const Options& options) {
    const CycleScale clock;
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["clock_overhead_ns"] = clock.overhead_ns();
    if (!options.output.json) {
        fmt::print("{}, {}; ns an order; the clock's own {:.1f} ns are subtracted\n\n",
                   machine_name(), compiler_name(), out["clock_overhead_ns"].get<double>());
        fmt::print("{:<32}{:<10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>11}\n", "case", "row", "mean",
                   "queued", "p50", "p99", "p99.9", "published");
    }
    bool found = false;
    for (MicroCase& micro : make_cases()) {
        if (!options.only_case.empty() && options.only_case != micro.name) continue;
        found = true;
        const Outcome outcome = prepare(micro.stream);
        if (const auto fault = find_disagreement(micro.stream, outcome); !fault.empty()) {
            fmt::print(stderr, "micro: {}: {}\n", micro.name, fault);
            return 1;
        }
        std::vector<Figures> rows;
        nlohmann::ordered_json& entry = out["cases"][std::string(micro.name)];
        if (micro.published_ns > 0.0) entry["published_ns"] = micro.published_ns;
        for (const Row& row : all_rows()) {
            rows.push_back(
                measure(row, micro.stream, rounds_of(micro.stream, options.rounds), clock));
            entry[std::string(row.name)] = to_json(rows.back());
        }
        if (!options.output.json) print_case(micro, rows);
    }
    if (!found) {
        fmt::print(stderr, "micro: no case '{}': they are named as in the table\n",
                   options.only_case);
        return 2;
    }
    return options.output.deliver(out);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"small cases of the literature, in nanoseconds an order"};
    app.add_option("--rounds", options.rounds, "times a case is built and run")
        ->check(CLI::Range(3, 10'000));
    app.add_option("--case", options.only_case, "this case alone, named as in the table");
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
