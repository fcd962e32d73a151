#include <damrak/http/server.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <ranges>
#include <thread>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>
#include <fmt/format.h>

#include <damrak/http/detail/connection.hpp>
#include <damrak/http/detail/event_loop.hpp>
#include <damrak/http/detail/response_head.hpp>
#include <damrak/net/address.hpp>
#include <damrak/net/client_descriptors.hpp>

namespace damrak::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

void give_way() { Worker::give_way(); }

bool has_tag(std::string_view if_none_match, std::string_view etag) {
    if (if_none_match == "*") return true;
    for (std::size_t at = 0; (at = if_none_match.find(etag, at)) != std::string_view::npos; ++at) {
        const std::size_t end = at + etag.size();
        const bool begins = at == 0 || if_none_match[at - 1] == ' ' ||
                            if_none_match[at - 1] == ',' || if_none_match[at - 1] == '/';
        if (begins &&
            (end == if_none_match.size() || if_none_match[end] == ',' || if_none_match[end] == ' '))
            return true;
    }
    return false;
}

bool takes_gzip(std::string_view accept_encoding) {
    constexpr std::string_view k_name = "gzip";
    for (const auto part : std::views::split(accept_encoding, ',')) {
        std::string_view coding{part};
        coding.remove_prefix(std::min(coding.find_first_not_of(' '), coding.size()));
        if (!coding.starts_with(k_name)) continue;
        const std::string_view weight = coding.substr(k_name.size());
        // gzip;q=0 refuses it
        return weight.find_first_of("123456789") != std::string_view::npos ||
               weight.find("q=") == std::string_view::npos;
    }
    return false;
}

namespace {

/// Of a request that is not answered.
constexpr std::size_t k_request_bytes = 4'096;

}  // namespace

class Server::Implementation {
  public:
    explicit Implementation(ServerConfig config)
        : shared_(std::move(config)), acceptor_(context_), ticker_(context_) {}
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation() {
        context_.stop();
        if (thread_.joinable()) thread_.join();
        if (shared_.worker) shared_.worker->stop();  // after it nobody else ends connections
    }

    [[nodiscard]] std::expected<void, std::string> start() {
        const ServerConfig& config = shared_.config;
        error_code error;
        const tcp::endpoint where{asio::ip::make_address(config.address, error), config.port};
        if (!error) static_cast<void>(acceptor_.open(where.protocol(), error));
        if (!error)
            static_cast<void>(acceptor_.set_option(asio::socket_base::reuse_address{true}, error));
        if (!error) static_cast<void>(acceptor_.bind(where, error));
        if (!error)
            static_cast<void>(acceptor_.listen(asio::socket_base::max_listen_connections, error));
        if (!error) port_ = acceptor_.local_endpoint(error).port();
        if (error)
            return std::unexpected{fmt::format("cannot listen for HTTP on {}: {}",
                                               net::host_and_port(config.address, config.port),
                                               error.message())};
        if (auto ready = prepare_tls(); !ready) return ready;
        if (config.is_long) shared_.worker.emplace();
        accept();
        if (config.on_tick || config.web_sockets.upgrade) tick();
        thread_ = std::thread{[this] { context_.run(); }};
        return {};
    }

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] ServerPlaces places() const {
        return {.connections = shared_.places.figures(),
                .web_sockets = shared_.web_sockets.places(),
                .waiting = shared_.waiting.figures()};
    }

  private:
    [[nodiscard]] std::expected<void, std::string> prepare_tls() {
        const net::TlsFiles& files = shared_.config.tls;
        if (files.certificate.empty()) return {};
        asio::ssl::context& tls = shared_.tls.emplace(asio::ssl::context::tls_server);
        error_code error;
        const auto failed = [&](const std::string& file) {
            return std::unexpected{
                fmt::format("{}: cannot be used for HTTPS: {}", file, error.message())};
        };
        net::set_tls_rules(tls.native_handle());
        static_cast<void>(tls.use_certificate_chain_file(files.certificate, error));
        if (error) return failed(files.certificate);
        static_cast<void>(tls.use_private_key_file(files.key, asio::ssl::context::pem, error));
        if (error) return failed(files.key);
        return {};
    }
    void accept() {
        acceptor_.async_accept([this](const error_code& error, Socket socket) {
            if (!error) open(std::move(socket));
            // Probably out of descriptors: wait before the next try.
            if (error) std::this_thread::sleep_for(std::chrono::milliseconds{10});
            accept();
        });
    }
    void open(Socket socket) {
        error_code error;
        const auto peer = socket.remote_endpoint(error);
        if (error) return;
        auto place = take_place(peer.address());
        if (place && !net::is_for_client(socket.native_handle()))
            place = std::unexpected{budget::Refusal::full};
        if (!place) return refuse(socket, place.error());
        static_cast<void>(socket.set_option(tcp::no_delay{true}, error));
        detail::serve(std::move(socket), peer.address(), *std::move(place), shared_);
    }
    /// What strangers cannot take is for clients on this machine: one of them is the operator.
    [[nodiscard]] std::expected<budget::Row::Place, budget::Refusal> take_place(
        const asio::ip::address& client) {
        auto place = shared_.places.take(who_is(client));
        if (!place && place.error() == budget::Refusal::strangers && is_this_machine(client))
            place = shared_.places.take(the_operator());
        return place;
    }
    // As far as the socket takes it at once. Over TLS nothing can be said before a handshake.
    void refuse(Socket& socket, budget::Refusal why) const {
        error_code error;
        static_cast<void>(socket.non_blocking(true, error));
        if (error || shared_.tls) return;
        const std::string answer = detail::whole(detail::busy("connections", why));
        static_cast<void>(socket.write_some(asio::buffer(answer), error));
        static_cast<void>(socket.shutdown(Socket::shutdown_send, error));
        // A close with unread bytes may take back what was sent.
        std::array<char, k_request_bytes> unread;
        static_cast<void>(socket.read_some(asio::buffer(unread), error));
    }
    void tick() {
        // Ticks that are late are left out.
        ticker_.expires_at(
            std::max(ticker_.expiry() + shared_.config.tick, std::chrono::steady_clock::now()));
        ticker_.async_wait([this](const error_code& error) {
            if (error) return;
            if (shared_.config.on_tick) shared_.config.on_tick();
            shared_.web_sockets.look_after_all();
            tick();
        });
    }

    detail::Shared shared_;  ///< declared before the context, whose destructor ends the
    EventLoop context_{1};   ///< connections counted there
    Acceptor acceptor_;
    Timer ticker_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

Server::Server(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}

Server::~Server() = default;

std::expected<std::unique_ptr<Server>, std::string> Server::start(ServerConfig config) {
    auto implementation = std::make_unique<Implementation>(std::move(config));
    if (const auto started = implementation->start(); !started)
        return std::unexpected{started.error()};
    return std::unique_ptr<Server>{new Server{std::move(implementation)}};
}

std::uint16_t Server::port() const { return implementation_->port(); }

ServerPlaces Server::places() const { return implementation_->places(); }

}  // namespace damrak::http
