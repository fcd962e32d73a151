// A feed session as MoldUDP64 packets, without I/O: messages and time in, packets out. A packet
// leaves when it is full or when its first message has waited long enough; when idle it sends
// heartbeats, and after the last message end-of-session packets for a while. One thread; no
// allocation; a packet costs a read of its messages from the source.
//
//   MoldSender sender{config, name, FeedReader{session, next}, now};
//   for (auto packet = sender.poll(now); !packet.empty(); packet = sender.poll(now))
//       send it to every line                      // lines A and B carry the same packets
//   poll again when there are messages, and at sender.deadline()
//
// When the lines have no room the caller stops polling: messages stay in the source.
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

/// A position in a numbered stream of messages, such as FeedReader.
template <class S>
concept MessageSource = requires(S& source, const S& view, std::span<std::byte> memory) {
    /// As many complete messages, with their length fields, as are available and fit.
    { source.read(memory) } -> std::same_as<std::span<const std::byte>>;
    /// The number of the next message to read.
    { view.next() } -> std::same_as<std::uint64_t>;
    /// How many messages there are so far.
    { view.messages() } -> std::same_as<std::uint64_t>;
    /// The stream has ended and all its messages were read.
    { view.at_end() } -> std::convertible_to<bool>;
};

/// How messages are packed, and how often a silent line shows that it lives.
struct MoldConfig {
    std::int64_t delay_ns = 0;  ///< how long a message waits for others to share its packet
    std::int64_t heartbeat_ns = k_second_ns;
    std::int64_t end_ns = 30 * k_second_ns;  ///< how long end-of-session packets are repeated
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

    /// The packet that is due, or an empty span. Valid until the next call.
    [[nodiscard]] std::span<const std::byte> poll(Timestamp now);
    /// When poll() is due if no messages arrive.
    [[nodiscard]] Timestamp deadline() const {
        const Timestamp heartbeat{sent_.value + config_.heartbeat_ns};
        if (builder_.empty()) return heartbeat;
        return {std::min(heartbeat.value, waits_since_.value + config_.delay_ns)};
    }
    /// End-of-session packets were sent for long enough.
    [[nodiscard]] bool finished() const { return finished_; }
    /// The number of the next message to send.
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
    Timestamp sent_;           ///< when the last packet was sent
    Timestamp waits_since_{};  ///< since when the first message in the builder waits
    Timestamp ended_{};        ///< when the first end-of-session packet was sent
    bool over_ = false;        ///< the packet in the builder was sent
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

/// Whether there are messages that do not fit the packet.
template <MessageSource Source>
bool MoldSender<Source>::fill(Timestamp now) {
    for (;;) {
        // Counted before the read, so that messages which arrive during it do not make the packet
        // look full.
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
