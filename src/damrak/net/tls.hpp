// TLS 1.2 and 1.3 over non-blocking TCP, by OpenSSL: what the connections of one side have in
// common (TlsContext), and a socket that has TLS or has none (TlsSocket). Certificates and keys are
// PEM files, read when a context is made. A socket is of one thread, a context of any.
//
// A socket without a context costs one comparison more than a descriptor. One with it allocates
// when it is made and during its handshake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <damrak/net/tcp.hpp>

namespace damrak::net {

/// Names of files; empty: none.
struct TlsFiles {
    std::string certificate{};  ///< ours, with those between it and its authority behind it
    std::string key{};          ///< of it
    std::string authorities{};  ///< certificates that those of the other side must come from
    friend bool operator==(const TlsFiles&, const TlsFiles&) = default;
};

class TlsContext {
  public:
    using Shared = std::shared_ptr<const TlsContext>;

    /// For those who accept: needs certificate and key. With authorities, whoever connects must
    /// have a certificate of one of them. Errors name the file and say why it will not do.
    [[nodiscard]] static std::expected<Shared, std::string> acceptor(const TlsFiles& files);
    /// For those who connect: certificate and key are for acceptors that demand one. Without
    /// authorities those of the system count. `name` must be in the certificate of the other side.
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

    /// Says goodbye and closes it.
    void reset();
    [[nodiscard]] bool open() const { return socket_.open(); }
    [[nodiscard]] int number() const { return socket_.number(); }
    [[nodiscard]] const Descriptor& descriptor() const { return socket_; }

    /// Whether the handshake is done; or why it failed.
    [[nodiscard]] std::expected<bool, std::string> shake_hands() const;
    /// The same as it was left by the last call.
    [[nodiscard]] bool ready() const;
    /// As net::receive() and net::send(). Whatever the peer sends, one call reads a bounded part of
    /// it; Moved::again says that there may be more.
    [[nodiscard]] Moved receive(std::span<std::byte> into) const;
    [[nodiscard]] Moved send(std::span<const std::byte> bytes) const;
    /// What went wrong with TLS; empty: nothing did.
    [[nodiscard]] std::string_view trouble() const;

  private:
    struct State;
    Descriptor socket_;
    std::unique_ptr<State> state_;  ///< null: without TLS
};

}  // namespace damrak::net
