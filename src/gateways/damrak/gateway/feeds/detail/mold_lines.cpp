#include <damrak/gateway/feeds/detail/mold_lines.hpp>

#include <algorithm>
#include <utility>

namespace damrak::gateway::feeds {

namespace {

wire::moldudp::SessionName name_of(feed::FeedSessionId id) {
    wire::moldudp::SessionName name{};
    std::ranges::copy(id.text(), name.begin());
    return name;
}

}  // namespace

std::expected<std::unique_ptr<MoldLines>, std::string> MoldLines::open(const Config& config,
                                                                       feed::ItchFeed& feed) {
    std::unique_ptr<MoldLines> lines{new MoldLines{config, feed}};
    std::uint16_t port = config.port;
    lines->lines_.reserve(2);
    for (const char* const group : {k_mold_group_a, k_mold_group_b}) {
        auto socket = net::MulticastSender::open({.address = group, .port = port});
        if (!socket) return std::unexpected{std::move(socket.error())};
        port = socket->port();
        Line& line = lines->lines_.emplace_back(*std::move(socket));
        const std::size_t number = lines->lines_.size() - 1;
        for (const auto& [host, receiver_port] : config.unicast[number]) {
            auto receiver = net::UdpPeer::open(host, receiver_port);
            if (!receiver) return std::unexpected{std::move(receiver.error())};
            line.unicast.push_back(*std::move(receiver));
        }
        const bool faulty = number == 0 ? config.faults.on_a : config.faults.on_b;
        if (faulty)
            line.faults.emplace(config.faults, number,
                                [raw = lines.get(), number](std::span<const std::byte> packet) {
                                    raw->lines_[number].send(packet);
                                });
    }
    return lines;
}

// The session of an earlier run continues after the messages in its file. Other sessions begin with
// their first message, however late this thread sees them.
void MoldLines::follow_sessions(Timestamp now) {
    const auto session = feed_->session();
    if (session == nullptr || session_ == session->id()) return;
    ending_ = std::exchange(sender_, std::nullopt);
    const std::uint64_t next = session == found_ ? next_of_found_ : 1;
    session_ = session->id();
    sender_.emplace(config_.sender, name_of(session->id()), feed::FeedReader{session, next}, now);
}

bool MoldLines::serve(Timestamp now) {
    follow_sessions(now);
    bool more = false;
    if (ending_) {
        more |= send_due(*ending_, now);
        if (ending_->finished()) ending_.reset();
    }
    if (sender_) more |= send_due(*sender_, now);
    for (Line& line : lines_)
        if (line.faults) line.faults->on_time(now);
    return more;
}

// Sends only some packets a turn, so that the other services get theirs.
bool MoldLines::send_due(Sender& sender, Timestamp now) {
    constexpr int k_packets_a_turn = 64;
    for (int i = 0; i < k_packets_a_turn; ++i) {
        const auto packet = sender.poll(now);
        if (packet.empty()) return false;
        for (Line& line : lines_) {
            if (line.faults)
                line.faults->send(packet, now);
            else
                line.send(packet);
        }
    }
    return true;
}

Timestamp MoldLines::deadline() const {
    constexpr Timestamp k_never{INT64_MAX};
    return std::min(sender_ ? sender_->deadline() : k_never,
                    ending_ ? ending_->deadline() : k_never);
}

std::expected<std::unique_ptr<MoldRetransmission>, std::string> MoldRetransmission::open(
    const std::string& address, std::uint16_t port, feed::ItchFeed& feed,
    feed::EarlierSessions& earlier) {
    constexpr int k_buffer_bytes = 1 << 20;
    auto path = net::SocketPath::open(
        {.address = address, .port = port, .send_room = 256, .buffer_bytes = k_buffer_bytes});
    if (!path) return std::unexpected{std::move(path.error())};
    return std::unique_ptr<MoldRetransmission>{
        new MoldRetransmission{*std::move(path), feed, earlier}};
}

// One that is being opened is there when the client asks again.
feed::EarlierSessions::Session MoldRetransmission::session_of(
    const wire::moldudp::SessionName& name) const {
    auto current = feed_->session();
    if (current == nullptr || name == name_of(current->id())) return current;
    const auto id = feed::FeedSessionId::parse({name.data(), name.size()});
    if (!id || *id > current->id()) return nullptr;
    return earlier_->find(*id).value_or(nullptr);
}

bool MoldRetransmission::serve(Timestamp now) {
    const auto open = [&](const wire::moldudp::SessionName& name,
                          std::uint64_t sequence) -> std::optional<feed::FeedReader> {
        auto session = session_of(name);
        if (session == nullptr || sequence == 0 || sequence > session->messages())
            return std::nullopt;
        return feed::FeedReader{std::move(session), sequence};
    };
    constexpr std::size_t k_requests_a_turn = 64;
    const std::size_t requests =
        path_.receive(k_requests_a_turn, 0, [&](const net::Datagram& datagram) {
            feed::RetransmissionAddress from{};
            const net::Endpoint& source = datagram.source;
            if (source.is_ipv6())
                std::ranges::copy(std::as_bytes(std::span{source.address6}), from.begin());
            else
                std::ranges::copy(std::as_bytes(std::span{source.address}), from.begin());
            const auto packet = server_.answer(datagram.bytes, from, now, open);
            if (packet.empty()) return;
            const auto room = path_.claim(source, packet.size());
            if (room.empty()) return;
            std::ranges::copy(packet, room.begin());
            path_.commit(packet.size());
        });
    path_.flush();
    return requests == k_requests_a_turn;
}

}  // namespace damrak::gateway::feeds
