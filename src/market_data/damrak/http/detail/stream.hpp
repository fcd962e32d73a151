// The bytes of one connection of the HTTP server, over TCP or TLS, with a time limit. One type for
// both, and one type of handler, so that the templates of Boost.Beast on top of it are compiled
// once. Server's thread only; each read or write allocates for its handler.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/system/error_code.hpp>

#include <damrak/http/detail/event_loop.hpp>

namespace boost::asio::ssl {
class context;
}

namespace damrak::http {

class Stream {
  public:
    using Error = boost::system::error_code;
    using Done = std::move_only_function<void(const Error&, std::size_t)>;
    using ReadBuffer = boost::asio::mutable_buffer;
    /// Beast writes a frame's header and its payload; they shall leave together.
    using WriteBuffers = std::array<boost::asio::const_buffer, 2>;

    /// With a context: over TLS.
    Stream(Socket socket, boost::asio::ssl::context* tls);

    /// To be called first. Without TLS it is done at once.
    void shake_hands(Done done);
    void read_some(const ReadBuffer& into, Done done);
    void write_some(const WriteBuffers& bytes, Done done);
    /// Ends the server's side. Without TLS it is done at once.
    void finish(Done done);
    void close();

    /// Closes the connection then, which ends what is pending with an error.
    void expire_after(std::chrono::milliseconds patience);
    void expire_never();

    // What Beast expects of a stream; it finds the functions by the type of their argument.
    // NOLINTBEGIN(readability-identifier-naming)
    using executor_type = Executor;
    [[nodiscard]] executor_type get_executor() const;
    template <class Buffers, class Handler>
    void async_read_some(const Buffers& into, Handler&& handler) {
        read_some(first<ReadBuffer, 1>(into)[0], std::forward<Handler>(handler));
    }
    template <class Buffers, class Handler>
    void async_write_some(const Buffers& bytes, Handler&& handler) {
        write_some(first<boost::asio::const_buffer, 2>(bytes), std::forward<Handler>(handler));
    }
    template <class Handler>
    friend void async_teardown(boost::beast::role_type /*server*/, Stream& stream,
                               Handler&& handler) {
        stream.tear_down(
            [handler = std::forward<Handler>(handler)](
                const Error& error, std::size_t /*bytes*/) mutable { handler(error); });
    }
    friend void beast_close_socket(Stream& stream) { stream.close(); }
    // NOLINTEND(readability-identifier-naming)

  private:
    struct State;

    /// Of a sequence of buffers, those that are not empty.
    template <class Buffer, std::size_t k_most, class Buffers>
    [[nodiscard]] static std::array<Buffer, k_most> first(const Buffers& buffers) {
        std::array<Buffer, k_most> found{};
        std::size_t count = 0;
        const auto end = boost::asio::buffer_sequence_end(buffers);
        for (auto at = boost::asio::buffer_sequence_begin(buffers); at != end && count < k_most;
             ++at)
            if (const Buffer one{*at}; one.size() > 0) found[count++] = one;
        return found;
    }
    /// After the close frames of a WebSocket.
    void tear_down(Done done);

    std::shared_ptr<State> state_;  ///< the timer's handler has a weak pointer
};

}  // namespace damrak::http
