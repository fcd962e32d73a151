// The bytes between a socket and a FIX session: received bytes of incomplete messages, and output
// waiting to be sent. Part of fix_client.hpp and fix_acceptor.hpp. All memory is allocated at
// construction. A turn costs one receive, the session's work, and one send if there is output.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <damrak/domain/measures.hpp>
#include <damrak/session/fix/session.hpp>
#include <damrak/session/output_buffer.hpp>

namespace damrak::client::detail {

template <class Network>
class FixConnection {
  public:
    using Socket = typename Network::Socket;

    /// The input must hold more than the longest message that the session's decoder accepts.
    FixConnection(std::size_t input_bytes, std::size_t output_bytes)
        : input_(input_bytes), memory_(output_bytes), out_(memory_) {}

    FixConnection(const FixConnection&) = delete;
    FixConnection& operator=(const FixConnection&) = delete;
    ~FixConnection() = default;

    void open(Socket socket) {
        socket_ = std::move(socket);
        have_ = 0;
        fresh_ = blocked_ = closed_ = false;
        linger_until_.reset();
        out_.consume(out_.size());
    }
    void close() { socket_.reset(); }
    /// Closed by the other side, or broken.
    [[nodiscard]] bool closed() const { return closed_; }
    [[nodiscard]] const Socket& socket() const { return socket_; }
    [[nodiscard]] session::OutputBuffer& out() { return out_; }

    /// Reads as much as fits and returns the number of bytes. After a close by the other side
    /// nothing more arrives.
    std::size_t read(Network& network) {
        const auto room = std::span{input_}.subspan(have_);
        if (room.empty()) return 0;
        const auto got = network.receive(socket_, room);
        have_ += got.bytes;
        fresh_ = fresh_ || got.bytes > 0;
        closed_ = got.closed;
        return got.bytes;
    }
    [[nodiscard]] std::span<const std::byte> unread() const {
        return std::span{input_}.first(have_);
    }

    /// Passes received bytes and the time to the session, and sends its output. Returns the work
    /// done: bytes read and messages. `stays` becomes false when the connection is over.
    template <class Session>
    std::size_t turn(Network& network, Session& session, Timestamp now, bool& stays) {
        std::size_t work = read(network);
        if (fresh_ || blocked_) {
            const session::Received received = session.receive(unread(), now);
            std::copy(input_.begin() + static_cast<std::ptrdiff_t>(received.consumed_bytes),
                      input_.begin() + static_cast<std::ptrdiff_t>(have_), input_.begin());
            have_ -= received.consumed_bytes;
            work += received.messages;
            blocked_ = received.blocked;
            fresh_ = false;
        }
        session.on_time(now);
        flush(network);
        stays = !is_over(session, now);
        return work;
    }

    void flush(Network& network) {
        while (!closed_ && !out_.readable().empty()) {
            const auto sent = network.send(socket_, out_.readable());
            closed_ = sent.closed;
            if (sent.bytes == 0) return;
            out_.consume(sent.bytes);
        }
    }

  private:
    /// How long the last messages of a session may wait for a peer that does not read.
    static constexpr std::int64_t k_linger_ns = 1'000'000'000;

    template <class Session>
    bool is_over(const Session& session, Timestamp now) {
        if (closed_) return true;
        if (session.ended() == session::fix::Ended::no) return false;
        if (out_.readable().empty()) return true;
        if (!linger_until_) linger_until_ = Timestamp{now.value + k_linger_ns};
        return now >= *linger_until_;
    }

    Socket socket_{};
    std::vector<std::byte> input_;
    std::size_t have_ = 0;
    bool fresh_ = false;    ///< bytes that the session has not seen
    bool blocked_ = false;  ///< bytes that it wants to see again
    bool closed_ = false;
    std::optional<Timestamp> linger_until_;
    std::vector<std::byte> memory_;
    session::OutputBuffer out_;
};

}  // namespace damrak::client::detail
