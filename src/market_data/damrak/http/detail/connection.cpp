#include <damrak/http/detail/connection.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <fmt/format.h>

#include <damrak/http/detail/pace.hpp>
#include <damrak/http/detail/response_head.hpp>
#include <damrak/http/detail/stream.hpp>

namespace damrak::http::detail {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = beast::http;
using boost::system::error_code;

/// Part of a long answer that the client must read within the server's patience.
constexpr std::size_t k_slice_bytes = 65'536;
/// Read at once.
constexpr std::size_t k_read_bytes = 4'096;
/// Read and not parsed yet: the head of a request, or of a chunk.
constexpr std::size_t k_most_unparsed_bytes = 65'536;

using ParsedRequest = bhttp::request<bhttp::string_body>;

std::string_view field_of(const ParsedRequest& request, bhttp::field field) {
    const auto value = request[field];
    return {value.data(), value.size()};
}

// A fold continues a header field on the next line: programs in front of us may read it otherwise.
bool has_fold(std::string_view head) {
    for (std::size_t at = 0; (at = head.find("\r\n", at)) != std::string_view::npos;) {
        at += 2;
        if (head.substr(at).starts_with("\r\n")) return false;  // its end
        if (at < head.size() && (head[at] == ' ' || head[at] == '\t')) return true;
    }
    return false;
}

/// A field that a request may have once, but has twice, or lacks; empty: none.
std::string_view ambiguous_field(const ParsedRequest& request) {
    if (request.version() >= 11 && request.count(bhttp::field::host) == 0) return "Host";
    for (const auto field : {bhttp::field::host, bhttp::field::origin, bhttp::field::content_type,
                             bhttp::field::authorization})
        if (request.count(field) > 1) return {to_string(field).data(), to_string(field).size()};
    return {};
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
            .if_none_match = field_of(request, bhttp::field::if_none_match),
            .accept_encoding = field_of(request, bhttp::field::accept_encoding)};
}

