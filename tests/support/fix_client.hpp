// A FIX client over a real socket, written by hand so that system tests do not depend on the engine
// of the server. Blocking; a read ends when patience is over. Numbers continue from one connection
// to the next, like those of a client that stores them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "support/eventually.hpp"

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

    /// Connects and logs on. False if the server rejects it. Nobody takes its silence for a loss.
    [[nodiscard]] bool connect(std::uint16_t port, bool reset = false);
    /// What the Logout said that came instead of a Logon; empty: none came.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }
    void close();

    /// "35=D|11=a|…"; adds the header. False if the connection is lost.
    bool send(std::string_view fields);
    /// Sends raw bytes.
    bool send_bytes(std::string_view bytes) const;
    /// The next application message; empty if none came or the connection ended. Meanwhile answers
    /// heartbeats and the like, requests missing messages, and drops duplicates.
    [[nodiscard]] std::optional<FixFields> receive() { return receive_within(patience_ms()); }
    /// The same; empty if nothing waits now.
    [[nodiscard]] std::optional<FixFields> receive_waiting() { return receive_within(0); }
    /// Receives what the server sends until it has answered a TestRequest of now, also what it then
    /// sends again. False if it does not answer.
    [[nodiscard]] bool receive_all_until_now(const std::function<void(const FixFields&)>& hear);
    /// The next message of any kind; takes no action.
    [[nodiscard]] std::optional<FixFields> read() { return read_within(patience_ms()); }
    [[nodiscard]] bool closed() const { return socket_ < 0; }

    /// Number of messages whose number was received before without PossDupFlag.
    [[nodiscard]] int repeated() const { return repeated_; }
    [[nodiscard]] std::uint64_t next_incoming() const { return next_incoming_; }

  private:
    std::optional<FixFields> receive_within(int limit_ms);
    std::optional<FixFields> read_within(int limit_ms);
    /// Acts on a message of the session; true for one of the application that is new.
    bool take(FixFields& message);
    void answer_resend(const FixFields& request);
    bool send_numbered(std::uint64_t number, std::string_view fields) const;

    std::string begin_string_;
    std::string comp_id_;
    int socket_ = -1;
    std::string bytes_;
    std::string refusal_;
    std::uint64_t next_outgoing_ = 1;
    std::uint64_t next_incoming_ = 1;
    std::uint64_t asked_to_ = 0;
    std::map<std::uint64_t, std::string> sent_;  ///< of the application
    int repeated_ = 0;
};

}  // namespace damrak::testing
