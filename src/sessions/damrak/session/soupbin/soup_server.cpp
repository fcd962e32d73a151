#include <damrak/session/soupbin/soup_server.hpp>

#include <cstring>

namespace damrak::session {

namespace soupbin = wire::soupbin;

// A message longer than a client may send would never be complete: it would wait for ever.
void SoupServer::check_length(std::span<const std::byte> bytes) {
    if (bytes.size() < soupbin::k_length_bytes) return;
    const std::size_t length = load_be<std::uint16_t>(bytes.data());
    if (length > config_->longest_message + 1) end(k_too_long);
}

bool SoupServer::answer_login(const std::optional<LoginAnswer>& waiting, Timestamp now) {
    if (!waiting) return false;
    const LoginAnswer& answer = *waiting;
    if (!answer) {
        reject_login(answer.error(),
                     answer.error() == soupbin::RejectReason::not_authorized
                         ? "its login was rejected: wrong user or password"
                         : "its login was rejected: no such session or message, or no room",
                     now);
        return true;
    }
    std::array<std::byte, soupbin::k_header_bytes + soupbin::LoginAcceptedLayout::k_bytes> packet;
    const std::span<std::byte> room = out_->extend(soupbin::encode_login_accepted(
        {answer->session.data(), answer->session.size()}, answer->next, packet));
    std::memcpy(room.data(), packet.data(), room.size());
    last_sent_ = now;
    state_ = State::in;
    last_heard_ = now;
    next_ = answer->next;
    return true;
}

void SoupServer::reject_login(soupbin::RejectReason reason, std::string_view why, Timestamp now) {
    std::array<std::byte, soupbin::k_header_bytes + 1> packet;
    const std::span<std::byte> room = out_->extend(soupbin::encode_login_rejected(reason, packet));
    std::memcpy(room.data(), packet.data(), room.size());
    last_sent_ = now;
    end(why, EndCause::login_rejected);
}

std::size_t SoupServer::send_frames(std::span<const std::byte> frames, Timestamp now) {
    std::size_t sent = 0;
    while (frames.size() - sent >= soupbin::k_length_bytes) {
        const std::size_t length = load_be<std::uint16_t>(frames.data() + sent);
        const std::span<std::byte> room = out_->extend(soupbin::k_header_bytes + length);
        if (room.empty()) break;
        store_be(room.data(), static_cast<std::uint16_t>(length + 1));
        room[soupbin::k_length_bytes] = static_cast<std::byte>(soupbin::PacketType::sequenced_data);
        std::memcpy(room.data() + soupbin::k_header_bytes,
                    frames.data() + sent + soupbin::k_length_bytes, length);
        sent += soupbin::k_length_bytes + length;
        ++next_;
    }
    if (sent > 0) last_sent_ = now;
    return sent;
}

void SoupServer::end_session() {
    const std::span<std::byte> room = out_->extend(soupbin::k_header_bytes);
    if (room.empty()) return;
    static_cast<void>(soupbin::encode(soupbin::PacketType::end_of_session, room));
    end("the session is over", EndCause::regular);
}

void SoupServer::say_why(std::string_view reason) {
    if (end_cause_ == EndCause::login_rejected) return;
    const std::span<std::byte> room = out_->extend(soupbin::k_header_bytes + reason.size());
    if (room.empty()) return;
    static_cast<void>(soupbin::encode(soupbin::PacketType::debug, room));
    store_be(room.data(), static_cast<std::uint16_t>(reason.size() + 1));
    std::memcpy(room.data() + soupbin::k_header_bytes, reason.data(), reason.size());
}

void SoupServer::on_time(Timestamp now) {
    if (!end_reason_.empty()) return;
    const std::int64_t silent_ns = now.value - last_heard_.value;
    if (state_ == State::waiting) {
        if (silent_ns > config_->login_ns) end("it did not log in", EndCause::no_login);
        return;
    }
    if (silent_ns > config_->silence_ns) return end("it was silent for too long", EndCause::silent);
    if (now.value - last_sent_.value < config_->heartbeat_ns) return;
    // If there is no room, the pending output serves as a heartbeat.
    const std::span<std::byte> room = out_->extend(soupbin::k_header_bytes);
    if (room.empty()) return;
    static_cast<void>(soupbin::encode(soupbin::PacketType::server_heartbeat, room));
    last_sent_ = now;
}

}  // namespace damrak::session