// One connection: one request at a time, until the client closes or takes too long.
class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(Stream stream, const asio::ip::address& client, budget::Row::Place place,
               Shared& shared)
        : stream_(std::move(stream)),
          client_(client),
          place_(std::move(place)),
          shared_(&shared),
          pace_(stream_.get_executor(), config().requests_per_second) {}

    void begin() {
        expire();
        stream_.shake_hands(then(&Connection::on_shaken));
    }

  private:
    using Step = void (Connection::*)();
    using MovedStep = void (Connection::*)(const error_code&, std::size_t);

    [[nodiscard]] const ServerConfig& config() const { return shared_->config; }
    void expire() { stream_.expire_after(config().patience); }
    /// Keeps the connection until the step.
    [[nodiscard]] Stream::Done then(MovedStep step) {
        return [self = shared_from_this(), step](const error_code& error, std::size_t bytes) {
            ((*self).*step)(error, bytes);
        };
    }

    void on_shaken(const error_code& error, std::size_t /*bytes*/) {
        if (!error) next_request();
    }
    void next_request() {
        stream_.expire_never();
        pace_.wait([self = shared_from_this()] { self->read_request(); });
    }
    void read_request() {
        parser_.emplace();
        parser_->eager(true);
        parser_->header_limit(config().maximum_header_bytes);
        parser_->body_limit(config().maximum_body_bytes);
        expire();
        parse();  // what came with the previous request
    }
    void parse() {
        error_code error;
        while (!error && !parser_->is_done() && buffer_.size() > 0) error = put();
        if (error == bhttp::error::need_more) error = {};
        if (!error && !parser_->is_done()) {
            const std::size_t room = buffer_.max_size() - buffer_.size();
            if (room > 0)
                return stream_.read_some(buffer_.prepare(std::min(k_read_bytes, room)),
                                         then(&Connection::on_read));
            error = bhttp::error::buffer_overflow;
        }
        stream_.expire_never();
        head_only_ = false;
        keep_alive_ = false;
        if (error) return write({.status = 400, .body = why_malformed(error)});
        on_request(parser_->get());
    }
    [[nodiscard]] error_code put() {
        const asio::const_buffer bytes{buffer_.data()};
        if (!parser_->is_header_done() &&
            has_fold({static_cast<const char*>(bytes.data()), bytes.size()}))
            return bhttp::error::bad_obs_fold;
        error_code error;
        buffer_.consume(parser_->put(bytes, error));
        return error;
    }
    void on_read(const error_code& error, std::size_t bytes) {
        if (error) return finish();
        buffer_.commit(bytes);
        parse();
    }

    void on_request(const ParsedRequest& parsed) {
        head_only_ = parsed.method() == bhttp::verb::head;
        keep_alive_ = parsed.keep_alive();
        chunked_ = parsed.version() >= 11;
        if (const auto field = ambiguous_field(parsed); !field.empty())
            return write({.status = 400, .body = fmt::format("a request has one {}\n", field)});
        const bool is_post =
            parsed.method() == bhttp::verb::post && config().maximum_body_bytes > 0;
        if (!is_post && !head_only_ && parsed.method() != bhttp::verb::get)
            return write(
                {.status = 405, .body = fmt::format("only {} are supported here\n", allowed())});
        request_ = request_of(parsed, is_post, is_this_machine(client_));
        if (config().web_sockets.upgrade && beast::websocket::is_upgrade(parsed)) return upgrade();
        who_ = who();
        if (!config().is_long || !config().is_long(request_)) return write(answer());
        auto at_worker = shared_->waiting.take(who_);
        if (!at_worker) return write(busy("requests that wait", at_worker.error()));
        at_worker_ = *std::move(at_worker);
        shared_->worker->add(who_, [self = shared_from_this()]() mutable {
            self->answer_ = self->answer();
            back(std::move(self), &Connection::on_answer);
        });
    }
    void on_answer() {
        at_worker_.give_back();
        write_answer();
    }
    [[nodiscard]] budget::Who who() const {
        const bool is_operator = config().is_operator && config().is_operator(request_);
        return is_operator ? the_operator() : who_is(client_);
    }

    void upgrade() {
        auto welcome = config().web_sockets.upgrade(request_);
        if (!welcome) return write(std::move(welcome.error()));
        if (buffer_.size() > 0)
            return write({.status = 400, .body = "wait for the answer before you send frames\n"});
        auto place = shared_->web_sockets.take_place(who());
        if (!place) return write(busy("WebSockets", place.error()));
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
    static void back(std::shared_ptr<Connection> self, Step step) {
        const Executor executor = self->stream_.get_executor();
        asio::post(executor, [self = std::move(self), step] { ((*self).*step)(); });
    }

    void write(Answer answer) {
        answer_ = std::move(answer);
        write_answer();
    }
    void write_answer() {
        const bool known = !answer_.etag.empty() && answer_.status == 200 &&
                           has_tag(request_.if_none_match, answer_.etag);
        if (known) answer_.status = 304;
        if (known) answer_.next_piece = nullptr;
        const bool in_pieces = static_cast<bool>(answer_.next_piece);
        if (in_pieces && !chunked_) keep_alive_ = false;
        const bool gzip = !answer_.gzip_body.empty() && takes_gzip(request_.accept_encoding);
        if (gzip) answer_.body = answer_.gzip_body;
        Framing framing{.keep_alive = keep_alive_, .chunked = in_pieces && chunked_, .gzip = gzip};
        if (!in_pieces && !known) framing.length = answer_.body.size();
        chunked_ = framing.chunked;
        std::string bytes = head_of(answer_, framing, allowed());
        if (head_only_ || known) return send(std::move(bytes), &Connection::on_written);
        if (in_pieces || answer_.body.size() > k_slice_bytes)
            return send(std::move(bytes), &Connection::write_body);
        bytes += answer_.body;
        send(std::move(bytes), &Connection::on_written);
    }
    void on_written() {
        answer_ = {};
        if (!keep_alive_) return finish();
        next_request();
    }

    // A long answer is sent in slices of its pieces, each with its own time limit. Chunked if the
    // length is unknown; if the client does not support chunks, until the connection closes.
    void write_body() {
        piece_ = std::move(answer_.body);
        is_last_ = !answer_.next_piece;
        written_ = 0;
        write_slice();
    }
    void write_slice() {
        const std::string_view slice = std::string_view{piece_}.substr(written_, k_slice_bytes);
        if (slice.empty()) return is_last_ ? write_end() : next_piece();
        written_ += slice.size();
        send(chunked_ ? fmt::format("{:x}\r\n{}\r\n", slice.size(), slice) : std::string{slice},
             &Connection::write_slice);
    }
    void write_end() {
        if (!chunked_) return on_written();
        send("0\r\n\r\n", &Connection::on_written);
    }
    // A piece is queued like any request, so that long answers take turns; but it needs no place: a
    // connection has one piece at a time.
    void next_piece() {
        shared_->worker->add(who_, [self = shared_from_this()]() mutable {
            // Without an end, so the client notices.
            const Step step = self->make_piece() ? &Connection::write_slice : &Connection::finish;
            back(std::move(self), step);
        });
    }
    [[nodiscard]] bool make_piece() {
        piece_.clear();
        written_ = 0;
        try {
            is_last_ = !answer_.next_piece(piece_);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }

    // Within the time limit, then continues.
    void send(std::string bytes, Step next) {
        out_ = std::move(bytes);
        sent_ = 0;
        after_sent_ = next;
        expire();
        send_rest();
    }
    void send_rest() {
        stream_.write_some({asio::buffer(out_) + sent_}, then(&Connection::on_sent));
    }
    void on_sent(const error_code& error, std::size_t bytes) {
        if (error) return finish();
        sent_ += bytes;
        if (sent_ < out_.size()) return send_rest();
        stream_.expire_never();
        (this->*after_sent_)();
    }

    void finish() {
        answer_ = {};
        expire();
        stream_.finish(then(&Connection::on_finished));
    }
    void on_finished(const error_code& /*error*/, std::size_t /*bytes*/) {}

    Stream stream_;
    asio::ip::address client_;
    budget::Row::Place place_;
    budget::Row::Place at_worker_{};  ///< while the worker has its request
    Shared* shared_;
    Pace pace_;
    beast::flat_buffer buffer_{k_most_unparsed_bytes};
    std::optional<bhttp::request_parser<bhttp::string_body>> parser_;
    Request request_;    ///< points into the parser
    budget::Who who_{};  ///< whose it is
    Answer answer_;
    std::string out_;  ///< is being sent
    std::size_t sent_ = 0;
    Step after_sent_ = nullptr;
    std::string piece_;
    std::size_t written_ = 0;  ///< of the current piece
    bool is_last_ = false;     ///< the current piece is the last
    bool head_only_ = false;
    bool keep_alive_ = false;
    bool chunked_ = true;
};

}  // namespace

void serve(Socket socket, const asio::ip::address& client, budget::Row::Place place,
           Shared& shared) {
    Stream stream{std::move(socket), shared.tls ? &*shared.tls : nullptr};
    std::make_shared<Connection>(std::move(stream), client, std::move(place), shared)->begin();
}

}  // namespace damrak::http::detail
