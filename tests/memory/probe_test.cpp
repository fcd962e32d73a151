// The probe of a polling thread allocates nothing after its start, even if its ring is full.

#include <damrak/telemetry/probe.hpp>

#include <cstdint>

#include <gtest/gtest.h>

#include "allocation_counter.hpp"

namespace damrak::telemetry::probe_test {
namespace {

using testing::AllocationCounter;

TEST(ProbeMemory, NoMessageAllocates) {
    const CycleClock clock{{.source = CycleClock::Source::monotonic_clock}};
    Probe probe;
    probe.start({.sample_every = 1, .log_events = true, .ring_records = 64}, clock);
    Unwritten unwritten;
    const AllocationCounter counter;
    for (std::uint32_t i = 1; i <= 1'000; ++i) {
        const Origin origin{.session = {1}, .inbound_sequence = i};
        probe.on_opened({1}, {}, {});
        probe.on_read(56);
        probe.on_message({1}, RequestKind::new_order, 10, i);
        probe.on_submit();
        probe.on_durable();
        probe.on_event({.kind = EventKind::accepted}, origin, {});
        probe.on_reported(origin);
        probe.on_command_end(origin);
        probe.on_answered(origin, unwritten);
        probe.on_handled({1}, RequestKind::new_order, 10, i, {}, unwritten);
        if (i % 2 == 0) probe.on_written({1}, 11, i, 64, {}, unwritten);
        probe.on_turn(true);
        probe.on_closed({1}, "timed_out", {}, unwritten);
    }
    EXPECT_EQ(counter.news(), 0);
    EXPECT_EQ(counter.malloc_bytes(), 0);
    EXPECT_GT(probe.counters().lost_records, 0U) << "the ring must have been full";
    EXPECT_EQ(probe.counters().timed_messages, 1'000U);
}

}  // namespace
}  // namespace damrak::telemetry::probe_test
