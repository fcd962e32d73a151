// The rows of the NW-1 benchmark: each one a way to run a stream, timed or checked.
//
// A row is a class template over its event sink with a constructor `(const StreamInfo&, Sink&)` and
// `run(std::span<const Nw1Record>)`, which is given the prefill and then the timed part. It may
// look ahead inside the span only as far as a server would in one batch that it has read.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "support/nw1_events.hpp"
#include "support/nw1_stream.hpp"

namespace damrak::bench {

struct Row {
    std::string_view name;
    // CPU nanoseconds a message of the timed part, on fresh structures.
    double (*time_ns)(const Nw1Stream&);
    // The same code over the whole stream with a checking sink; null where nothing is matched.
    Outcome (*check)(const Nw1Stream&);
};

// In the order in which they are interleaved.
[[nodiscard]] std::span<const Row> all_rows();

// Fills in the order capacities of `stream.info` by running the control, and gives its outcome:
// the one that all other rows are held to.
[[nodiscard]] Outcome measure_capacity(Nw1Stream& stream);

}  // namespace damrak::bench
