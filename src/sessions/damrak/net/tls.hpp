// TLS 1.2 and 1.3 over non-blocking TCP, by OpenSSL: TlsContext is shared by the connections of one
// side, TlsSocket is a socket with or without TLS. Certificates and keys are PEM files, read when a
// context is constructed. One thread per socket; a context is for any thread.
//
// A socket without a context costs one comparison more than a descriptor. With one it allocates at
// construction and during its handshake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <damrak/net/tcp.hpp>

struct ssl_ctx_st;  // OpenSSL's SSL_CTX

namespace damrak::net {

/// File names; empty: none.
struct TlsFiles {
    std::string certificate{};  ///< our certificate, followed by intermediate ones
    std::string key{};          ///< of it
    std::string authorities{};  ///< CA certificates that verify the other side
    friend bool operator==(const TlsFiles&, const TlsFiles&) = default;
};

/// What applies to every TLS connection of the exchange: TLS 1.2 or later, forward secrecy and
/// authenticated encryption, no renegotiation. A key with a passphrase fails: nobody is asked at
/// the terminal.
void set_tls_rules(ssl_ctx_st* context);

/// Certificates and rules of TLS connections.
class TlsContext {
  public:
    using Shared = std::shared_ptr<const TlsContext>;

    /// For servers: needs certificate and key. With authorities, clients must have a certificate of
    /// one of them. Errors name the file and the reason.
    [[nodiscard]] static std::expected<Shared, std::string> acceptor(const TlsFiles& files);
    /// For clients: certificate and key are for servers that require them. Without authorities the
    /// system's apply. `name` must be in the server's certificate.
    [[nodiscard]] static std::expected<Shared, std::string> initiator(const TlsFiles& files,
                                                                      std::string name);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

  private:
    friend class TlsSocket;
    struct State;
    explicit TlsContext(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// A connection, with or without TLS.
class TlsSocket {
  public:
    TlsSocket();
    /// Without TLS.
    explicit TlsSocket(Descriptor socket);
    /// The handshake begins with the first call below. Null: without TLS.
    TlsSocket(Descriptor socket, const TlsContext* context);
    TlsSocket(TlsSocket&& other) noexcept;
    TlsSocket& operator=(TlsSocket&& other) noexcept;
    TlsSocket(const TlsSocket&) = delete;
    TlsSocket& operator=(const TlsSocket&) = delete;
    ~TlsSocket();

    /// Sends close_notify and closes the socket.
    void reset();
    [[nodiscard]] bool open() const { return socket_.open(); }
    [[nodiscard]] int number() const { return socket_.number(); }
    [[nodiscard]] const Descriptor& descriptor() const { return socket_; }

    /// Continues the handshake. Returns whether it is done; or why it failed.
    [[nodiscard]] std::expected<bool, std::string> shake_hands() const;
    /// The result of the last call.
    [[nodiscard]] bool ready() const;
    /// Like net::receive() and net::send(). One call reads a bounded number of bytes, whatever the
    /// peer sends; Moved::again says that there may be more.
    [[nodiscard]] Moved receive(std::span<std::byte> into) const;
    [[nodiscard]] Moved send(std::span<const std::byte> bytes) const;
    /// The TLS error; empty if there is none.
    [[nodiscard]] std::string_view trouble() const;

  private:
    struct State;
    Descriptor socket_;
    std::unique_ptr<State> state_;  ///< null: without TLS
};

}  // namespace damrak::net
