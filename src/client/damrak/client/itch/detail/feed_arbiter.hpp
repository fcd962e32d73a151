// Implementation of FeedArbiter; only its header includes it.
#pragma once

#include <limits>
#include <utility>

#include <damrak/base/byte_order.hpp>
#include <damrak/client/itch/feed_arbiter.hpp>

namespace damrak::client {

template <class Handler>
void FeedArbiter<Handler>::on_datagram(std::span<const std::byte> datagram, Timestamp now) {
    const wire::moldudp::Scan packet = wire::moldudp::scan(datagram);
    if (packet.fault != wire::moldudp::Fault::none) {
        ++counters_.faults;
        return;
    }
    if (!follows(packet.header.session)) {
        ++counters_.other_session;
        return;
    }
    const std::uint64_t before = next_;
    take(packet);
    after_progress(before, now);
}

template <class Handler>
bool FeedArbiter<Handler>::follows(const SessionName& session) {
    if (session_ && session == *session_) return true;
    // Names of later sessions are greater. The gaps of this session come first: the messages of a
    // later one can all be requested again.
    if (session_ && (session < *session_ || (has_gap() && !given_up_))) return false;
    begin(session);
    return true;
}

template <class Handler>
void FeedArbiter<Handler>::begin(const SessionName& session) {
    session_ = session;
    store_.clear();
    next_ = known_ = 1;
    end_.reset();
    attempts_ = 0;
    gap_open_ = given_up_ = ended_ = false;
    if (!waiting_) handler_->on_session(session);
}

template <class Handler>
void FeedArbiter<Handler>::take(const wire::moldudp::Scan& packet) {
    const std::uint64_t first = packet.header.sequence;
    const std::uint64_t end = first + packet.header.messages();
    if (ended_) {
        counters_.duplicates += end > first ? 1 : 0;
        return;
    }
    if (packet.header.is_end()) end_ = first;
    known_ = std::max(known_, end);
    if (first == end) return;
    if (end <= next_ && !waiting_) {
        ++counters_.duplicates;
    } else if (waiting_ || first > next_) {
        ++counters_.early;
        if (!store_.add(first, end, packet.blocks)) ++counters_.dropped;
    } else {
        give(first, end, packet.blocks);
    }
}

/// Handles the messages of a packet from next_ on.
template <class Handler>
void FeedArbiter<Handler>::give(std::uint64_t first, std::uint64_t end,
                                std::span<const std::byte> blocks) {
    using wire::moldudp::k_block_header_length;
    std::size_t at = 0;
    const auto length = [&] { return load_be<std::uint16_t>(blocks.data() + at); };
    std::uint64_t number = first;
    for (; number < next_; ++number) at += k_block_header_length + length();
    next_ = end;
    counters_.messages += end - number;
    if constexpr (BlockHandler<Handler>) {
        handler_->on_messages(number, blocks.subspan(at));
    } else {
        for (; number < end; ++number) {
            const std::size_t message = at + k_block_header_length;
            handler_->on_message(number, blocks.subspan(message, length()));
            at = message + length();
        }
    }
}

template <class Handler>
void FeedArbiter<Handler>::give_kept() {
    while (!store_.empty() && store_.front().first <= next_) {
        const PacketStore::Packet packet = store_.front();
        if (packet.end > next_) give(packet.first, packet.end, store_.blocks(packet));
        store_.pop_front();
    }
}

template <class Handler>
void FeedArbiter<Handler>::after_progress(std::uint64_t before, Timestamp now) {
    if (waiting_) return;
    give_kept();
    if (next_ > before) {
        attempts_ = 0;
        given_up_ = false;
    }
    if (!has_gap()) {
        gap_open_ = false;
        if (end_ && next_ >= *end_ && !ended_) {
            ended_ = true;
            handler_->on_end_of_session();
        }
        return;
    }
    if (!gap_open_) {
        gap_open_ = true;
        ++counters_.gaps;
        due_ = {now.value + settings_.patience_ns};
    } else if (next_ > before) {
        // An answer or late packet closed a part of the gap: request the rest at once.
        due_ = std::min(due_, now);
    }
}

template <class Handler>
std::optional<wire::moldudp::Request> FeedArbiter<Handler>::next_request(Timestamp now) {
    if (!has_gap() || given_up_ || now < due_) return std::nullopt;
    if (attempts_ >= settings_.attempts) {
        given_up_ = true;
        return std::nullopt;
    }
    ++attempts_;
    ++counters_.requests;
    due_ = {now.value + settings_.retry_ns};
    constexpr std::uint64_t k_most = std::numeric_limits<std::uint16_t>::max() - 1U;
    return wire::moldudp::Request{.session = *session_,
                                  .sequence = next_,
                                  .count = static_cast<std::uint16_t>(std::min(missing(), k_most))};
}

template <class Handler>
void FeedArbiter<Handler>::join(const SessionName& session, std::uint64_t next, Timestamp now) {
    if (!session_ || session != *session_) begin(session);
    if (std::exchange(waiting_, false)) handler_->on_session(session);
    next_ = std::max<std::uint64_t>(next, 1);
    known_ = std::max(known_, next_);
    attempts_ = 0;
    gap_open_ = given_up_ = ended_ = false;
    after_progress(next_, now);
}

}  // namespace damrak::client
