// An NW-1 stream held in memory: what the benchmark rows are fed.
//
// `load_nw1_stream` reads and checks the whole file before any clock starts, so that a timed row
// reads records from resident memory and may trust every field's range. Costs one pass a file.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <damrak/sim/nw1_record.hpp>

namespace damrak::bench {

using sim::Nw1Op;
using sim::Nw1Record;

// What a venue would be configured with before its day starts. The two order capacities are known
// after the control has been run once over the stream (`measure_capacity` in rows.hpp).
struct StreamInfo {
    std::uint32_t symbols = 0;
    std::int32_t price_min_ticks = 0;
    std::int32_t price_max_ticks = 0;
    std::uint64_t live_orders_max = 0;             // over all symbols at once
    std::uint64_t live_orders_per_symbol_max = 0;  // of the fullest symbol
};

struct Nw1Stream {
    std::vector<Nw1Record> records;
    std::size_t prefill_count = 0;  // length of the leading run of records with phase 0
    StreamInfo info;

    [[nodiscard]] std::span<const Nw1Record> prefill() const {
        return std::span{records}.first(prefill_count);
    }
    [[nodiscard]] std::span<const Nw1Record> timed() const {
        return std::span{records}.subspan(prefill_count);
    }
};

// The error names the file, and the record and byte offset where the file stops being a stream.
[[nodiscard]] std::expected<Nw1Stream, std::string> load_nw1_stream(
    const std::filesystem::path& path);

// Checks every record and derives `prefill_count` and `info`; `name` is used in error texts.
[[nodiscard]] std::expected<Nw1Stream, std::string> make_nw1_stream(std::vector<Nw1Record> records,
                                                                    const std::string& name);

}  // namespace damrak::bench
