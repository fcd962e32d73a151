// The messages of one topic. It remembers the state that it published last: a snapshot tells this
// state, and changes lead from it to the current one, which is then the published one. So a viewer
// with a snapshot and all changes since has exactly the market at each sequence.
//
// One thread. Costs as many steps as the topic has rows; allocates.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/http/web_socket.hpp>
#include <damrak/market_stream/detail/market_state.hpp>
#include <damrak/market_stream/detail/message_text.hpp>
#include <damrak/market_stream/detail/topic.hpp>

namespace damrak::market_stream {

class TopicFeed {
  public:
    using Message = http::WebSocket::Message;
    /// Orders of a side in a message, whatever the number of levels.
    static constexpr std::size_t k_maximum_orders = 5'000;

    explicit TopicFeed(Topic topic) : topic_(std::move(topic)) {}

    [[nodiscard]] const Topic& topic() const { return topic_; }
    [[nodiscard]] http::WebSocket::Form form() const {
        return topic_.is_binary ? http::WebSocket::Form::binary : http::WebSocket::Form::text;
    }
    /// What happened since the last call, which is published with it; null if there is nothing. The
    /// first call publishes the state without a message.
    [[nodiscard]] Message changes(const MarketState& market);
    /// The published state; null if nothing is published yet.
    [[nodiscard]] Message snapshot() const;
    /// Of the exchange: publishes these members. There are no changes of it.
    void publish(std::string members, const MarketState& market);
    /// Forgets the published state: another session has begun.
    void reset();

  private:
    template <class Row>
    using Sides = std::array<std::vector<Row>, 2>;
    [[nodiscard]] Message book_changes(const MarketState& market, const Instrument& of);
    template <class Row>
    [[nodiscard]] Message changes_of(Sides<Row>& published, Sides<Row> present);
    [[nodiscard]] Message trade_changes(const Instrument& of);
    [[nodiscard]] Message candle_changes(const Instrument& of);
    [[nodiscard]] Message whole_changes(std::string members);

    template <class Row>
    [[nodiscard]] Message book_message(const Head& head, const Sides<Row>& rows) const;
    [[nodiscard]] Message message(const Head& head, std::string_view members) const;
    [[nodiscard]] Head next_head(bool is_first);

    Topic topic_;
    bool is_published_ = false;
    std::uint64_t present_sequence_ = 0;  ///< of the market in the current call
    std::int64_t present_time_ns_ = 0;
    // The published state; which parts are used depends on the channel.
    Head head_{};
    std::uint16_t locate_ = 0;
    std::uint64_t book_changes_ = 0;
    Sides<archive::BookLevel> levels_;
    Sides<archive::BookOrder> orders_;
    std::uint64_t trades_ = 0;
    std::uint64_t busts_ = 0;
    std::uint64_t recounts_ = 0;
    std::optional<archive::Candle> candle_;
    std::string members_;
};

}  // namespace damrak::market_stream
