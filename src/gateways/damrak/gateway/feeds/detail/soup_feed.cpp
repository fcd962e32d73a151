#include <damrak/gateway/feeds/detail/soup_feed.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>

namespace damrak::gateway::feeds {

namespace {

using wire::soupbin::RejectReason;

session::SoupLogin login_to(const feed::FeedSession& session, std::uint64_t next) {
    session::SoupLogin login{.session = {}, .next = next};
    const std::string text = session.id().text();
    std::ranges::copy(text, login.session.begin());
    return login;
}

/// The last message of GLIMPSE: the number of the feed message at which to join.
std::array<std::byte, 23> end_of_snapshot(std::uint64_t next) {
    constexpr std::size_t k_bytes = 21;
    std::array<std::byte, 2 + k_bytes> frame{};
    store_be(frame.data(), static_cast<std::uint16_t>(k_bytes));
    const std::string text = fmt::format("G{:020}", next);
    std::ranges::copy(std::as_bytes(std::span{text}), frame.begin() + 2);
    return frame;
}

}  // namespace

session::Received SoupFeed::on_bytes(Connection& connection, std::span<const std::byte> bytes) {
    if (!ready()) return {.consumed_bytes = 0, .messages = 0, .blocked = true};
    struct Owner {
        SoupFeed& feed;
        Connection& connection;
        std::optional<session::LoginAnswer> on_login(const wire::soupbin::LoginRequest& request) {
            return feed.log_in(connection, request);
        }
        // Subscribers send no messages.
        static bool on_message(std::span<const std::byte> /*payload*/) { return true; }
    };
    const auto done =
        connection.client->server->on_bytes(bytes, tcp_.now(), Owner{*this, connection});
    tcp_.queue_write(connection);
    return done;
}

// Snapshots are of the current session alone.
std::optional<feed::EarlierSessions::Session> SoupFeed::session_of(std::string_view name) {
    auto current = feed_->session();
    if (name.empty() || name == current->id().text()) return current;
    const auto id = feed::FeedSessionId::parse(name);
    if (service_ == SoupService::glimpse || !id || *id > current->id()) return nullptr;
    return earlier_->find(*id);
}

std::optional<session::LoginAnswer> SoupFeed::log_in(Connection& connection,
                                                     const wire::soupbin::LoginRequest& request) {
    Client& client = *connection.client;
    const auto found = session_of(request.session_text());
    if (!found) return std::nullopt;
    const auto& session = *found;
    if (session == nullptr) return std::unexpected{RejectReason::session_not_available};
    // The feed knows no identities.
    if (const auto settled = tcp_.settle(connection, {}); !settled) {
        client.refused = budget::text(settled.error());
        return std::unexpected{RejectReason::not_authorized};
    }
    if (service_ == SoupService::glimpse) {
        client.session = session->id();
        client.snapshot_ticket = feed_->request_snapshot();
        return login_to(*session, 1);
    }
    const std::uint64_t end = session->messages() + 1;
    if (request.sequence > end) return std::unexpected{RejectReason::session_not_available};
    const std::uint64_t next = request.sequence == 0 ? end : request.sequence;
    client.reader.emplace(session, next);
    return login_to(*session, next);
}

bool SoupFeed::serve() {
    bool gave = false;
    tcp_.for_each([&](Connection& connection) {
        if (connection.client->server->is_logged_in()) gave |= give(connection);
        connection.client->server->on_time(tcp_.time());
        if (connection.output->size() > 0 || connection.client->server->end_reason())
            tcp_.queue_write(connection);
    });
    tcp_.flush();
    return gave;
}

void SoupFeed::append_slow(std::vector<SlowSubscriber>& to) {
    tcp_.for_each([&](Connection& connection) {
        const std::uint64_t behind = messages_behind(*connection.client);
        if (behind < SlowSubscriber::k_least_behind) return;
        to.push_back({.service = name(),
                      .client = telemetry::text(tcp_.peer_of(connection)),
                      .behind = behind});
    });
}

void SoupFeed::on_ended(Connection& connection, std::string_view reason) {
    session::EndCause cause = connection.client->server->end_cause();
    const bool made_room =
        cause == session::EndCause::regular && !reason.empty() && connection.place.is_waiting();
    if (made_room || !connection.client->refused.empty()) cause = session::EndCause::no_room;
    if (cause == session::EndCause::regular) return;
    connection.client->server->say_why(reason);
    note_end(cause, fmt::format("{} from {} ended: {}", name(),
                                telemetry::text(tcp_.peer_of(connection)), reason));
}

void SoupFeed::on_no_room(std::string_view what) {
    note_end(session::EndCause::no_room, fmt::format("{}: {}", name(), what));
}

void SoupFeed::note_end(session::EndCause cause, std::string line) {
    ended_->count(cause);
    if (!last_ended_.empty()) ++ended_before_it_;
    last_ended_ = std::move(line);
}

std::string SoupFeed::take_ended() {
    std::string line = std::exchange(last_ended_, {});
    if (const std::uint64_t before = std::exchange(ended_before_it_, 0); before > 0)
        line += fmt::format(" ({} more ended before)", before);
    return line;
}

// Those of a snapshot are counted by their share of its bytes.
std::uint64_t SoupFeed::messages_behind(const Client& client) {
    if (client.reader) return client.reader->messages() + 1 - client.reader->next();
    if (client.snapshot == nullptr) return 0;
    const std::uint64_t bytes = client.snapshot->messages.bytes().size();
    const std::uint64_t left = bytes - client.snapshot_sent;
    return bytes == 0 ? 0 : client.snapshot->messages.messages() * left / bytes;
}

bool SoupFeed::give(Connection& connection) {
    return service_ == SoupService::glimpse ? give_snapshot(connection) : give_messages(connection);
}

// A packet is one byte longer than its frame, and no frame is shorter than eight.
bool SoupFeed::give_messages(Connection& connection) {
    Client& client = *connection.client;
    const std::size_t room = connection.output->room();
    const auto frames =
        client.reader->read(std::span{memory_}.first(std::min(memory_.size(), room - room / 8)));
    const std::size_t sent = client.server->send_frames(frames, tcp_.time());
    DAMRAK_ASSERT(sent == frames.size());
    if (frames.empty() && client.reader->at_end()) client.server->end_session();
    return sent > 0;
}

bool SoupFeed::give_snapshot(Connection& connection) {
    Client& client = *connection.client;
    if (client.snapshot == nullptr) {
        auto made = feed_->snapshot(client.snapshot_ticket);
        if (made == nullptr) return false;
        if (made->session != client.session) {
            client.server->end_session();
            return false;
        }
        client.snapshot = std::move(made);
    }
    const auto frames = client.snapshot->messages.bytes();
    const std::size_t sent =
        client.server->send_frames(frames.subspan(client.snapshot_sent), tcp_.time());
    client.snapshot_sent += sent;
    if (client.snapshot_sent < frames.size()) return sent > 0;
    const auto last = end_of_snapshot(client.snapshot->next);
    if (client.server->send_frames(last, tcp_.time()) > 0) client.server->end_session();
    return sent > 0;
}

}  // namespace damrak::gateway::feeds
