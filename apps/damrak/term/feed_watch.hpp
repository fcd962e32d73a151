// The market data of `damrak term` from the order-by-order feed: a snapshot, then each message, and
// the levels of the books that change. One thread, which calls turn().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <poll.h>

#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/soup_receiver.hpp>
#include <damrak/client/term_model.hpp>

namespace damrak::app {

class FeedWatch {
  public:
    FeedWatch(const std::string& host, std::uint16_t itch_port, std::uint16_t glimpse_port)
        : receiver_({.feed = {.host = host, .port = itch_port},
                     .snapshots = {.host = host, .port = glimpse_port},
                     .settings = {.login = {}, .begins_with_snapshot = true}},
                    books_) {}

    /// Takes what came, and gives the model the books that changed.
    void turn(client::TermModel& model);
    [[nodiscard]] pollfd waits_for() const { return receiver_.waits_for(); }

  private:
    client::FeedBooks books_;
    client::SoupReceiver<client::FeedBooks> receiver_;
    struct Shown {
        InstrumentId id;  ///< of the exchange: the locate code
        std::uint64_t changes = 0;
    };
    void find_instruments();

    std::vector<Shown> shown_;  ///< what the model has
    client::FeedBooks::SessionName session_{};
    std::string trouble_;
};

}  // namespace damrak::app
