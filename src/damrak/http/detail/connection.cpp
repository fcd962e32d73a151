#include <damrak/http/detail/connection.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <fmt/format.h>

#include <damrak/http/pace.hpp>

namespace damrak::http::detail {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

/// Part of a long answer that the client must read within the server's patience.
constexpr std::size_t k_slice_bytes = 65'536;

using ParsedRequest = bhttp::request<bhttp::string_body>;

std::string_view field_of(const ParsedRequest& request, bhttp::field field) {
    const auto value = request[field];
    return {value.data(), value.size()};
}

Request request_of(const ParsedRequest& request, bool is_post, bool is_local) {
    const std::string_view target{request.target().data(), request.target().size()};
    const std::size_t mark = target.find('?');
    return {.is_post = is_post,
            .is_local = is_local,
            .path = target.substr(0, mark),
            .query = mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1),
            .host = field_of(request, bhttp::field::host),
            .origin = field_of(request, bhttp::field::origin),
            .content_type = field_of(request, bhttp::field::content_type),
            .authorization = field_of(request, bhttp::field::authorization),
            .cookie = field_of(request, bhttp::field::cookie),
            .web_socket_protocols = field_of(request, bhttp::field::sec_websocket_protocol),
            .body = request.body(),
            .if_none_match = field_of(request, bhttp::field::if_none_match)};
}

// One connection: one request at a time, until the client closes or takes too long.
template <class Stream>
class Connection : public std::enable_shared_from_this<Connection<Stream>> {
  public:
    Connection(Stream stream, Places::Place place, Shared& shared)
        : stream_(std::move(stream)),
          place_(std::move(place)),
          shared_(&shared),
          pace_(stream_.get_executor(), config().requests_per_second) {}

    void begin() {
        if constexpr (std::is_same_v<Stream, TlsStream>) {
            expire();
            stream_.async_handshake(asio::ssl::stream_base::server,
                                    [self = this->shared_from_this()](const error_code& error) {
                                        if (!error) self->read();
                                    });
        } else {
            read();
        }
    }

    void read() {
        pace_.wait([self = this->shared_from_this()] { self->read_request(); });
    }

  private:
    void read_request() {
        parser_.emplace();
        parser_->header_limit(config().maximum_header_bytes);
        parser_->body_limit(config().maximum_body_bytes);
        expire();
        bhttp::async_read(stream_, buffer_, *parser_,
                          [self = this->shared_from_this()](const error_code& error, std::size_t) {
                              self->on_read(error);
                          });
    }

    [[nodiscard]] const ServerConfig& config() const { return shared_->config; }
    void expire() { beast::get_lowest_layer(stream_).expires_after(config().patience); }

    // A malformed or too large request is answered once; timeouts and lost connections are not.
    void on_read(const error_code& error) {
        const bool malformed = error.category() == bhttp::make_error_code({}).category() &&
                               error != bhttp::error::end_of_stream &&
                               error != bhttp::error::partial_message;
        if (error && !malformed) return finish();
        head_only_ = false;
        keep_alive_ = false;
        if (malformed) return write({.status = 400, .body = why_malformed(error)});
        const ParsedRequest& parsed = parser_->get();
        head_only_ = parsed.method() == bhttp::verb::head;
        keep_alive_ = parsed.keep_alive();
        chunked_ = parsed.version() >= 11;
        const bool is_post =
            parsed.method() == bhttp::verb::post && config().maximum_body_bytes > 0;
        if (!is_post && !head_only_ && parsed.method() != bhttp::verb::get)
            return write(
                {.status = 405, .body = fmt::format("only {} are supported here\n", allowed())});
        request_ = request_of(parsed, is_post, is_local());
        if (config().web_sockets.upgrade && beast::websocket::is_upgrade(parsed)) return upgrade();
        if (!config().is_long || !config().is_long(request_)) return write(answer());
        const bool added = shared_->worker->add(
            [self = this->shared_from_this()]() mutable {
                Answer made = self->answer();
                back(std::move(self), [made = std::move(made)](Connection& that) mutable {
                    that.write(std::move(made));
                });
            },
            config().maximum_waiting);
        if (!added)
            write({.status = 503,
                   .content_type = "application/json",
                   .body = R"({"error": {"code": "busy", "message": )"
                           R"("too many requests wait: try again in a second"}})"
                           "\n"});
    }

