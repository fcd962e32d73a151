// One thread of `damrak load`: many clients on edge-triggered epoll. For every client that has
// something to say: all of it is read, the window is filled again, and one write sends it.
// Per turn of a client two system calls and one look at the clock, whatever the window. A few
// clients that spin are read without asking epoll first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include <damrak/client/load_schedule.hpp>

#include "load/connections.hpp"
#include "load/options.hpp"

namespace damrak::app {

template <class Client>
class LoadWorker {
  public:
    /// Closed loop if there is no schedule. Keeps a reference to the share.
    LoadWorker(LoadShare<Client>& share, std::optional<client::LoadSchedule> schedule, bool spin);

    /// Before run(): what can fail.
    [[nodiscard]] std::expected<void, std::string> prepare();
    /// The thread: returns when all clients have logged out, or answers are given up.
    void run(const LoadInstants& instants);
    /// The measured time ends now, not at the instant that was given; from another thread.
    void end() { is_over_.store(true, std::memory_order_relaxed); }

    /// run() has returned; for another thread to look at, like progress().
    [[nodiscard]] bool is_done() const { return is_done_.load(std::memory_order_relaxed); }
    /// Answers so far.
    [[nodiscard]] std::uint64_t progress() const {
        return progress_.load(std::memory_order_relaxed);
    }

  private:
    using Connection = LoadConnection<Client>;

    void turn(std::int64_t now_ns);
    void wait_for_events(std::int64_t now_ns);
    void end_clients(std::int64_t now_ns);
    void serve(Connection& connection);
    /// When the last bytes came; nothing if none did.
    std::optional<std::int64_t> read_all(Connection& connection);
    bool hear(Connection& connection, std::size_t length, std::int64_t now_ns);
    void fill(Connection& connection, std::int64_t now_ns);
    void request_what_is_due(std::int64_t now_ns);
    [[nodiscard]] bool request_one(Connection& connection, std::int64_t at_ns);
    void send_rest(Connection& connection, std::int64_t now_ns);
    /// How much of it the socket took.
    std::size_t send(Connection& connection, std::span<const std::byte> bytes);
    void keep_alive(std::int64_t now_ns);
    void drop(Connection& connection, const char* why);
    void finish(Connection& connection);
    [[nodiscard]] std::int64_t patience_ns(std::int64_t now_ns) const;
    [[nodiscard]] bool open_loop() const { return schedule_.has_value(); }

    LoadShare<Client>& share_;
    std::optional<client::LoadSchedule> schedule_;
    bool spin_;
    bool direct_;  ///< spins on the sockets themselves
    Descriptor epoll_;
    std::vector<std::byte> input_;
    std::vector<std::byte> output_;
    std::size_t open_ = 0;
    LoadInstants instants_{};
    bool ending_ = false;
    std::int64_t give_up_ns_ = 0;  ///< answers that are missing then never come
    std::size_t next_client_ = 0;
    std::vector<Connection*> touched_;
    std::int64_t next_keep_alive_ns_ = 0;
    std::atomic<std::uint64_t> progress_{0};
    std::atomic<bool> is_over_{false};
    std::atomic<bool> is_done_{false};
};

}  // namespace damrak::app
