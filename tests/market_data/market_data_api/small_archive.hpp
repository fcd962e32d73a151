// An archive of two days, written message by message, and questions about it by HTTP without a
// socket.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/event_log.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/market_data_api/api.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/commands.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing {

namespace small_archive {

inline constexpr std::int64_t k_ten_ns = 36'000'000'000'000;

/// Writes messages with times of their own, each a second later than the one before.
class Messages {
  public:
    explicit Messages(archive::DayWriter& writer) : writer_(&writer) {}

    template <class M>
    void add(M message, std::uint16_t locate) {
        message.stock_locate = locate;
        message.timestamp_ns = time_ns_;
        if constexpr (requires { message.stock; })
            message.stock = *wire::itch::Stock::from(locate == 1 ? "ONE" : "TWO");
        if constexpr (requires { message.match_number; }) message.match_number = ++match_;
        writer_->add(message);
        time_ns_ += 1'000'000'000;
    }

  private:
    archive::DayWriter* writer_;
    std::int64_t time_ns_ = k_ten_ns;
    std::uint64_t match_ = 0;
};

/// Of every type that an order or a trade has.
inline void write_day(const std::filesystem::path& path, std::int32_t date) {
    namespace itch = wire::itch;
    auto writer = *archive::DayWriter::create(path, {.date = date, .source = "test"});
    Messages day{writer};
    day.add(itch::SystemEvent{.event_code = 'O'}, 0);
    for (const std::uint16_t locate : {std::uint16_t{1}, std::uint16_t{2}}) {
        day.add(itch::StockDirectory{}, locate);
        day.add(itch::StockTradingAction{.trading_state = 'T'}, locate);
    }
    const auto order = [](std::uint64_t reference, Side side, std::uint32_t shares,
                          std::uint32_t price_e4) {
        itch::AddOrder message;
        message.order_ref = reference;
        message.side = side;
        message.shares = shares;
        message.price_e4 = price_e4;
        return message;
    };
    day.add(order(10, Side::buy, 100, 99'9900), 1);
    day.add(order(11, Side::buy, 50, 99'9900), 1);
    day.add(order(12, Side::sell, 70, 100'0100), 1);
    day.add(order(20, Side::sell, 5, 20'0000), 2);
    day.add(itch::OrderExecuted{.order_ref = 10, .executed_shares = 40}, 1);
    itch::OrderExecutedWithPrice priced;
    priced.order_ref = 12;
    priced.executed_shares = 20;
    priced.printable = true;
    priced.execution_price_e4 = 100'0000;
    day.add(priced, 1);
    priced.executed_shares = 1;
    priced.printable = false;
    day.add(priced, 1);
    day.add(itch::OrderCancel{.order_ref = 10, .cancelled_shares = 10}, 1);
    itch::OrderReplace replace;
    replace.order_ref = 11;
    replace.new_order_ref = 13;
    replace.shares = 30;
    replace.price_e4 = 99'9800;
    day.add(replace, 1);
    itch::Trade hidden;
    hidden.side = Side::buy;
    hidden.shares = 7;
    hidden.price_e4 = 100'0000;
    day.add(hidden, 1);
    day.add(itch::CrossTrade{.shares = 500, .cross_price_e4 = 100'0050, .cross_type = 'C'}, 1);
    day.add(itch::OrderDelete{.order_ref = 10}, 1);
    itch::NetOrderImbalance auction;
    auction.paired_shares = 300;
    auction.imbalance_shares = 20;
    auction.imbalance_direction = 'B';
    auction.reference_price_e4 = 100'0050;
    auction.cross_type = 'C';
    day.add(auction, 1);
    day.add(itch::SystemEvent{.event_code = 'C'}, 0);
    EXPECT_TRUE(writer.close());
}

/// The events of two days: a displayed, a hidden and an iceberg order, a stop, a replace, a trade,
/// a rejection.
inline void write_events(const std::filesystem::path& folder) {
    auto log = archive::EventLog::open(
        {.folder = folder,
         .journal = [] { return std::optional{archive::EventLog::JournalInstance{1, 2}}; },
         .session = std::nullopt,
         .free_bytes = 0,
         .on_notice = nullptr});
    ASSERT_TRUE(log) << log.error();
    Engine engine{EngineConfig{}};
    ASSERT_TRUE((*log)->begin(engine, 0));
    ASSERT_TRUE((*log)->go_live(0));
    std::uint64_t record = 0;
    const auto run = [&](const Command& command) {
        const CommandStamp stamp{.sequence = {++record},
                                 .timestamp = {static_cast<std::int64_t>(record)}};
        (*log)->on_command(command, stamp);
        if (command.kind == CommandKind::day_opened) return;
        engine.apply(command, [&](const Event& event) { (*log)->on_event(event, stamp); });
    };
    const auto open_day = [&](std::int32_t date) {
        Command command{};
        command.kind = CommandKind::day_opened;
        command.trading_day = {.date = date, .feed_session = 0, .is_open = 1};
        run(command);
    };
    open_day(20261120);
    run(instrument_command(1, test_stock("ONE")));
    run(instrument_command(2, test_stock("TWO")));
    run(order_command(1, 7, Side::buy, 99'0000, 10));
    open_day(20261123);
    Command hidden = order_command(1, 8, Side::sell, 101'0000, 50);
    hidden.flags |= CommandFlags::k_hidden;
    run(hidden);
    Command iceberg = order_command(1, 8, Side::sell, 102'0000, 70);
    iceberg.order.display_quantity = Quantity{20};
    run(iceberg);
    Command stop = order_command(2, 9, Side::buy, 200'0000, 5);
    stop.order_type = OrderType::stop_limit;
    stop.order.stop_price = Price{150'0000};
    run(stop);
    run(order_command(1, 9, Side::buy, 101'0000, 20));
    Command replace = order_command(1, 8, Side::sell, 103'0000, 40);
    replace.kind = CommandKind::replace_order;
    replace.order_id = OrderId{3};
    run(replace);
    run(order_command(1, 9, Side::buy, 101'0000, 0));
}

}  // namespace small_archive

struct Asked {
    unsigned status = 0;
    std::string content_type;
    std::string etag;
    std::string text;
    std::string challenge;
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(text); }
};

class SmallArchive : public ::testing::Test {
  protected:
    SmallArchive() {
        small_archive::write_day(folder_ / "2026112300.dar", 20261123);
        small_archive::write_day(folder_ / "2026112000.dar", 20261120);
        small_archive::write_events(folder_.path());
    }

    /// `target`: a path, and a query behind a question mark.
    [[nodiscard]] Asked ask(std::string_view target, std::string_view if_none_match = {}) {
        http::Request request;
        request.if_none_match = if_none_match;
        return ask(target, request);
    }
    [[nodiscard]] Asked post(std::string_view target) {
        http::Request request;
        request.is_post = true;
        return ask(target, request);
    }

    [[nodiscard]] market_data_api::PrivateAccess access() const {
        return {.admits = [](const http::Request& request) {
            return request.authorization == k_authorization;
        }};
    }

    static constexpr std::string_view k_authorization = "Bearer of the operator";

    ScratchFolder folder_;
    std::string authorization_{k_authorization};
    market_data_api::MarketDataApi api_{folder_.path(), nullptr, {}, access()};

  private:
    [[nodiscard]] Asked ask(std::string_view target, http::Request& request) {
        const std::size_t mark = target.find('?');
        request.path = target.substr(0, mark);
        if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
        request.authorization = authorization_;
        http::Answer answer = api_.answer(request);
        Asked asked{answer.status, answer.content_type, answer.etag, answer.body,
                    answer.www_authenticate};
        for (bool more = answer.next_piece != nullptr; more;) {
            std::string piece;
            more = answer.next_piece(piece);
            asked.text += piece;
        }
        return asked;
    }
};

}  // namespace damrak::testing
