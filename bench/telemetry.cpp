// What telemetry costs the thread that trades, a message: an order that is accepted and rests, with
// its read and its write shared by eight messages as in a window of eight. The ring is emptied
// between batches, outside the time, as its collector is on another core. And what the event log
// costs its collector, a record, into a file that keeps nothing.
//
//   build/release/bench/telemetry --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <benchmark/benchmark.h>

#include <damrak/telemetry/log_file.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::bench {
namespace {

constexpr SessionId k_session{1};
constexpr std::uint32_t k_window = 8;
constexpr std::uint32_t k_batch = 1'024;
constexpr Timestamp k_now{1'700'000'000'123'456'789};

const CycleClock& cycle_clock() {
    static const CycleClock clock = CycleClock::calibrated();
    return clock;
}

// The calls that the binary gateway and an inline exchange make.
void tell_message(telemetry::Probe& probe, std::uint32_t sequence,
                  telemetry::Unwritten& unwritten) {
    using telemetry::RequestKind;
    constexpr std::uint8_t k_new_order = 10;
    const Origin origin{.session = k_session, .inbound_sequence = sequence};
    const Event event{.kind = EventKind::accepted,
                      .command = CommandKind::new_order,
                      .flags = EventFlags::k_on_book,
                      .instrument = {1},
                      .participant = {4},
                      .order_id = {sequence},
                      .reference = sequence,
                      .price = Price{1'012'300},
                      .quantity = Quantity{100},
                      .remaining = Quantity{100}};
    probe.on_message(k_session, RequestKind::new_order, k_new_order, sequence);
    probe.on_submit();
    probe.on_durable();
    probe.on_event(event, origin, {.timestamp = k_now});
    probe.on_reported(origin);
    probe.on_command_end(origin);
    probe.on_answered(origin, unwritten);
    probe.on_handled(k_session, RequestKind::new_order, k_new_order, sequence, k_now, unwritten);
    benchmark::ClobberMemory();
}

void tell_batch(telemetry::Probe& probe, std::uint32_t& sequence, telemetry::Unwritten& unwritten) {
    for (std::uint32_t i = 0; i < k_batch / k_window; ++i) {
        probe.on_read(std::size_t{k_window} * 56);
        for (std::uint32_t j = 0; j < k_window; ++j) tell_message(probe, ++sequence, unwritten);
        probe.on_written(k_session, 11, sequence, std::size_t{k_window} * 64, k_now, unwritten);
        probe.on_turn(true);
    }
}

void probe_message(benchmark::State& state, std::uint32_t sample_every, bool log_events) {
    telemetry::Probe probe;
    probe.start({.sample_every = sample_every, .log_events = log_events}, cycle_clock());
    telemetry::Unwritten unwritten;
    std::uint32_t sequence = 0;
    for (auto _ : state) {
        tell_batch(probe, sequence, unwritten);
        if (auto* const ring = probe.ring()) {
            state.PauseTiming();
            for (auto batch = ring->front(); !batch.empty(); batch = ring->front())
                ring->release(batch.size());
            state.ResumeTiming();
        }
    }
    state.SetItemsProcessed(state.iterations() * k_batch);
    state.counters["ns"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * k_batch / 1e9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void log_record(benchmark::State& state) {
    telemetry::Probe probe;
    probe.start({.log_events = true}, cycle_clock());
    telemetry::Unwritten unwritten;
    std::uint32_t sequence = 0;
    telemetry::LogFile file{"/dev/null", ""};
    std::int64_t records = 0;
    for (auto _ : state) {
        state.PauseTiming();
        tell_batch(probe, sequence, unwritten);
        state.ResumeTiming();
        for (auto batch = probe.ring()->front(); !batch.empty(); batch = probe.ring()->front()) {
            for (const telemetry::Slot& slot : batch)
                slot.visit([&](const auto& record) {
                    if constexpr (!std::is_same_v<decltype(record), const telemetry::Timing&>)
                        file.add(record);
                });
            records += static_cast<std::int64_t>(batch.size());
            probe.ring()->release(batch.size());
        }
    }
    state.SetItemsProcessed(records);
    state.counters["ns"] =
        benchmark::Counter(static_cast<double>(records) / 1e9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void clock_reading(benchmark::State& state) {
    const CycleClock& clock = cycle_clock();
    for (auto _ : state) benchmark::DoNotOptimize(clock.now_ticks());
}

BENCHMARK(clock_reading);
BENCHMARK_CAPTURE(probe_message, counters_only, 0, false);
BENCHMARK_CAPTURE(probe_message, timing_1_of_16, 16, false);
BENCHMARK_CAPTURE(probe_message, timing_all, 1, false);
BENCHMARK_CAPTURE(probe_message, timing_1_of_16_and_event_log, 16, true);
BENCHMARK(log_record);

}  // namespace
}  // namespace damrak::bench

BENCHMARK_MAIN();
