#include "support/rows.hpp"

#include <algorithm>
#include <array>

#include "support/book_row.hpp"
#include "support/control_row.hpp"
#include "support/cpu_clock.hpp"

namespace damrak::bench {
namespace {

// Not inlined, so that callgrind can be told to count from here (--toggle-collect).
template <class Runner>
[[gnu::noinline]] void run_timed_part(Runner& runner, std::span<const Nw1Record> records) {
    runner.run(records);
}

template <template <class> class Runner, class Sink>
double time_row(const Nw1Stream& stream) {
    Sink sink;
    Runner<Sink> runner(stream.info, sink);
    runner.run(stream.prefill());
    const std::int64_t start_ns = cpu_time_ns();
    run_timed_part(runner, stream.timed());
    const std::int64_t stop_ns = cpu_time_ns();
    sink.keep();
    return static_cast<double>(stop_ns - start_ns) / static_cast<double>(stream.timed().size());
}

template <template <class> class Runner, class Sink>
Outcome check_row(const Nw1Stream& stream) {
    Sink sink;
    Runner<Sink> runner(stream.info, sink);
    runner.run(stream.prefill());
    runner.run(stream.timed());
    return sink.outcome();
}

constexpr std::array k_rows{
    Row{"null", time_row<NullRow, RingSink<Nw1Event>>, nullptr},
    Row{"control", time_row<ControlRow, RingSink<Nw1Event>>, check_row<ControlRow, TradeCheck>},
    Row{"book", time_row<BookRow, RingSink<Nw1Event>>, check_row<BookRow, TradeCheck>},
};

}  // namespace

std::span<const Row> all_rows() { return k_rows; }

Outcome measure_capacity(Nw1Stream& stream) {
    TradeCheck sink;
    ControlRow<TradeCheck> row(stream.info, sink);
    std::uint64_t live = 0;
    for (const Nw1Record& record : stream.records) {
        const auto& book = row.book(record.symbol);
        live -= book.live_orders();
        row.apply(record);
        live += book.live_orders();
        stream.info.live_orders_max = std::max(stream.info.live_orders_max, live);
        stream.info.live_orders_per_symbol_max =
            std::max<std::uint64_t>(stream.info.live_orders_per_symbol_max, book.live_orders());
    }
    return sink.outcome();
}

}  // namespace damrak::bench
