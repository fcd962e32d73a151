// A viewer without a socket, and the state that it builds from what docs/protocols/stream.md says.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/market_stream/market_stream.hpp>

namespace damrak::testing {

using Json = nlohmann::json;
using Numbers = std::vector<std::uint64_t>;  ///< a row; prices in units of 1/10,000

/// The state of one subscription.
struct Watched {
    std::uint64_t sequence = 0;
    std::uint64_t snapshots = 0;
    /// Of depth and orders, by side.
    std::array<std::vector<Numbers>, 2> rows{};
    std::uint64_t traded = 0;
    std::vector<Json> trades{};
    std::vector<Json> candles{};
    Json last{};  ///< the last message

    /// Rows of depth: `price, quantity, orders`; of orders: `reference, price, quantity`.
    void apply(bool is_snapshot, bool is_depth, std::size_t side, const Numbers& row) {
        auto& all = rows[side];
        if (is_snapshot) return all.push_back(row);
        const std::size_t price_at = is_depth ? 0 : 1;
        const std::size_t quantity_at = is_depth ? 1 : 2;
        const auto found =
            std::ranges::find_if(all, [&](const Numbers& one) { return one[0] == row[0]; });
        if (row[quantity_at] == 0) {
            ASSERT_NE(found, all.end()) << "a row that is not there is gone";
            all.erase(found);
            return;
        }
        if (found != all.end()) {
            *found = row;
            return;
        }
        const auto after = std::ranges::find_if(all, [&](const Numbers& one) {
            return side == 0 ? one[price_at] < row[price_at] : one[price_at] > row[price_at];
        });
        all.insert(after, row);
    }
    /// False: something was missed.
    [[nodiscard]] bool begin(bool is_snapshot, std::uint64_t previous, std::uint64_t to) {
        if (!is_snapshot && previous != sequence) return false;
        sequence = to;
        snapshots += is_snapshot ? 1U : 0U;
        if (is_snapshot) rows = {};
        return true;
    }
};

class TestViewer final : public http::WebSocket {
  public:
    TestViewer(market_stream::MarketStream& stream, std::string_view protocol,
               market_stream::ViewerRights rights = {}) {
        http::Request request;
        request.web_socket_protocols = protocol;
        user_ = stream.welcome(request, rights).value().open(*this);
    }

    void say(std::string_view message) { user_->on_text(message); }
    void send(Message message, Form form) override {
        unsent_ += message->size();
        queue_.emplace_back(std::move(message), form);
    }
    [[nodiscard]] std::size_t unsent_bytes() const override { return unsent_; }
    void close(std::uint16_t code, std::string_view /*reason*/) override { closed_ = code; }

