// A feed session as MoldUDP64 packets, without I/O: messages and time in, packets out. A packet
// leaves when it is full or when its first message has waited long enough; in quiet times there
// is a heartbeat, and behind the last message the end of the session for a while. One thread; no
// allocation; a packet costs reading its messages from the source.
//
//   MoldSender sender{config, name, FeedReader{session, next}, now};
//   for (auto packet = sender.poll(now); !packet.empty(); packet = sender.poll(now))
//       send it to every line                      // lines A and B carry the same packets
//   poll again when there are messages, and at sender.deadline()
//
// When the lines have no room the caller stops calling: messages stay where they are.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/wire/moldudp/encode.hpp>

namespace damrak::feed {

/// A place in a numbered stream of messages. FeedReader is one.
template <class S>
concept MessageSource = requires(S& source, const S& view, std::span<std::byte> memory) {
    /// As many whole messages as there are and as fit, with their lengths.
    { source.read(memory) } -> std::same_as<std::span<const std::byte>>;
    /// The number of the message that is read next.
    { view.next() } -> std::same_as<std::uint64_t>;
    /// How many there are by now.
    { view.messages() } -> std::same_as<std::uint64_t>;
    /// All that there is was read, and nothing follows.
    { view.at_end() } -> std::convertible_to<bool>;
};

struct MoldConfig {
    std::int64_t delay_ns = 0;  ///< of a message for others to share its packet
    std::int64_t heartbeat_ns = k_second_ns;
    std::int64_t end_ns = 30 * k_second_ns;  ///< for which the end is repeated
};

template <MessageSource Source>
class MoldSender {
  public:
    MoldSender(const MoldConfig& config, const wire::moldudp::SessionName& session, Source source,
               Timestamp now)
        : config_(config),
          source_(std::move(source)),
          builder_(session),
          sent_({now.value - config.heartbeat_ns}) {
        builder_.begin(source_.next());
    }

    /// The packet that is due, or nothing. Valid until the next call.
    [[nodiscard]] std::span<const std::byte> poll(Timestamp now);
    /// When poll() is due if no messages come.
    [[nodiscard]] Timestamp deadline() const {
        const Timestamp heartbeat{sent_.value + config_.heartbeat_ns};
        if (builder_.empty()) return heartbeat;
        return {std::min(heartbeat.value, waits_since_.value + config_.delay_ns)};
    }
    /// The end was reported for long enough.
    [[nodiscard]] bool finished() const { return finished_; }
    /// The number of the message that is sent next.
    [[nodiscard]] std::uint64_t next() const { return source_.next() - builder_.messages(); }
    [[nodiscard]] const Source& source() const { return source_; }

  private:
    [[nodiscard]] bool fill(Timestamp now);
    [[nodiscard]] std::span<const std::byte> send(Timestamp now) {
        sent_ = now;
        over_ = true;
        return builder_.packet();
    }
    [[nodiscard]] std::span<const std::byte> poll_idle(Timestamp now);

    MoldConfig config_;
    Source source_;
    wire::moldudp::PacketBuilder builder_;
    Timestamp sent_;           ///< the last packet
    Timestamp waits_since_{};  ///< the first message in the builder
    Timestamp ended_{};        ///< when the end was reported first
    bool over_ = false;        ///< what is in the builder was sent
    bool ending_ = false;
    bool finished_ = false;
};

template <MessageSource Source>
std::span<const std::byte> MoldSender<Source>::poll(Timestamp now) {
    if (std::exchange(over_, false)) builder_.begin(source_.next());
    const bool full = fill(now);
    if (builder_.empty()) return poll_idle(now);
    const bool waited = now.value - waits_since_.value >= config_.delay_ns;
    if (full || waited || source_.at_end()) return send(now);
    return {};
}

/// Whether there are messages that have no room.
template <MessageSource Source>
bool MoldSender<Source>::fill(Timestamp now) {
    for (;;) {
        // Counted before the read: messages that come in between are no reason to call it full.
        const std::uint64_t there = source_.messages();
        const std::span<const std::byte> frames = source_.read(builder_.room());
        if (frames.empty()) {
            const bool full = source_.next() <= there;
            DAMRAK_ASSERT(!full || !builder_.empty());  // no message is longer than a packet
            return full;
        }
        if (builder_.empty()) waits_since_ = now;
        const std::size_t taken = builder_.add(frames);
        DAMRAK_ASSERT(taken == frames.size());
    }
}

template <MessageSource Source>
std::span<const std::byte> MoldSender<Source>::poll_idle(Timestamp now) {
    const bool due = now.value - sent_.value >= config_.heartbeat_ns;
    if (!source_.at_end()) return due ? send(now) : std::span<const std::byte>{};
    if (!std::exchange(ending_, true)) {
        ended_ = now;
    } else if (now.value - ended_.value > config_.end_ns) {
        finished_ = true;
        return {};
    } else if (!due) {
        return {};
    }
    builder_.end_session(source_.next());
    return send(now);
}

}  // namespace damrak::feed
