#include <damrak/telemetry/probe.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <damrak/base/assert.hpp>

namespace damrak::telemetry {

Probe::Probe() = default;
Probe::~Probe() = default;

void Probe::start(const ProbeConfig& config, const CycleClock& clock) {
    DAMRAK_ASSERT(!timing_);
    clock_ = &clock;
    countdown_ = SampleCountdown{config.sample_every};
    logging_ = config.log_events;
    stamping_ = config.stamp_records;
    message_ticks_ = 0;
    ring_.reset();
    if (config.sample_every == 0 && !config.log_events) return;
    ring_ = std::make_unique<Ring>(config.ring_records);
    // Sample 0 means none; the others form a list of free ones.
    samples_.assign(k_unwritten + 1, {});
    for (std::uint32_t i = 1; i < k_unwritten; ++i) samples_[i].next = i + 1;
    free_sample_ = 1;
}

void Probe::on_opened(SessionId session, const Peer& peer, Timestamp now) {
    ++counters_.accepted_connections;
    if (logging_) put([&] { return Opened{.peer = peer, .time = now, .session = session}; });
}

void Probe::on_closed(SessionId session, std::string_view reason, Timestamp now,
                      Unwritten& unwritten) {
    ++counters_.closed_connections;
    if (!reason.empty()) ++counters_.ended_by_exchange;
    settle(unwritten, false);
    if (timing_ && session_ == session) timing_ = false;
    if (!logging_) return;
    Closed record{.time = now, .session = session};
    std::ranges::copy(reason.substr(0, record.reason_text.size()), record.reason_text.begin());
    put([&] { return record; });
}

// One message at a time: if answers come later, the next message is timed after them.
void Probe::begin(SessionId session, RequestKind kind, std::uint8_t wire_type,
                  std::uint32_t sequence) {
    if (timing_ || free_sample_ == 0) {
        ++counters_.untimed_messages;
        return;
    }
    timing_ = true;
    submitted_ = false;
    session_ = session;
    current_.gateway = gateway_of(session);
    recognise(kind, wire_type, sequence);
    current_.laps.begin(read_ticks_);
    lap(Stage::wait);
}

void Probe::recognise(RequestKind kind, std::uint8_t wire_type, std::uint32_t sequence) {
    sequence_ = sequence;
    current_.request = kind;
    current_.wire_type = wire_type;
}

// The first command of a message ends its decoding; further ones count as matching.
void Probe::on_submit_timed() {
    if (submitted_) return;
    submitted_ = true;
    lap(Stage::decode);
}

void Probe::finish(Unwritten& unwritten) {
    lap(submitted_ ? Stage::buffer : Stage::decode);
    timing_ = false;
    const std::uint32_t index = free_sample_;
    free_sample_ = samples_[index].next;
    samples_[index] = current_;
    samples_[index].next = unwritten.first;
    unwritten.first = index;
    ++counters_.timed_messages;
}

// The list has the newest first; they are reported in order of arrival.
void Probe::turn_round(Unwritten& unwritten) {
    std::uint32_t turned = 0;
    for (std::uint32_t index = unwritten.first; index != 0;) {
        const std::uint32_t next = std::exchange(samples_[index].next, turned);
        turned = std::exchange(index, next);
    }
    unwritten.first = turned;
}

void Probe::settle(Unwritten& unwritten, bool written) {
    turn_round(unwritten);
    while (unwritten.first != 0) {
        const std::uint32_t index = unwritten.first;
        Sample& sample = samples_[index];
        if (written) sample.laps.lap(Stage::write, clock_->now_ticks());
        put([&] {
            return Timing{.request = sample.request,
                          .wire_type = sample.wire_type,
                          .written = written ? std::uint8_t{1} : std::uint8_t{0},
                          .gateway = sample.gateway,
                          .times = sample.laps.times()};
        });
        unwritten.first = sample.next;
        sample.next = free_sample_;
        free_sample_ = index;
    }
}

void Probe::log(const Event& event, const Origin& origin, const CommandStamp& stamp) {
    if (event.kind == EventKind::executed) {
        if (has_flag(event, EventFlags::k_aggressor))
            log_trade(event, origin, stamp);
        else
            resting_ = event;
        return;
    }
    put([&] {
        return OrderFate{.sequence = static_cast<std::uint32_t>(origin.inbound_sequence),
                         .time = stamp.timestamp,
                         .session = origin.session,
                         .event = event.kind,
                         .command = event.command,
                         .side = event.side,
                         .type = event.order_type,
                         .time_in_force = event.time_in_force,
                         .reason = event.reason,
                         .flags = event.flags,
                         .instrument = event.instrument,
                         .participant = event.participant,
                         .order = event.order_id,
                         .reference = event.reference,
                         .price = event.price,
                         .quantity = event.quantity,
                         .remaining = event.remaining};
    });
}

void Probe::log_trade(const Event& event, const Origin& origin, const CommandStamp& stamp) {
    const bool bought = event.side == Side::buy;
    const Event& buyer = bought ? event : resting_;
    const Event& seller = bought ? resting_ : event;
    const auto done = [](const Event& side) -> std::uint8_t { return side.remaining.value == 0; };
    put([&] {
        return Trade{.aggressor = event.side,
                     .buyer_done = done(buyer),
                     .seller_done = done(seller),
                     .instrument = event.instrument,
                     .time = stamp.timestamp,
                     .session = origin.session,
                     .trade = event.trade_id(),
                     .buyer_order = buyer.order_id,
                     .seller_order = seller.order_id,
                     .price = event.price,
                     .quantity = event.quantity,
                     .buyer = buyer.participant,
                     .seller = seller.participant};
    });
}

}  // namespace damrak::telemetry