    void upgrade() {
        auto welcome = config().web_sockets.upgrade(request_);
        if (!welcome) return write(std::move(welcome.error()));
        if (buffer_.size() > 0)
            return write({.status = 400, .body = "wait for the answer before you send frames\n"});
        auto place = shared_->web_sockets.take_place(place_.client());
        if (!place) return write({.status = 503, .body = "too many WebSockets are open\n"});
        shared_->web_sockets.serve(std::move(stream_), *std::move(place), parser_->get(),
                                   *std::move(welcome));
    }

    [[nodiscard]] std::string why_malformed(const error_code& error) const {
        if (error == bhttp::error::header_limit)
            return fmt::format("the headers of a request have at most {} bytes\n",
                               config().maximum_header_bytes);
        if (error == bhttp::error::body_limit)
            return fmt::format("the body of a request has at most {} bytes\n",
                               config().maximum_body_bytes);
        return fmt::format("this is no valid HTTP request: {}\n", error.message());
    }
    // A failure of one request does not affect the program.
    [[nodiscard]] Answer answer() const {
        try {
            return config().answer(request_);
        } catch (const std::exception& error) {
            return {.status = 500, .body = fmt::format("the answer failed: {}\n", error.what())};
        }
    }
    [[nodiscard]] const char* allowed() const {
        return config().maximum_body_bytes > 0 ? "GET, HEAD, POST" : "GET, HEAD";
    }

    // Passes work from the worker to the server's thread, which alone creates and destroys
    // connections.
    template <class F>
    static void back(std::shared_ptr<Connection> self, F&& f) {
        auto executor = self->stream_.get_executor();
        asio::post(executor,
                   [self = std::move(self), f = std::forward<F>(f)]() mutable { f(*self); });
    }

    void write(Answer answer) {
        answer_ = std::move(answer);
        const bool known = !answer_.etag.empty() && answer_.status == 200 &&
                           has_tag(request_.if_none_match, answer_.etag);
        if (known) answer_.status = 304;
        if (known) answer_.next_piece = nullptr;
        response_.emplace();
        response_->result(answer_.status);
        response_->set(bhttp::field::content_type, answer_.content_type);
        response_->set(bhttp::field::cache_control, answer_.cache_control);
        if (!answer_.etag.empty()) response_->set(bhttp::field::etag, answer_.etag);
        if (!answer_.www_authenticate.empty())
            response_->set(bhttp::field::www_authenticate, answer_.www_authenticate);
        response_->set("X-Content-Type-Options", "nosniff");
        if (!answer_.content_security_policy.empty()) {
            response_->set("Content-Security-Policy", answer_.content_security_policy);
            response_->set("Referrer-Policy", "no-referrer");
        }
        if (!answer_.set_cookie.empty())
            response_->set(bhttp::field::set_cookie, answer_.set_cookie);
        if (answer_.status == 503) response_->set(bhttp::field::retry_after, "1");
        if (answer_.status == 405) response_->set(bhttp::field::allow, allowed());
        if (answer_.next_piece && !chunked_) keep_alive_ = false;
        response_->keep_alive(keep_alive_);
        if (answer_.next_piece)
            response_->chunked(chunked_);
        else if (!known)
            response_->content_length(answer_.body.size());
        const bool is_head = head_only_ || known;
        if (answer_.next_piece || (!is_head && answer_.body.size() > k_slice_bytes))
            return write_head(is_head);
        if (!is_head) response_->body() = std::move(answer_.body);
        expire();
        bhttp::async_write(stream_, *response_,
                           [self = this->shared_from_this()](const error_code& error, std::size_t) {
                               self->on_written(error);
                           });
    }
    void on_written(const error_code& error) {
        answer_ = {};
        if (error || !keep_alive_) return finish();
        read();
    }

