// The rows of a benchmark: each one a way to run a stream of messages, timed or checked.
//
// A row is a class template over its event sink with a constructor `(const StreamInfo&, Sink&)` and
// `run(std::span<const Message>)`, which is given the prefill and then the timed part. It may look
// ahead inside the span only as far as a server would in one batch that it has read. Every function
// here builds the row again, so that nothing is warm that would not be.
#pragma once

#include <span>
#include <string_view>

#include <damrak/base/histogram.hpp>

#include "support/message.hpp"
#include "support/row_events.hpp"

namespace damrak::bench {

struct Row {
    std::string_view name;
    // CPU nanoseconds a message of the timed part, given as one span.
    double (*time_ns)(const MessageStream&);
    // The same with each message in a span of its own: nothing to look ahead to.
    double (*time_singly_ns)(const MessageStream&);
    // Clocks each message alone, in cycles of the time-stamp counter.
    void (*clock_cycles)(const MessageStream&, Histogram&);
    // The whole stream with a checking sink; null where nothing is matched.
    Outcome (*check)(const MessageStream&);
};

// In the order in which they are interleaved.
[[nodiscard]] std::span<const Row> all_rows();

// Runs the control once, and gives its outcome: the one that all other rows are held to. Fills in
// the order capacities; gives each cancel and replace the side of the order it addresses, which its
// sender knows; and where an id is 0, which means "none" to the engine, masks all ids with a number
// that none of them is.
[[nodiscard]] Outcome prepare(MessageStream& stream);

}  // namespace damrak::bench
