// An OUCH client of a load run, whose bytes are read and answered by the test.
#include <damrak/client/ouch_load_client.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/encode.hpp>

namespace damrak::client::ouch_load_client_test {
namespace {

namespace ouch = wire::ouch;
namespace soupbin = wire::soupbin;
namespace v50 = wire::ouch::v50;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class OuchLoad : public ::testing::Test {
  protected:
    void start(std::array<std::uint32_t, k_measured_kinds> mix = {100, 0, 0}) {
        settings_.window = 4;
        settings_.mix = mix;
        settings_.verify = true;
        client_ = std::make_unique<OuchLoadClient>(settings_, tally_, 3);
        const std::size_t length = client_->hello(memory_, 0);
        const auto login = soupbin::decode(std::span{memory_}.first(length));
        EXPECT_EQ(login->type, soupbin::PacketType::login_request);
        EXPECT_EQ(soupbin::decode_login_request(login->payload)->user_text(), "L00003");
        std::array<std::byte, 64> accepted{};
        const auto size = soupbin::encode_login_accepted("1", 1, accepted);
        EXPECT_EQ(hear(std::span{accepted}.first(size)).messages, 0U) << "not complete yet";
        EXPECT_FALSE(client_->logged_in());
        answer(v50::AccountAnswer{.timestamp_ns = 1, .next_user_ref = 50});
        EXPECT_TRUE(client_->logged_in());
    }
    OuchLoadClient::Heard hear(std::span<const std::byte> bytes) {
        return client_->receive(bytes, ++now_ns_);
    }
    template <class M>
    void answer(const M& message) {
        std::array<std::byte, 256> bytes{};
        std::array<std::byte, 300> packet{};
        const auto length = ouch::encode(message, bytes);
        hear(std::span{packet}.first(soupbin::encode(soupbin::PacketType::sequenced_data,
                                                     std::span{bytes}.first(length), packet)));
    }
    /// All that the client asks for now.
    std::vector<v50::Inbound> requests() {
        std::vector<v50::Inbound> all;
        while (const std::size_t length = client_->request(memory_, now_ns_)) {
            const auto packet = soupbin::decode(std::span{memory_}.first(length));
            if (packet->type == soupbin::PacketType::logout_request) {
                has_left_ = true;
                break;
            }
            all.push_back(*ouch::decode<v50::Inbound>(packet->payload));
        }
        return all;
    }
    void accept(const v50::EnterOrder& order) {
        answer(v50::Accepted{.timestamp_ns = 2,
                             .user_ref = order.user_ref,
                             .side = order.side,
                             .quantity = order.quantity,
                             .symbol = order.symbol,
                             .price_e4 = order.price_e4,
                             .time_in_force = order.time_in_force,
                             .display = 'Y',
                             .order_reference = 9,
                             .capacity = 'P',
                             .iso = 'N',
                             .cross_type = 'N',
                             .order_state = 'L',
                             .cl_ord_id = {},
                             .appendage = {}});
    }

