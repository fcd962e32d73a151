// Orders of the ingest study as packets, recorded before anything is timed.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/lab/ingest/looped_path.hpp>
#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ingest {

struct Recorded {
    Packet bytes{};
    std::uint32_t timed_id = 0;  ///< zero: a cancel
};

[[nodiscard]] Recorded record(const ladder::Request& request, std::uint32_t sequence);
[[nodiscard]] std::vector<Recorded> record(const std::vector<ladder::Request>& flow);
/// The bytes alone.
[[nodiscard]] std::vector<Packet> packets_of(const std::vector<ladder::Request>& flow);

}  // namespace damrak::lab::ingest
