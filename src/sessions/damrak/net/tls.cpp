#include <damrak/net/tls.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

namespace damrak::net {

namespace {

struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* connection) const { SSL_free(connection); }
    void operator()(BIO_METHOD* method) const { BIO_meth_free(method); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

// The first error in OpenSSL's queue; the others come from its callers.
std::string reason() {
    const auto code = ERR_get_error();
    std::string text = ERR_SYSTEM_ERROR(code) ? std::strerror(ERR_GET_REASON(code)) : "";
    if (const char* const known = ERR_reason_error_string(code); text.empty() && known != nullptr)
        text = known;
    ERR_clear_error();
    return text.empty() ? "unknown reason" : text;
}

std::unexpected<std::string> bad_file(std::string_view what, const std::string& file) {
    return std::unexpected{fmt::format("{} {}: {}", what, file, reason())};
}

// The bytes that one receive() or send() moves through the socket.
struct Wire {
    int socket = -1;
    std::size_t budget = 0;  ///< that may still be read
    bool limited = false;    ///< more was available
    bool ended = false;      ///< by the peer
};

int read_wire(BIO* bio, char* into, std::size_t size, std::size_t* got) {
    auto& wire = *static_cast<Wire*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    *got = 0;
    if (wire.budget == 0) {
        wire.limited = true;
        BIO_set_retry_read(bio);
        return 0;
    }
    const ssize_t count = ::recv(wire.socket, into, std::min(size, wire.budget), 0);
    if (count > 0) {
        *got = static_cast<std::size_t>(count);
        wire.budget -= *got;
        return 1;
    }
    wire.ended = count == 0;
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_read(bio);
    return 0;
}

int write_wire(BIO* bio, const char* bytes, std::size_t size, std::size_t* sent) {
    const auto& wire = *static_cast<const Wire*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    *sent = 0;
    const ssize_t count = ::send(wire.socket, bytes, size, MSG_NOSIGNAL);
    if (count >= 0) {
        *sent = static_cast<std::size_t>(count);
        return 1;
    }
    if (errno == EAGAIN || errno == EINTR) BIO_set_retry_write(bio);
    return 0;
}

long control_wire(BIO* bio, int command, long /*number*/, void* /*pointer*/) {
    if (command == BIO_CTRL_EOF) return static_cast<const Wire*>(BIO_get_data(bio))->ended ? 1 : 0;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

// OpenSSL's own socket BIO would kill the process by SIGPIPE when the peer has closed.
const BIO_METHOD* wire_method() {
    static const Owned<BIO_METHOD> method = [] {
        Owned<BIO_METHOD> made{
            BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "damrak socket")};
        BIO_meth_set_read_ex(made.get(), read_wire);
        BIO_meth_set_write_ex(made.get(), write_wire);
        BIO_meth_set_ctrl(made.get(), control_wire);
        return made;
    }();
    return method.get();
}

std::expected<void, std::string> use_certificate(SSL_CTX* context, const TlsFiles& files) {
    if (files.certificate.empty() != files.key.empty())
        return std::unexpected{
            std::string{"a certificate and its key belong together: give both files"}};
    if (files.certificate.empty()) return {};
    if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1)
        return bad_file("certificate", files.certificate);
    if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
        return bad_file("key", files.key);
    if (SSL_CTX_check_private_key(context) != 1) return bad_file("key", files.key);
    return {};
}

std::expected<Owned<SSL_CTX>, std::string> make_context(const SSL_METHOD* method,
                                                        const TlsFiles& files) {
    ERR_clear_error();
    Owned<SSL_CTX> context{SSL_CTX_new(method)};
    if (!context) return std::unexpected{fmt::format("TLS: {}", reason())};
    set_tls_rules(context.get());
    // FIX detects a truncated stream by its sequence numbers.
    SSL_CTX_set_options(context.get(), SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context.get(),
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (auto used = use_certificate(context.get(), files); !used)
        return std::unexpected{std::move(used.error())};
    if (!files.authorities.empty() &&
        SSL_CTX_load_verify_file(context.get(), files.authorities.c_str()) != 1)
        return bad_file("CA file", files.authorities);
    return context;
}

bool is_address(const std::string& name) {
    in6_addr parsed{};
    return ::inet_pton(AF_INET, name.c_str(), &parsed) == 1 ||
           ::inet_pton(AF_INET6, name.c_str(), &parsed) == 1;
}

}  // namespace

void set_tls_rules(ssl_ctx_st* context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    // Of TLS 1.2 alone: all suites of TLS 1.3 are of this kind.
    SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_default_passwd_cb(context, [](char*, int, int, void*) { return 0; });
}

struct TlsContext::State {
    Owned<SSL_CTX> context;
    bool accepts = false;
    std::string name;  ///< name of the other side
};

TlsContext::TlsContext(std::unique_ptr<State> state) : state_(std::move(state)) {}
TlsContext::~TlsContext() = default;

std::expected<TlsContext::Shared, std::string> TlsContext::acceptor(const TlsFiles& files) {
    if (files.certificate.empty())
        return std::unexpected{std::string{"TLS needs a certificate and its key"}};
    auto context = make_context(TLS_server_method(), files);
    if (!context) return std::unexpected{std::move(context.error())};
    SSL_CTX* const made = context->get();
    // A resumed session would bypass the check of a client certificate revoked meanwhile.
    SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(made, 0);
    SSL_CTX_set_options(made, SSL_OP_NO_TICKET);
    if (!files.authorities.empty()) {
        SSL_CTX_set_verify(made, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
        SSL_CTX_set_client_CA_list(made, SSL_load_client_CA_file(files.authorities.c_str()));
    }
    return Shared{new TlsContext{std::make_unique<State>(
        State{.context = std::move(*context), .accepts = true, .name = {}})}};
}

std::expected<TlsContext::Shared, std::string> TlsContext::initiator(const TlsFiles& files,
                                                                     std::string name) {
    auto context = make_context(TLS_client_method(), files);
    if (!context) return std::unexpected{std::move(context.error())};
    SSL_CTX* const made = context->get();
    SSL_CTX_set_verify(made, SSL_VERIFY_PEER, nullptr);
    if (files.authorities.empty() && SSL_CTX_set_default_verify_paths(made) != 1)
        return std::unexpected{fmt::format("the system's CA certificates: {}", reason())};
    return Shared{new TlsContext{std::make_unique<State>(
        State{.context = std::move(*context), .accepts = false, .name = std::move(name)})}};
}

struct TlsSocket::State {
    Owned<SSL> connection;
    Wire wire;
    bool ready = false;
    bool failed = false;
    std::string trouble;

    // Meaning of an unsuccessful call.
    [[nodiscard]] Moved outcome(int result, Moved moved) {
        const int error = SSL_get_error(connection.get(), result);
        moved.again = wire.limited;
        if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return moved;
        moved.closed = failed = true;
        if (error == SSL_ERROR_ZERO_RETURN && ready) return moved;
        const auto verified = SSL_get_verify_result(connection.get());
        if (error == SSL_ERROR_SSL)
            trouble = verified == X509_V_OK ? reason()
                                            : fmt::format("peer certificate: {}",
                                                          X509_verify_cert_error_string(verified));
        else if (!ready)
            trouble =
                "the other side closed the connection before the handshake was done; does it speak "
                "TLS?";
        ERR_clear_error();
        return moved;
    }
    void begin() {
        constexpr std::size_t k_bytes_a_call = 20'480;  // more than the longest record
        wire.budget = k_bytes_a_call;
        wire.limited = false;
        ERR_clear_error();
    }
    // Whether the handshake is done; sets `moved` if not.
    [[nodiscard]] bool is_ready(Moved& moved) {
        if (ready) return true;
        const int result = SSL_do_handshake(connection.get());
        ready = result == 1;
        if (!ready) moved = outcome(result, {});
        return ready;
    }
};

TlsSocket::TlsSocket() = default;

TlsSocket::TlsSocket(Descriptor socket) : socket_(std::move(socket)) {}

TlsSocket::TlsSocket(Descriptor socket, const TlsContext* context) : socket_(std::move(socket)) {
    if (context == nullptr || !socket_.open()) return;
    const TlsContext::State& common = *context->state_;
    state_ = std::make_unique<State>();
    state_->wire.socket = socket_.number();
    state_->connection.reset(SSL_new(common.context.get()));
    SSL* const made = state_->connection.get();
    BIO* const bio = made == nullptr ? nullptr : BIO_new(wire_method());
    if (bio == nullptr) {
        state_->failed = true;
        state_->trouble = reason();
        return;
    }
    BIO_set_data(bio, &state_->wire);
    BIO_set_init(bio, 1);
    SSL_set_bio(made, bio, bio);
    if (common.accepts) {
        SSL_set_accept_state(made);
        return;
    }
    SSL_set_connect_state(made);
    if (is_address(common.name)) {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(made), common.name.c_str());
    } else {
        SSL_set1_host(made, common.name.c_str());
        // Replaces the macro SSL_set_tlsext_host_name(), which has a C cast.
        std::string shown = common.name;
        SSL_ctrl(made, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, shown.data());
    }
}

TlsSocket::TlsSocket(TlsSocket&&) noexcept = default;
TlsSocket& TlsSocket::operator=(TlsSocket&&) noexcept = default;
TlsSocket::~TlsSocket() { reset(); }

void TlsSocket::reset() {
    if (state_ != nullptr && state_->ready && !state_->failed) {
        SSL_shutdown(state_->connection.get());
        ERR_clear_error();
    }
    state_.reset();
    socket_.reset();
}

std::expected<bool, std::string> TlsSocket::shake_hands() const {
    if (ready()) return true;
    if (state_->failed) return std::unexpected{"TLS: " + state_->trouble};
    state_->begin();
    Moved moved;
    if (state_->is_ready(moved)) return true;
    if (state_->failed) return std::unexpected{"TLS: " + state_->trouble};
    return false;
}

bool TlsSocket::ready() const { return state_ == nullptr || state_->ready; }

Moved TlsSocket::receive(std::span<std::byte> into) const {
    if (state_ == nullptr) [[likely]]
        return net::receive(socket_, into);
    Moved moved;
    if (state_->failed) return {.closed = true};
    state_->begin();
    if (!state_->is_ready(moved)) return moved;
    while (moved.bytes < into.size()) {
        std::size_t got = 0;
        const int result = SSL_read_ex(state_->connection.get(), into.data() + moved.bytes,
                                       into.size() - moved.bytes, &got);
        if (result != 1) {
            moved = state_->outcome(result, moved);
            // As without TLS, the end is reported alone, after the preceding bytes.
            if (moved.closed && moved.bytes > 0) return {.bytes = moved.bytes, .again = true};
            return moved;
        }
        moved.bytes += got;
    }
    return moved;
}

Moved TlsSocket::send(std::span<const std::byte> bytes) const {
    if (state_ == nullptr) [[likely]]
        return net::send(socket_, bytes);
    Moved moved;
    if (state_->failed) return {.closed = true};
    state_->begin();
    if (!state_->is_ready(moved)) return moved;
    while (moved.bytes < bytes.size()) {
        std::size_t sent = 0;
        const int result = SSL_write_ex(state_->connection.get(), bytes.data() + moved.bytes,
                                        bytes.size() - moved.bytes, &sent);
        if (result != 1) return state_->outcome(result, moved);
        moved.bytes += sent;
    }
    return moved;
}

std::string_view TlsSocket::trouble() const {
    return state_ == nullptr ? std::string_view{} : std::string_view{state_->trouble};
}

}  // namespace damrak::net