    // Sends a long answer: its head, then slices of its pieces, each with its own time limit.
    // Chunked if the length is unknown; if the client does not support chunks, until the connection
    // closes.
    void write_head(bool is_head) {
        serializer_.emplace(*response_);
        serializer_->split(true);
        expire();
        bhttp::async_write_header(
            stream_, *serializer_,
            [self = this->shared_from_this(), is_head](const error_code& error, std::size_t) {
                if (error || is_head) return self->on_written(error);
                self->piece_ = std::move(self->answer_.body);
                self->is_last_ = !self->answer_.next_piece;
                self->written_ = 0;
                self->write_slice();
            });
    }
    void write_slice() {
        const std::size_t left = piece_.size() - written_;
        if (left == 0) return is_last_ ? write_end() : next_piece();
        const asio::const_buffer slice{piece_.data() + written_, std::min(left, k_slice_bytes)};
        const auto on_sent = [self = this->shared_from_this(), size = slice.size()](
                                 const error_code& error, std::size_t) {
            if (error) return self->finish();
            self->written_ += size;
            self->write_slice();
        };
        expire();
        if (response_->chunked())
            asio::async_write(stream_, bhttp::make_chunk(slice), on_sent);
        else
            asio::async_write(stream_, slice, on_sent);
    }
    void write_end() {
        if (!response_->chunked()) return on_written({});
        expire();
        asio::async_write(stream_, bhttp::make_chunk_last(),
                          [self = this->shared_from_this()](const error_code& error, std::size_t) {
                              self->on_written(error);
                          });
    }
    // A piece is queued like any request, so that long answers take turns; but it is never
    // rejected.
    void next_piece() {
        static_cast<void>(shared_->worker->add(
            [self = this->shared_from_this()]() mutable {
                const bool made = self->make_piece();
                back(std::move(self), [made](Connection& that) {
                    if (!made) return that.finish();  // without an end, so the client notices
                    that.written_ = 0;
                    that.write_slice();
                });
            },
            SIZE_MAX));
    }
    [[nodiscard]] bool make_piece() {
        piece_.clear();
        try {
            is_last_ = !answer_.next_piece(piece_);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }

    [[nodiscard]] bool is_local() const {
        const asio::ip::address& client = place_.client();
        // An IPv4 client of a dual-stack socket.
        if (client.is_v6() && client.to_v6().is_v4_mapped())
            return asio::ip::make_address_v4(asio::ip::v4_mapped, client.to_v6()).is_loopback();
        return client.is_loopback();
    }

    void finish() {
        if constexpr (std::is_same_v<Stream, TlsStream>) {
            expire();
            stream_.async_shutdown([self = this->shared_from_this()](const error_code&) {});
        } else {
            error_code ignored;
            static_cast<void>(stream_.socket().shutdown(tcp::socket::shutdown_send, ignored));
        }
    }

    Stream stream_;
    Places::Place place_;
    Shared* shared_;
    Pace pace_;
    beast::flat_buffer buffer_{65'536};
    std::optional<bhttp::request_parser<bhttp::string_body>> parser_;
    Request request_;  ///< points into the parser
    Answer answer_;
    std::optional<bhttp::response<bhttp::string_body>> response_;
    std::optional<bhttp::response_serializer<bhttp::string_body>> serializer_;
    std::string piece_;
    std::size_t written_ = 0;  ///< of the current piece
    bool is_last_ = false;     ///< the current piece is the last
    bool head_only_ = false;
    bool keep_alive_ = false;
    bool chunked_ = true;
};

}  // namespace

void serve(tcp::socket socket, Places::Place place, Shared& shared) {
    const auto begin = [&](auto stream) {
        std::make_shared<Connection<decltype(stream)>>(std::move(stream), std::move(place), shared)
            ->begin();
    };
    if (shared.tls)
        begin(TlsStream{std::move(socket), *shared.tls});
    else
        begin(PlainStream{std::move(socket)});
}

}  // namespace damrak::http::detail
