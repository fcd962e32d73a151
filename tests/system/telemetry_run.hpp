// A client whose doings leave traces, and the run directory of the server in which they are found.
// For the tests of what `damrak serve` tells of itself.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/wire/binary/encode.hpp>

#include "support/bytes.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing {

/// A client of version 1 that counts its messages and forgets the answers.
class Trader {
  public:
    static constexpr std::size_t k_ack_bytes = 64;
    static constexpr std::size_t k_trade_bytes = 64;
    static constexpr std::size_t k_cancel_ack_bytes = 40;
    static constexpr std::size_t k_logout_ack_bytes =
        wire::binary::frame_length<wire::binary::LogoutAck>(wire::binary::Version::v1);

    explicit Trader(std::uint16_t port) : client_(port) {
        send(wire::binary::Hello{});
        id_ = {std::to_integer<std::uint64_t>(answer(32)[23])};
    }
    template <class M>
    void send(const M& message) {
        client_.send(encoded(message));
    }
    /// Bids that come with one read.
    void order_at_once(std::size_t orders) {
        Bytes all;
        for (std::size_t i = 0; i < orders; ++i) {
            const auto one = encoded(wire::binary::NewOrder{.client_id = id_,
                                                            .instrument = {1},
                                                            .quantity = 1,
                                                            .price_e2 = 10'000,
                                                            .good_till_us = UINT64_MAX});
            all.insert(all.end(), one.begin(), one.end());
        }
        client_.send(all);
    }
    void order(std::uint8_t side, std::uint64_t quantity, std::uint64_t price_e2,
               std::uint64_t good_till_us = UINT64_MAX) {
        send(wire::binary::NewOrder{.client_id = id_,
                                    .instrument = {1},
                                    .side = side,
                                    .quantity = quantity,
                                    .price_e2 = price_e2,
                                    .good_till_us = good_till_us});
    }
    void modify(std::uint64_t order, std::uint64_t quantity, std::uint64_t price_e2) {
        send(wire::binary::ModifyOrder{
            .client_id = id_, .order_id = {order}, .quantity = quantity, .price_e2 = price_e2});
    }
    /// The next message has the number of the last one.
    void repeat_number() { --sequence_; }
    void take_name(std::uint64_t client) { id_ = {client}; }
    void cancel(std::uint64_t order) {
        send(wire::binary::CancelOrder{.client_id = id_, .order_id = {order}});
    }
    void log_out() { send(wire::binary::Logout{.client_id = id_}); }
    Bytes answer(std::size_t bytes) const { return client_.receive(bytes); }

  private:
    template <class M>
    Bytes encoded(const M& message) {
        Bytes bytes(wire::binary::frame_length<M>(wire::binary::Version::v1));
        encode(wire::binary::Version::v1, {.client = ++sequence_, .server = 0}, message, bytes);
        return bytes;
    }

    RawClient client_;
    wire::binary::ClientId id_{};
    std::uint32_t sequence_ = 0;
};

inline std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells{line};
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

/// Without the first column, which is a time.
inline std::vector<std::string> untimed(const std::vector<std::string>& row) {
    return {row.begin() + 1, row.end()};
}

/// Runs one exchange at a time in a directory that the test removes.
class ServeRun : public ::testing::Test {
  protected:
    void serve(std::vector<std::string> arguments) {
        server_ = std::make_unique<RunningServer>(data_, log_, std::move(arguments));
        const auto ready = nlohmann::json::parse(server_->ready_line(), nullptr, false);
        if (ready.is_object() && ready["ports"].contains("http"))
            http_ = ready["ports"]["http"].get<std::uint16_t>();
    }
    /// `fields`: further header lines, each with its line end.
    [[nodiscard]] std::string get(std::string_view target, std::string_view fields = {}) const {
        return send("GET " + std::string{target} + " HTTP/1.1\r\nHost: localhost\r\n" +
                    std::string{fields} + "Connection: close\r\n\r\n");
    }
    /// The whole answer to a request that closes the connection.
    [[nodiscard]] std::string send(const std::string& request) const {
        const RawClient client{http_};
        client.send(std::as_bytes(std::span{request}));
        std::string answer;
        for (const std::byte b : client.receive(1'000'000))
            answer += static_cast<char>(std::to_integer<unsigned char>(b));
        return answer;
    }
    // Counters are shown a little later: asks until the page says so.
    [[nodiscard]] std::string get_until(std::string_view target, std::string_view text) const {
        std::string page;
        static_cast<void>(eventually([&] {
            page = get(target);
            return page.contains(text);
        }));
        return page;
    }
    // Client 1 bids 100 at 101.23, client 2 sells 25 to it; client 1 changes and cancels the rest.
    void trade_a_little() const {
        Trader first{server_->port()};
        Trader second{server_->port()};
        first.order(0, 100, 10'123);
        ASSERT_THAT(first.answer(Trader::k_ack_bytes), ::testing::SizeIs(Trader::k_ack_bytes));
        second.order(1, 25, 10'100);
        ASSERT_THAT(second.answer(Trader::k_ack_bytes + Trader::k_trade_bytes),
                    ::testing::SizeIs(128));
        ASSERT_THAT(first.answer(Trader::k_trade_bytes), ::testing::SizeIs(Trader::k_trade_bytes));
        first.modify(1, 60, 10'120);
        ASSERT_THAT(first.answer(Trader::k_ack_bytes), ::testing::SizeIs(Trader::k_ack_bytes));
        first.cancel(3);
        ASSERT_THAT(first.answer(Trader::k_cancel_ack_bytes),
                    ::testing::SizeIs(Trader::k_cancel_ack_bytes));
    }
    [[nodiscard]] std::filesystem::path run_folder() const {
        const std::filesystem::directory_iterator runs{folder_ / "data/runs"};
        return runs == std::filesystem::directory_iterator{} ? "" : runs->path();
    }

    ScratchFolder folder_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
    std::unique_ptr<RunningServer> server_;
    std::uint16_t http_ = 0;
};

}  // namespace damrak::testing
