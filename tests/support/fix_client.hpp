// A FIX client over a real socket, put together by hand so that system tests do not depend on the
// engine that the server is built with. Blocking, with a limit in time on each read. Numbers go on
// from one connection to the next, as those of a client that keeps them would.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace damrak::testing {

/// The fields of a message; of a repeated tag, the last.
using FixFields = std::map<int, std::string>;

class FixClient {
  public:
    FixClient(std::string begin_string, std::string comp_id)
        : begin_string_(std::move(begin_string)), comp_id_(std::move(comp_id)) {}
    /// Continues an earlier session with these sequence numbers.
    void go_on_with(std::uint64_t outgoing, std::uint64_t incoming) {
        next_outgoing_ = outgoing;
        next_incoming_ = incoming;
    }
    FixClient(const FixClient&) = delete;
    FixClient& operator=(const FixClient&) = delete;
    ~FixClient() { close(); }

    /// Connects and logs on. False: the server would not have it.
    [[nodiscard]] bool connect(std::uint16_t port, bool reset = false);
    void close();

    /// "35=D|11=a|…"; the header is added. False: the connection is gone.
    bool send(std::string_view fields);
    /// Bytes as they are.
    bool send_bytes(std::string_view bytes) const;
    /// The next message that counts for the application; nothing if none came in time or the
    /// connection ended. Heartbeats and the like are answered meanwhile; a gap is asked for, and
    /// what comes twice is given once.
    [[nodiscard]] std::optional<FixFields> receive(int timeout_ms = 5'000);
    /// The next message, whatever it is; nothing is done about it.
    [[nodiscard]] std::optional<FixFields> read(int timeout_ms);
    [[nodiscard]] bool closed() const { return socket_ < 0; }

    /// Messages that came with a number that another without PossDupFlag had before.
    [[nodiscard]] int repeated() const { return repeated_; }
    [[nodiscard]] std::uint64_t next_incoming() const { return next_incoming_; }

  private:
    void answer_resend(const FixFields& request);
    bool send_numbered(std::uint64_t number, std::string_view fields) const;

    std::string begin_string_;
    std::string comp_id_;
    int socket_ = -1;
    std::string bytes_;
    std::uint64_t next_outgoing_ = 1;
    std::uint64_t next_incoming_ = 1;
    std::uint64_t asked_to_ = 0;
    std::map<std::uint64_t, std::string> sent_;  ///< of the application
    int repeated_ = 0;
};

}  // namespace damrak::testing
