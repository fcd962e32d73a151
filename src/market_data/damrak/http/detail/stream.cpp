#include <damrak/http/detail/stream.hpp>

#include <optional>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace damrak::http {

namespace asio = boost::asio;
namespace ssl = asio::ssl;

struct Stream::State {
    explicit State(Socket given) : socket(std::move(given)), deadline(socket.get_executor()) {}

    void close() {
        Error ignored;
        static_cast<void>(socket.close(ignored));
    }

    Socket socket;
    std::optional<ssl::stream<Socket&>> tls;
    Timer deadline;
    std::array<char, 64> rest{};  ///< of a client, after the end
};

Stream::Stream(Socket socket, ssl::context* tls)
    : state_(std::make_shared<State>(std::move(socket))) {
    if (tls != nullptr) state_->tls.emplace(state_->socket, *tls);
}

Executor Stream::get_executor() const { return state_->socket.get_executor(); }

void Stream::shake_hands(Done done) {
    if (!state_->tls) return done({}, 0);
    state_->tls->async_handshake(
        ssl::stream_base::server,
        [done = std::move(done)](const Error& error) mutable { done(error, 0); });
}

void Stream::read_some(const ReadBuffer& into, Done done) {
    if (state_->tls)
        state_->tls->async_read_some(into, std::move(done));
    else
        state_->socket.async_read_some(into, std::move(done));
}

void Stream::write_some(const WriteBuffers& bytes, Done done) {
    if (state_->tls)
        state_->tls->async_write_some(bytes, std::move(done));
    else
        state_->socket.async_write_some(bytes, std::move(done));
}

void Stream::finish(Done done) {
    if (state_->tls)
        return state_->tls->async_shutdown(
            [done = std::move(done)](const Error& error) mutable { done(error, 0); });
    Error error;
    static_cast<void>(state_->socket.shutdown(Socket::shutdown_send, error));
    done(error, 0);
}

void Stream::close() { state_->close(); }

void Stream::expire_after(std::chrono::milliseconds patience) {
    state_->deadline.expires_after(patience);
    state_->deadline.async_wait([of = std::weak_ptr{state_}](const Error& error) {
        const auto state = of.lock();
        // It may have been set again after it was reached.
        if (!error && state && state->deadline.expiry() <= std::chrono::steady_clock::now())
            state->close();
    });
}

void Stream::expire_never() { state_->deadline.expires_at(Timer::time_point::max()); }

// Without TLS the client closes first, or sends what nobody reads any more.
void Stream::tear_down(Done done) {
    const bool is_plain = !state_->tls;
    finish([state = state_, is_plain, done = std::move(done)](const Error& error,
                                                              std::size_t) mutable {
        if (error || !is_plain) return done(error, 0);
        auto& [socket, tls, deadline, rest] = *state;
        socket.async_read_some(asio::buffer(rest),
                               [state, done = std::move(done)](Error end, std::size_t) mutable {
                                   state->close();
                                   if (end == asio::error::eof) end = {};
                                   done(end, 0);
                               });
    });
}

}  // namespace damrak::http