    /// Reads at most this many messages and applies them.
    void read(std::size_t most = SIZE_MAX) {
        std::size_t read = 0;
        for (; read < most && read < queue_.size(); ++read) {
            const auto& [message, form] = queue_[read];
            unsent_ -= message->size();
            if (form == Form::binary)
                take_frame(*message);
            else
                take(Json::parse(*message));
        }
        queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(read));
    }
    [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
    [[nodiscard]] const std::vector<Json>& others() const { return others_; }
    [[nodiscard]] std::vector<Json> take_others() { return std::exchange(others_, {}); }
    /// Messages of every kind, for the schemas.
    [[nodiscard]] const std::vector<Json>& all() const { return all_; }
    [[nodiscard]] bool has(const std::string& channel, const std::string& symbol) const {
        return watched_.contains({channel, symbol});
    }
    [[nodiscard]] const Watched& watched(const std::string& channel,
                                         const std::string& symbol) const {
        return watched_.at({channel, symbol});
    }
    void forget(const std::string& channel, const std::string& symbol) {
        watched_.erase({channel, symbol});
    }

  private:
    static Numbers numbers_of(const Json& row, std::size_t price_at) {
        Numbers numbers;
        for (std::size_t i = 0; i < row.size(); ++i)
            numbers.push_back(i == price_at ? static_cast<std::uint64_t>(
                                                  std::llround(row[i].get<double>() * 10'000))
                                            : row[i].get<std::uint64_t>());
        return numbers;
    }
    void take(const Json& message) {
        all_.push_back(message);
        const auto type = message.at("type").get<std::string>();
        if (type != "snapshot" && type != "changes") return others_.push_back(message);
        const auto channel = message.at("channel").get<std::string>();
        Watched& to = watched_[{channel, message.value("symbol", "")}];
        const bool is_snapshot = type == "snapshot";
        ASSERT_TRUE(to.begin(is_snapshot, message.value("previous", std::uint64_t{0}),
                             message.at("sequence").get<std::uint64_t>()))
            << message.dump();
        to.last = message;
        if (channel == "depth" || channel == "orders")
            for (std::size_t side = 0; side < 2; ++side)
                for (const Json& row : message.at(side == 0 ? "bids" : "asks"))
                    to.apply(is_snapshot, channel == "depth", side,
                             numbers_of(row, channel == "depth" ? 0 : 1));
        if (channel == "trades") {
            if (is_snapshot) to.traded = message.at("traded").get<std::uint64_t>();
            if (is_snapshot) to.trades.clear();
            to.traded += message.value("omitted", std::uint64_t{0});
            to.traded += message.at("trades").size();
            for (const Json& row : message.at("trades")) to.trades.push_back(row);
        }
        if (channel == "candles") take_candles(to, message, is_snapshot);
    }
    static void take_candles(Watched& to, const Json& message, bool is_snapshot) {
        if (is_snapshot) to.candles.clear();
        const Json rows = is_snapshot ? Json::array({message.at("candle")}) : message.at("candles");
        for (const Json& row : rows) {
            if (row.is_null()) continue;
            // All that are kept come again after a trade was broken.
            while (!to.candles.empty() && to.candles.back()[0] >= row[0]) to.candles.pop_back();
            to.candles.push_back(row);
        }
    }

    template <class T>
    static T number_at(const std::string& frame, std::size_t at) {
        T value;
        std::memcpy(&value, frame.data() + at, sizeof value);
        return value;
    }
    static std::uint64_t f64_at(const std::string& frame, std::size_t at) {
        return static_cast<std::uint64_t>(number_at<double>(frame, at));
    }
    void take_frame(const std::string& frame) {
        static_assert(std::endian::native == std::endian::little);
        ASSERT_GE(frame.size(), 40U);
        const bool is_snapshot = frame[0] == 1;
        const std::string channel = frame[1] == 2 ? "depth" : frame[1] == 3 ? "orders" : "trades";
        const std::string symbol = number_at<std::uint16_t>(frame, 2) == 1 ? "ONE" : "TWO";
        const std::size_t width = channel == "depth" ? 24 : channel == "orders" ? 32 : 40;
        const auto rows = number_at<std::uint32_t>(frame, 4);
        ASSERT_EQ(frame.size(), 40 + rows * width);
        Watched& to = watched_[{channel, symbol}];
        ASSERT_TRUE(to.begin(is_snapshot, f64_at(frame, 16), f64_at(frame, 8)));
        if (channel == "trades") to.traded += f64_at(frame, 32) + rows;
        for (std::size_t at = 40; at < frame.size(); at += width) {
            if (channel == "depth")
                to.apply(is_snapshot, true, number_at<std::uint8_t>(frame, at + 20),
                         {f64_at(frame, at), f64_at(frame, at + 8),
                          number_at<std::uint32_t>(frame, at + 16)});
            else if (channel == "orders")
                to.apply(is_snapshot, false, number_at<std::uint8_t>(frame, at + 24),
                         {number_at<std::uint64_t>(frame, at), f64_at(frame, at + 8),
                          f64_at(frame, at + 16)});
            else
                to.trades.push_back(Json::array(
                    {f64_at(frame, at), f64_at(frame, at + 8),
                     static_cast<double>(f64_at(frame, at + 16)) / 10'000, f64_at(frame, at + 24),
                     static_cast<int>(number_at<std::int8_t>(frame, at + 32))}));
        }
    }

    std::unique_ptr<http::WebSocketUser> user_;
    std::vector<std::pair<Message, Form>> queue_;
    std::size_t unsent_ = 0;
    unsigned closed_ = 0;
    std::vector<Json> others_;
    std::vector<Json> all_;
    std::map<std::pair<std::string, std::string>, Watched> watched_;
};

}  // namespace damrak::testing
