// A `damrak serve` in its own process on a free port, and raw TCP clients of it. For system tests.
// Ends only processes that it started, by their id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "support/bytes.hpp"

namespace damrak::testing {

class RunningServer {
  public:
    /// Returns once the server is ready. The binary gateway is open, and those that --only adds.
    /// Its standard error goes to `log`. `environment`: NAME=VALUE. `open_files`: the limit of open
    /// files; zero: that of the test.
    RunningServer(const std::string& data, const std::string& log,
                  std::vector<std::string> more_arguments = {},
                  std::vector<std::string> environment = {}, unsigned open_files = 0);
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;
    /// Kills the server if it still runs.
    ~RunningServer();

    /// Port of the binary gateway.
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::uint16_t fix_port() const { return fix_port_; }
    [[nodiscard]] std::uint16_t udp_port() const { return udp_port_; }
    [[nodiscard]] pid_t process() const { return process_; }
    /// The ready line.
    [[nodiscard]] const std::string& ready_line() const { return ready_line_; }
    /// Its standard error so far, once this text is in it; all of it after some seconds if it never
    /// is.
    [[nodiscard]] std::string log_with(const std::string& text) const;
    /// Sends SIGHUP.
    void ask_to_reload() const;
    /// Sends SIGUSR1.
    void ask_for_timing() const;
    void kill() { static_cast<void>(end_with(9)); }
    /// Requests its end; returns its exit code.
    [[nodiscard]] int terminate() { return end_with(15); }

    /// Waits for it to end by itself; returns its exit code.
    [[nodiscard]] int wait();

  private:
    int end_with(int signal);

    pid_t process_ = -1;
    std::string log_;
    std::uint16_t port_ = 0;
    std::uint16_t fix_port_ = 0;
    std::uint16_t udp_port_ = 0;
    std::string ready_line_;
};

/// Blocking, with a time limit for each read.
class RawClient {
  public:
    /// `from`: its loopback address.
    explicit RawClient(std::uint16_t port, const char* from = "127.0.0.1");
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    ~RawClient();

    void send(std::span<const std::byte> bytes) const;
    void send_hex(std::string_view text) const { send(from_hex(text)); }
    /// Receives this many bytes, or fewer if the server closed the connection or sent nothing for
    /// seconds.
    [[nodiscard]] Bytes receive(std::size_t count) const;
    /// The same as groups of eight digits.
    [[nodiscard]] std::string receive_hex(std::size_t count) const;
    /// Whether the server ended the connection (after remaining data is read).
    [[nodiscard]] bool is_closed() const;
    /// Bytes wait to be received now.
    [[nodiscard]] bool has_input() const;

  private:
    int socket_;
};

}  // namespace damrak::testing
