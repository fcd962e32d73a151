#include <damrak/gateway/binary_gateway.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include <immintrin.h>

#include <damrak/base/assert.hpp>

namespace damrak {

template class Engine<sequencer::Sequencer<gateway::BinaryGateway>>;
template class session::BinarySession<gateway::BinaryGateway>;

}  // namespace damrak

namespace damrak::gateway {

// The node comes first, so that a node is found to be its connection.
struct BinaryGateway::Connection : session::ActivityList::Node {
    Connection(std::size_t input_bytes, std::size_t output_bytes)
        : input_size(input_bytes),
          output_size(output_bytes),
          // Not initialised: only what is used of the buffers takes memory.
          input(new std::byte[input_bytes]),
          output_memory(new std::byte[output_bytes]) {}

    [[nodiscard]] bool open() const { return socket.open(); }
    [[nodiscard]] std::span<std::byte> room() const {
        return {input.get() + input_used, input_size - input_used};
    }

    std::size_t input_size;
    std::size_t output_size;
    std::unique_ptr<std::byte[]> input;
    std::unique_ptr<std::byte[]> output_memory;
    std::size_t input_used = 0;
    net::Descriptor socket;
    std::optional<session::OutputBuffer> output;
    std::optional<session::BinarySession<BinaryGateway>> session;
    ParticipantId own_participant{};  ///< given to this connection alone
    bool has_ordered = false;
    bool queued_read = false;
    bool queued_write = false;
    bool closed_by_peer = false;
};

BinaryGateway::BinaryGateway(BinaryGatewayConfig config, const EngineConfig& engine)
    : config_(std::move(config)),
      names_(engine.maximum_orders),
      by_participant_(engine.maximum_participants + std::size_t{1}) {
    for (Connections* list : {&free_, &to_read_, &reading_, &to_write_, &writing_})
        list->reserve(config_.maximum_connections);
    slots_.reserve(config_.maximum_connections);
    by_session_.reserve(config_.maximum_connections);
    unused_participants_.reserve(by_participant_.size());
}

BinaryGateway::~BinaryGateway() = default;

void BinaryGateway::attach(Sequencer& sequencer, journal::JournalWriter& writer) {
    sequencer_ = &sequencer;
    writer_ = &writer;
    last_session_ = sequencer.last_session();
    last_participant_ = sequencer.last_participant();
    for (const auto& [key, participant] : config_.api_keys)
        last_participant_ = std::max(last_participant_, participant);
}

std::expected<void, std::string> BinaryGateway::listen() {
    auto poller = net::Poller::make();
    if (!poller) return std::unexpected{std::move(poller.error())};
    poller_ = std::move(*poller);
    auto listening = net::listen_tcp(config_.address, config_.port);
    if (!listening) return std::unexpected{std::move(listening.error())};
    listening_ = std::move(listening->socket);
    port_ = listening->port;
    if (!poller_->add(listening_, nullptr))
        return std::unexpected{std::string{"cannot watch the listening socket"}};
    return {};
}

// The clock of the system may be set back; time here goes forward.
Timestamp BinaryGateway::now() {
    const auto clock = std::chrono::system_clock::now().time_since_epoch();
    last_time_ = std::max(
        last_time_, Timestamp{std::chrono::duration_cast<std::chrono::nanoseconds>(clock).count()});
    return last_time_;
}

std::size_t BinaryGateway::do_work(int wait_ms) {
    const std::uint64_t before = counters_.messages;
    ++counters_.turns;
    const bool busy = accept_more_ || !to_read_.empty();
    for (const epoll_event& event : poller_->wait(events_, busy ? 0 : wait_ms)) {
        auto* const connection = static_cast<Connection*>(event.data.ptr);
        if (connection == nullptr) {
            accept_more_ = true;
        } else if (connection->open()) {
            if ((event.events & EPOLLOUT) != 0) queue_write(*connection);
            if ((event.events & ~std::uint32_t{EPOLLOUT}) != 0) queue_read(*connection);
        }
    }
    if (accept_more_) accept_waiting();
    // Whoever is not done joins the next turn, behind the others.
    std::swap(to_read_, reading_);
    for (Connection* connection : reading_) {
        connection->queued_read = false;
        if (connection->open()) serve(*connection);
    }
    reading_.clear();
    const Timestamp time = now();
    activity_.expire({time.value - config_.session_timeout_ns},
                     [&](session::ActivityList::Node& n) {
                         auto& silent = static_cast<Connection&>(n);
                         if (!silent.session->is_supervised()) return activity_.add(silent, time);
                         silent.session->time_out(time);
                         queue_write(silent);
                     });
    if (!stopped_ && !sequencer_->tick(time)) stopped_ = true;
    flush_written();
    return counters_.messages - before;
}

void BinaryGateway::accept_waiting() {
    for (std::size_t i = 0; i < k_accepts_a_turn; ++i) {
        net::Descriptor socket = net::accept_tcp(listening_);
        if (!socket.open()) {
            accept_more_ = false;
            return;
        }
        if (by_session_.size() < config_.maximum_connections) open(std::move(socket));
    }
}

void BinaryGateway::open(net::Descriptor socket) {
    if (free_.empty())
        free_.push_back(slots_
                            .emplace_back(std::make_unique<Connection>(config_.input_bytes,
                                                                       config_.output_bytes))
                            .get());
    Connection& connection = *free_.back();
    free_.pop_back();
    ++last_session_.value;
    connection.socket = std::move(socket);
    connection.output.emplace(std::span{connection.output_memory.get(), connection.output_size});
    connection.session.emplace(*this, *connection.output, config_.rules, last_session_,
                               wire::binary::ClientId{last_session_.value});
    connection.input_used = 0;
    connection.own_participant = {};
    connection.has_ordered = false;
    connection.closed_by_peer = false;
    by_session_[last_session_.value] = &connection;
    activity_.add(connection, now());
    ++counters_.accepted;
    if (poller_->add(connection.socket, &connection))
        queue_read(connection);
    else
        end(connection);
}

void BinaryGateway::serve(Connection& connection) {
    const std::span<std::byte> room = connection.room();
    bool more = false;
    if (!room.empty()) {
        const net::Moved got = net::receive(connection.socket, room);
        ++counters_.reads;
        connection.input_used += got.bytes;
        connection.closed_by_peer |= got.closed;
        more = got.bytes == room.size();
    }
    const Timestamp time = now();
    current_ = &connection;
    const session::Received done =
        connection.session->receive({connection.input.get(), connection.input_used}, time);
    current_ = nullptr;
    if (done.consumed_bytes > 0) {
        connection.input_used -= done.consumed_bytes;
        std::memmove(connection.input.get(), connection.input.get() + done.consumed_bytes,
                     connection.input_used);
    }
    counters_.messages += done.messages;
    if (done.messages > 0 && connection.listed()) activity_.touch(connection, time);
    if (connection.session->disconnect() != session::Disconnect::none)
        return queue_write(connection);
    if (more || (done.blocked && !stopped_)) return queue_read(connection);
    // A client that only stopped sending still hears its answers.
    if (connection.closed_by_peer) queue_write(connection);
}

void BinaryGateway::flush_written() {
    // Nothing is told before it is kept.
    while (writer_->kept_position() < writer_->appended_position()) {
        if (!writer_->refusal().empty()) {
            stopped_ = true;
            return;
        }
        _mm_pause();
    }
    std::swap(to_write_, writing_);
    for (Connection* connection : writing_) {
        connection->queued_write = false;
        if (connection->open()) flush(*connection);
    }
    writing_.clear();
}

void BinaryGateway::flush(Connection& connection) {
    if (const auto bytes = connection.output->readable(); !bytes.empty()) {
        const net::Moved sent = net::send(connection.socket, bytes);
        ++counters_.writes;
        connection.output->consume(sent.bytes);
        connection.closed_by_peer |= sent.closed;
    }
    const session::Disconnect reason = connection.session->disconnect();
    if (reason != session::Disconnect::none && config_.on_disconnect)
        config_.on_disconnect(connection.session->id(), text(reason));
    if (reason != session::Disconnect::none || connection.closed_by_peer) end(connection);
}

void BinaryGateway::end(Connection& connection) {
    connection.session->close();
    by_session_.erase(connection.session->id().value);
    const ParticipantId participant = connection.session->participant();
    if (participant && by_participant_[participant.value] == &connection)
        by_participant_[participant.value] = nullptr;
    if (connection.own_participant && !connection.has_ordered)
        unused_participants_.push_back(connection.own_participant);
    if (connection.listed()) activity_.remove(connection);
    connection.socket.reset();
    free_.push_back(&connection);
}

void BinaryGateway::close() {
    flush_written();
    for (const auto& slot : slots_)
        if (slot->open()) end(*slot);
    listening_.reset();
}

void BinaryGateway::queue_read(Connection& connection) {
    if (!std::exchange(connection.queued_read, true)) to_read_.push_back(&connection);
}

void BinaryGateway::queue_write(Connection& connection) {
    if (!std::exchange(connection.queued_write, true)) to_write_.push_back(&connection);
}

BinaryGateway::Connection* BinaryGateway::find(SessionId session) {
    if (current_ != nullptr && current_->session->id() == session) [[likely]]
        return current_;
    const auto found = by_session_.find(session.value);
    return found == by_session_.end() ? nullptr : found->second;
}

void BinaryGateway::submit(const Command& command, const Origin& origin) {
    if (command.kind == CommandKind::new_order)
        if (Connection* const asker = find(origin.session)) asker->has_ordered = true;
    if (stopped_ || !sequencer_->submit(command, origin, now())) stopped_ = true;
}

ParticipantId BinaryGateway::authenticate(SessionId session, std::span<const std::byte> key) {
    Connection& connection = *find(session);
    ParticipantId participant{};
    if (config_.api_keys.empty()) {
        if (!connection.own_participant) connection.own_participant = new_participant();
        participant = connection.own_participant;
    } else {
        wire::binary::ApiKey whole{};
        if (key.size() != whole.size()) return {};
        std::ranges::copy(key, whole.begin());
        const auto known = config_.api_keys.find(whole);
        if (known != config_.api_keys.end()) participant = known->second;
    }
    if (participant) by_participant_[participant.value] = &connection;
    return participant;
}

// Zero if there are no more: the login is refused.
ParticipantId BinaryGateway::new_participant() {
    if (!unused_participants_.empty()) {
        const ParticipantId given_back = unused_participants_.back();
        unused_participants_.pop_back();
        return given_back;
    }
    if (last_participant_.value + std::size_t{1} >= by_participant_.size()) return {};
    ++last_participant_.value;
    return last_participant_;
}

void BinaryGateway::on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) {
    Connection* to = origin.session ? find(origin.session) : nullptr;
    if (to == nullptr || to->session->participant() != event.participant)
        to = event.participant.value < by_participant_.size()
                 ? by_participant_[event.participant.value]
                 : nullptr;
    if (to != nullptr) {
        to->session->on_event(event, origin, stamp);
        queue_write(*to);
    }
    names_.on_event(event);
}

void BinaryGateway::on_command_end(const Origin& origin) {
    if (!origin.session) return;
    if (Connection* const asker = find(origin.session)) {
        asker->session->on_command_end(origin);
        queue_write(*asker);
    }
}

}  // namespace damrak::gateway
