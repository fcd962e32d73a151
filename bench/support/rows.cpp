#include "support/rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/book_row.hpp"
#include "support/control_row.hpp"
#include "support/cpu_clock.hpp"
#include "support/cycle_clock.hpp"
#include "support/engine_row.hpp"

namespace damrak::bench {
namespace {

// Not inlined, so that callgrind can start counting here (--toggle-collect).
template <class Runner>
[[gnu::noinline]] void run_timed_part(Runner& runner, std::span<const Message> messages) {
    runner.run(messages);
}

template <class Runner>
[[gnu::noinline]] void run_singly(Runner& runner, std::span<const Message> messages) {
    for (std::size_t i = 0; i < messages.size(); ++i) runner.run(messages.subspan(i, 1));
}

template <template <class> class Runner, class Sink>
struct Measure {
    static double time_ns(const MessageStream& stream) {
        return timed(stream, run_timed_part<Runner<Sink>>);
    }

    static double time_singly_ns(const MessageStream& stream) {
        return timed(stream, run_singly<Runner<Sink>>);
    }

    static void clock_cycles(const MessageStream& stream, Histogram& histogram) {
        Sink sink;
        Runner<Sink> runner(stream.info, sink);
        runner.run(stream.prefill());
        const std::span<const Message> messages = stream.timed();
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const std::uint64_t start = cycle_clock_start();
            runner.run(messages.subspan(i, 1));
            histogram.record(cycle_clock_stop() - start);
        }
        sink.keep();
    }

  private:
    template <class Run>
    static double timed(const MessageStream& stream, Run run) {
        Sink sink;
        Runner<Sink> runner(stream.info, sink);
        runner.run(stream.prefill());
        const std::int64_t start_ns = cpu_time_ns();
        run(runner, stream.timed());
        const std::int64_t stop_ns = cpu_time_ns();
        sink.keep();
        return static_cast<double>(stop_ns - start_ns) / static_cast<double>(stream.timed().size());
    }
};

template <template <class> class Runner, class Sink>
Outcome check(const MessageStream& stream) {
    Sink sink(stream.info.order_id_mask);
    Runner<Sink> runner(stream.info, sink);
    runner.run(stream.prefill());
    runner.run(stream.timed());
    return sink.outcome();
}

template <template <class> class Runner, class TimedSink>
constexpr Row row_of(std::string_view name, Outcome (*check)(const MessageStream&)) {
    using M = Measure<Runner, TimedSink>;
    return {name, M::time_ns, M::time_singly_ns, M::clock_cycles, check};
}

constexpr std::array k_rows{
    row_of<NullRow, RingSink<RowEvent>>("null", nullptr),
    row_of<ControlRow, RingSink<RowEvent>>("control", check<ControlRow, TradeCheck>),
    row_of<BookRow, RingSink<RowEvent>>("book", check<BookRow, TradeCheck>),
    row_of<EngineRow, RingSink<Event>>("engine", check<EngineRow, TradeCheck>),
};

// The smallest number that is no id of the stream, where 0 is one; else 0.
std::uint64_t find_mask(const MessageStream& stream) {
    const auto is_zero = [](const Message& message) { return message.order_id == 0; };
    if (std::ranges::none_of(stream.messages, is_zero)) return 0;
    std::vector<std::uint64_t> ids;
    ids.reserve(stream.messages.size());
    for (const Message& message : stream.messages) ids.push_back(message.order_id);
    std::ranges::sort(ids);
    std::uint64_t mask = 0;
    for (const std::uint64_t id : ids) {
        if (id == mask) ++mask;
    }
    return mask;
}

void mask_ids(MessageStream& stream) {
    const std::uint64_t mask = find_mask(stream);
    stream.info.order_id_mask = mask;
    if (mask == 0) return;
    for (Message& message : stream.messages) message.order_id ^= mask;
}

}  // namespace

std::span<const Row> all_rows() { return k_rows; }

Outcome prepare(MessageStream& stream) {
    mask_ids(stream);
    TradeCheck sink(stream.info.order_id_mask);
    ControlRow<TradeCheck> row(stream.info, sink);
    std::uint64_t live = 0;
    for (Message& message : stream.messages) {
        const auto& book = row.book(message.symbol);
        if (message.op != Nw1Op::add) {
            message.side = book.side_of(message.order_id).value_or(message.side);
        }
        live -= book.live_orders();
        row.apply(message);
        live += book.live_orders();
        stream.info.live_orders_max = std::max(stream.info.live_orders_max, live);
        stream.info.live_orders_per_symbol_max =
            std::max<std::uint64_t>(stream.info.live_orders_per_symbol_max, book.live_orders());
    }
    return sink.outcome();
}

}  // namespace damrak::bench
