// One thread of `damrak load`: many clients on edge-triggered epoll. For every client that has
// something to say: all of it is read, the window is filled again, and one write takes it away.
// Per turn of a client two system calls, whatever the window.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "load_connections.hpp"
#include "load_options.hpp"

namespace damrak::app {

class LoadWorker {
  public:
    /// `rate` is this thread's part of the requests a second, zero for a closed loop. The share is
    /// kept by reference.
    LoadWorker(LoadShare& share, double rate, bool spin);

    /// Before run(): what can fail.
    [[nodiscard]] std::expected<void, std::string> prepare();
    /// The thread: returns when all clients have logged out, or answers are given up.
    void run(const LoadInstants& instants);

    /// Answers so far; for another thread to look at.
    [[nodiscard]] std::uint64_t progress() const {
        return progress_.load(std::memory_order_relaxed);
    }

  private:
    void begin();
    void turn(std::int64_t now_ns);
    void end_clients();
    void serve(LoadConnection& connection);
    void read_all(LoadConnection& connection);
    bool hear(LoadConnection& connection, std::size_t length);
    void fill(LoadConnection& connection);
    void request_what_is_due(std::int64_t now_ns);
    void send(LoadConnection& connection);
    void keep_alive(std::int64_t now_ns);
    void drop(LoadConnection& connection, const char* why);
    void finish(LoadConnection& connection);
    [[nodiscard]] std::int64_t patience_ns(std::int64_t now_ns) const;
    [[nodiscard]] bool open_loop() const { return interval_ns_ > 0; }

    LoadShare& share_;
    double interval_ns_;  ///< between scheduled requests; zero: closed loop
    bool spin_;
    Descriptor epoll_;
    std::vector<std::byte> input_;
    std::size_t open_ = 0;
    LoadInstants instants_{};
    bool ending_ = false;
    std::uint64_t scheduled_ = 0;
    std::size_t next_client_ = 0;
    std::vector<LoadConnection*> touched_;
    std::int64_t next_keep_alive_ns_ = 0;
    std::atomic<std::uint64_t> progress_{0};
};

}  // namespace damrak::app
