// The rings between the threads of the pipelined wiring, each with one producer and one consumer:
//
//             inbound             commands (one per shard)
//   gateway ───────────────▶ sequencer ───────────────▶ matching
//     ▲                     │ │                                 │
//     │      notices        │ │ events                          │ events (one per shard)
//     └─────────────────────┴─┴─────────────────────────────────┘
//
// A notice states the next command in order and the ring with its events, which end with an event
// of kind `none`. So the gateways receive all events in the order of sequence and index, whichever
// shard was faster.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <damrak/base/spsc_ring.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/sequencer/partition.hpp>

namespace damrak::sequencer {

using RecordRing = SpscRing<journal::Record>;
using EventRing = SpscRing<Event>;

/// The sequencer's notice of the place of a command.
struct Notice {
    static constexpr std::uint32_t k_no_source = UINT32_MAX;

    CommandStamp stamp{};
    Origin origin{};
    std::uint32_t source = k_no_source;  ///< the ring with its events; none: it has no events
    bool asked_for = false;              ///< came from a gateway, which waits for its end
};
static_assert(sizeof(Notice) == 64);

using NoticeRing = SpscRing<Notice>;

/// Flag in RecordHead::flags, between agents only: the command came from a gateway.
inline constexpr std::uint16_t k_asked_for = 1;

/// Whether this is the end mark after the last event of a command.
[[nodiscard]] inline bool is_end(const Event& event) { return event.kind == EventKind::none; }

/// Publishes a slice and, after the last one of a command, the end mark. The ring must have room
/// for both.
inline void publish(const Slice& slice, EventRing& ring) {
    std::size_t count = 0;
    const auto put = [&](const Event& event) {
        Event* const slot = ring.claim(count++);
        DAMRAK_ASSERT(slot != nullptr);
        *slot = event;
    };
    for (const Event& event : slice) put(event);
    if (!slice.more) put({});
    ring.publish(count);
}

/// Maximum number of commands in progress at each stage; the rings have room for as many, or up to
/// twice as many.
struct RingSizes {
    std::size_t inbound = 4'096;
    std::size_t commands = 1'024;
    std::size_t notices = 16'384;
    /// In slices of the maximum size.
    std::size_t events = 4;
    friend bool operator==(const RingSizes&, const RingSizes&) = default;
};

struct PipelineRings {
    PipelineRings(const EngineConfig& engine, std::size_t shards, const RingSizes& sizes)
        : inbound(std::bit_ceil(sizes.inbound)), notices(std::bit_ceil(sizes.notices)) {
        const std::size_t command_capacity = std::bit_ceil(sizes.commands);
        const std::size_t event_capacity =
            std::bit_ceil(sizes.events * (std::size_t{engine.maximum_events} + 1));
        for (std::size_t i = 0; i < shards; ++i) {
            commands.push_back(std::make_unique<RecordRing>(command_capacity));
            events.push_back(std::make_unique<EventRing>(event_capacity));
        }
        events.push_back(std::make_unique<EventRing>(event_capacity));
    }

    RecordRing inbound;
    std::vector<std::unique_ptr<RecordRing>> commands;
    std::vector<std::unique_ptr<EventRing>> events;  ///< one for each shard, then the sequencer's
    NoticeRing notices;
};

}  // namespace damrak::sequencer
