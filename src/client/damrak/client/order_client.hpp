// A trader's connection to an exchange that is kept up: connects, logs in, moves bytes, and after
// a loss waits, a little longer each time, and tries again.
//
//   BinaryOrderClient client{{.port = 12345}};                (or OuchOrderClient, FixOrderClient)
//   if (!client.poll_until([&] { return client.is_up(); }, 5'000)) print(client.trouble());
//   client.gateway().enter(InstrumentId{4}, Side::buy, 100, 9'50, {});
//   while (const auto news = client.next(5'000)) …
//
// It has no thread: poll() and next() wait for the exchange, do_work() never waits and takes the
// time from its caller. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include <poll.h>

#include <damrak/client/term_gateway.hpp>

namespace damrak::client {

class OrderClient {
  public:
    enum class State : std::uint8_t {
        connecting,
        logging_in,
        up,
        waiting,  ///< until retry_at_ns()
        refused,  ///< the exchange does not let us in: it is no use to try again
        ended,    ///< after log_out()
    };

    OrderClient() = default;
    OrderClient(const OrderClient&) = delete;
    OrderClient(OrderClient&&) = delete;
    OrderClient& operator=(const OrderClient&) = delete;
    OrderClient& operator=(OrderClient&&) = delete;
    virtual ~OrderClient() = default;

    /// A turn at this time: reads, writes, connects again if that is due. Does not wait. Returns
    /// the work done; zero if there was none.
    virtual std::size_t do_work(std::int64_t now_ns) = 0;
    /// After a turn without work: when it needs the next one even if the exchange is silent.
    [[nodiscard]] virtual std::int64_t next_step_ns(std::int64_t now_ns) const = 0;
    /// Handles what has arrived, or else waits at most that long for something (zero: does not
    /// wait).
    void poll(int timeout_ms);
    /// Polls until `done()`. False: that long has passed, or is_over().
    template <class Done>
    [[nodiscard]] bool poll_until(Done&& done, int timeout_ms) {
        const std::int64_t deadline_ns = deadline_after(timeout_ms);
        while (!done()) {
            const int left_ms = left_until(deadline_ns);
            if (left_ms == 0 || is_over()) return false;
            poll(left_ms);
        }
        return true;
    }
    /// The next event, once there is one; nothing: that long has passed, or is_over(). For callers
    /// that do not call take_news() themselves.
    [[nodiscard]] std::optional<News> next(int timeout_ms);
    /// The exchange said that it will not let us in, or the caller gives up.
    virtual void refuse(std::string why) = 0;
    /// Says goodbye; ended once that is answered, a few turns later.
    virtual void log_out() = 0;

    /// Requests, and what is known of own orders.
    [[nodiscard]] virtual TermGateway& gateway() = 0;
    [[nodiscard]] virtual std::string where() const = 0;
    [[nodiscard]] virtual State state() const = 0;
    [[nodiscard]] bool is_up() const { return state() == State::up; }
    /// It does not connect again.
    [[nodiscard]] bool is_over() const {
        return state() == State::refused || state() == State::ended;
    }
    [[nodiscard]] virtual std::int64_t retry_at_ns() const = 0;
    /// Why there is no connection; empty while there is one.
    [[nodiscard]] virtual const std::string& trouble() const = 0;
    /// How often a connection that was up got lost.
    [[nodiscard]] virtual std::uint64_t losses() const = 0;
    /// What poll() waits for, for callers that wait for several; its `fd` is -1 while there is no
    /// connection.
    [[nodiscard]] virtual pollfd waits_for() const = 0;

  private:
    [[nodiscard]] static std::int64_t deadline_after(int timeout_ms);
    [[nodiscard]] static int left_until(std::int64_t deadline_ns);

    std::deque<News> heard_;  ///< for next()
};

}  // namespace damrak::client
