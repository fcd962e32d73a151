#include <damrak/telemetry/http/http_server.hpp>

#include <optional>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include <damrak/net/address.hpp>

namespace damrak::telemetry {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

using Request = http::request<http::string_body>;

std::string_view field_of(const Request& request, http::field field) {
    const auto value = request[field];
    return {value.data(), value.size()};
}

HttpAnswer answer_to(const Request& request, bool is_local, const HttpServerConfig& config) {
    const bool is_post = request.method() == http::verb::post && config.maximum_body_bytes > 0;
    if (!is_post && request.method() != http::verb::get && request.method() != http::verb::head)
        return {.status = 405,
                .body = fmt::format("only GET{} HEAD are supported here\n",
                                    config.maximum_body_bytes > 0 ? ", POST and" : " and")};
    const std::string_view target{request.target().data(), request.target().size()};
    const std::size_t mark = target.find('?');
    return config.answer(
        {.is_post = is_post,
         .is_local = is_local,
         .path = target.substr(0, mark),
         .query = mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1),
         .host = field_of(request, http::field::host),
         .origin = field_of(request, http::field::origin),
         .content_type = field_of(request, http::field::content_type),
         .body = request.body()});
}

// One connection: one request at a time, until the client closes or takes too long.
class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(tcp::socket socket, const HttpServerConfig& config, std::size_t& open)
        : stream_(std::move(socket)), config_(&config), open_(&open) {
        ++*open_;
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() { --*open_; }

    void read() {
        parser_.emplace();
        parser_->header_limit(config_->maximum_header_bytes);
        parser_->body_limit(config_->maximum_body_bytes);
        stream_.expires_after(config_->patience);
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](const error_code& error, std::size_t) {
                             self->on_read(error);
                         });
    }

  private:
    // A malformed or too large request is answered once; timeouts and lost connections are not.
    void on_read(const error_code& error) {
        const bool malformed = error.category() == http::make_error_code({}).category() &&
                               error != http::error::end_of_stream &&
                               error != http::error::partial_message;
        if (error && !malformed) return finish();
        if (malformed) return write({.status = 400, .body = error.message() + "\n"}, false, false);
        const auto& request = parser_->get();
        write(answer_to(request, is_local(), *config_), request.method() == http::verb::head,
              request.keep_alive());
    }

    void write(HttpAnswer answer, bool head_only, bool keep_alive) {
        response_.emplace();
        response_->result(answer.status);
        response_->set(http::field::content_type, answer.content_type);
        response_->set(http::field::cache_control, "no-store");
        response_->keep_alive(keep_alive);
        response_->content_length(answer.body.size());
        if (!head_only) response_->body() = std::move(answer.body);
        stream_.expires_after(config_->patience);
        http::async_write(
            stream_, *response_,
            [self = shared_from_this(), keep_alive](const error_code& error, std::size_t) {
                if (error || !keep_alive) return self->finish();
                self->read();
            });
    }

    [[nodiscard]] bool is_local() {
        error_code error;
        const auto peer = stream_.socket().remote_endpoint(error);
        if (error) return false;
        // An IPv4 client of a dual-stack socket.
        if (const auto address = peer.address(); address.is_v6() && address.to_v6().is_v4_mapped())
            return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback();
        return peer.address().is_loopback();
    }

    void finish() {
        error_code ignored;
        static_cast<void>(stream_.socket().shutdown(tcp::socket::shutdown_send, ignored));
    }

    beast::tcp_stream stream_;
    const HttpServerConfig* config_;
    std::size_t* open_;
    beast::flat_buffer buffer_{65'536};
    std::optional<http::request_parser<http::string_body>> parser_;
    std::optional<http::response<http::string_body>> response_;
};

}  // namespace

class HttpServer::Implementation {
  public:
    explicit Implementation(HttpServerConfig config)
        : config_(std::move(config)), acceptor_(context_) {}
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation() {
        context_.stop();
        if (thread_.joinable()) thread_.join();
    }

    [[nodiscard]] std::expected<void, std::string> start() {
        error_code error;
        const tcp::endpoint where{asio::ip::make_address(config_.address, error), config_.port};
        if (!error) static_cast<void>(acceptor_.open(where.protocol(), error));
        if (!error)
            static_cast<void>(acceptor_.set_option(asio::socket_base::reuse_address{true}, error));
        if (!error) static_cast<void>(acceptor_.bind(where, error));
        if (!error)
            static_cast<void>(acceptor_.listen(asio::socket_base::max_listen_connections, error));
        if (!error) port_ = acceptor_.local_endpoint(error).port();
        if (error)
            return std::unexpected{fmt::format("cannot listen for HTTP on {}: {}",
                                               net::host_and_port(config_.address, config_.port),
                                               error.message())};
        accept();
        thread_ = std::thread{[this] { context_.run(); }};
        return {};
    }

    [[nodiscard]] std::uint16_t port() const { return port_; }

  private:
    void accept() {
        acceptor_.async_accept([this](const error_code& error, tcp::socket socket) {
            if (!error && open_ < config_.maximum_connections)
                std::make_shared<Connection>(std::move(socket), config_, open_)->read();
            // Probably out of descriptors: that passes, but not at once.
            if (error) std::this_thread::sleep_for(std::chrono::milliseconds{10});
            accept();
        });
    }

    HttpServerConfig config_;
    std::size_t open_ = 0;  ///< declared before the context, whose destructor ends the connections
                            ///< counted here
    asio::io_context context_{1};
    tcp::acceptor acceptor_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

HttpServer::HttpServer(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}

HttpServer::~HttpServer() = default;

std::expected<std::unique_ptr<HttpServer>, std::string> HttpServer::start(HttpServerConfig config) {
    auto implementation = std::make_unique<Implementation>(std::move(config));
    if (const auto started = implementation->start(); !started)
        return std::unexpected{started.error()};
    return std::unique_ptr<HttpServer>{new HttpServer{std::move(implementation)}};
}

std::uint16_t HttpServer::port() const { return implementation_->port(); }

}  // namespace damrak::telemetry
