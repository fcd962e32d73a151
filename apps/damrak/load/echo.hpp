// The floor under a load run: a server that knows the lengths of the protocol and nothing else. It
// reads what has come, answers each request with as many bytes as its acknowledgement has, and
// writes once a client and turn: what the sockets alone cost with the same clients and window.
//
// A process of its own, as a real server is; it ends with its owner. Started by `damrak load
// --echo` before there are threads.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include <sys/types.h>

namespace damrak::app {

class EchoServer {
  public:
    /// Listens on a free port of 127.0.0.1 when this returns.
    [[nodiscard]] static std::expected<EchoServer, std::string> start(bool spin);
    EchoServer(EchoServer&& other) noexcept;
    EchoServer& operator=(EchoServer&&) = delete;
    ~EchoServer();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] pid_t process() const { return process_; }

  private:
    EchoServer(pid_t process, std::uint16_t port) : process_(process), port_(port) {}

    pid_t process_;
    std::uint16_t port_;
};

}  // namespace damrak::app