    LoadSettings settings_;
    LoadTally tally_;
    std::unique_ptr<OuchLoadClient> client_;
    std::array<std::byte, 512> memory_{};
    std::int64_t now_ns_ = 0;
    bool has_left_ = false;
};

}  // namespace

TEST_F(OuchLoad, FillsItsWindowFromTheFirstFreeReference) {
    start();
    const auto orders = requests();
    ASSERT_THAT(orders, SizeIs(4));
    EXPECT_EQ(std::get<v50::EnterOrder>(orders[0]).user_ref, 50U);
    EXPECT_EQ(std::get<v50::EnterOrder>(orders[3]).user_ref, 53U);
    EXPECT_EQ(client_->outstanding(), 4U);
    tally_.recording = true;
    accept(std::get<v50::EnterOrder>(orders[1]));
    EXPECT_EQ(client_->outstanding(), 3U);
    EXPECT_EQ(client_->live_orders(), 1U);
    EXPECT_EQ(tally_.answers, 1U);
    EXPECT_THAT(requests(), SizeIs(1));
}

TEST_F(OuchLoad, CountsACancelThatCameAfterTheFillAsTooLate) {
    start({1, 1, 0});
    std::vector<v50::EnterOrder> orders;
    for (const auto& one : requests())
        if (const auto* const order = std::get_if<v50::EnterOrder>(&one)) orders.push_back(*order);
    ASSERT_FALSE(orders.empty());
    for (const auto& order : orders) accept(order);
    std::uint32_t cancelled = 0;
    for (const auto& one : requests())
        if (const auto* const cancel = std::get_if<v50::CancelOrder>(&one))
            cancelled = cancel->user_ref;
    ASSERT_NE(cancelled, 0U);
    const auto filled = std::ranges::find(orders, cancelled, &v50::EnterOrder::user_ref);
    ASSERT_NE(filled, orders.end());
    const auto outstanding = client_->outstanding();
    answer(v50::Executed{.timestamp_ns = 3,
                         .user_ref = cancelled,
                         .quantity = filled->quantity,
                         .price_e4 = filled->price_e4,
                         .liquidity_flag = 'A',
                         .match_number = 1,
                         .appendage = {}});
    EXPECT_EQ(client_->outstanding(), outstanding - 1);
    EXPECT_EQ(tally_.not_found, 1U);
    EXPECT_EQ(tally_.errors(), 0U);
}

TEST_F(OuchLoad, TidiesUpAndLogsOut) {
    start();
    const auto orders = requests();
    for (const auto& one : orders) accept(std::get<v50::EnterOrder>(one));
    client_->end();
    const auto cancels = requests();
    ASSERT_THAT(cancels, SizeIs(4));
    for (const auto& one : cancels) {
        const auto reference = std::get<v50::CancelOrder>(one).user_ref;
        for (const auto& order : orders)
            if (const auto& entered = std::get<v50::EnterOrder>(order);
                entered.user_ref == reference)
                answer(v50::Canceled{.timestamp_ns = 4,
                                     .user_ref = reference,
                                     .quantity = entered.quantity,
                                     .reason = 'U',
                                     .appendage = {}});
    }
    EXPECT_THAT(requests(), SizeIs(0));
    EXPECT_TRUE(has_left_);
    EXPECT_TRUE(client_->ended());
    EXPECT_EQ(tally_.errors(), 0U);
}

TEST_F(OuchLoad, ReportsWhatBreaksARule) {
    start();
    const auto order = std::get<v50::EnterOrder>(requests().front());
    accept(order);
    const bool buys = order.side == 'B';
    answer(v50::Executed{.timestamp_ns = 3,
                         .user_ref = order.user_ref,
                         .quantity = 1,
                         .price_e4 = buys ? order.price_e4 + 100 : order.price_e4 - 100,
                         .liquidity_flag = 'A',
                         .match_number = 1,
                         .appendage = {}});
    EXPECT_THAT(tally_.first_error, HasSubstr("worse than the order's limit"));
    answer(v50::Canceled{.timestamp_ns = 4,
                         .user_ref = order.user_ref,
                         .quantity = order.quantity + 1,
                         .reason = 'U',
                         .appendage = {}});
    EXPECT_EQ(tally_.violations, 2U);
    answer(v50::Rejected{
        .timestamp_ns = 5, .user_ref = 51, .reason = 0x17, .cl_ord_id = {}, .appendage = {}});
    EXPECT_EQ(tally_.refused, 1U);
    EXPECT_EQ(client_->outstanding(), 2U);
    client_->close();
    EXPECT_EQ(tally_.unanswered, 2U);
    const std::array<std::byte, 4> nonsense{std::byte{0}, std::byte{2}, std::byte{'S'},
                                            std::byte{'?'}};
    hear(nonsense);
    EXPECT_TRUE(client_->broken());
}

}  // namespace damrak::client::ouch_load_client_test
