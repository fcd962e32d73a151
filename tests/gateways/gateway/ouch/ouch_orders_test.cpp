// What is kept of the users of OUCH: messages, tokens and orders, the same after a save and a load,
// and what the end of a day makes of them.
#include <cstddef>
#include <utility>

#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>

#include "support/ouch_user.hpp"

namespace damrak::gateway::ouch::ouch_orders_test {
namespace {

TEST_F(OuchOrdersTest, go_on_after_they_were_saved_and_loaded) {
    enter(orders_, 1);
    enter(orders_, 2);
    const auto bytes = saved_bytes(
        [this](auto& archive) { OuchOrders::transfer(std::as_const(orders_), archive); });
    OuchOrders loaded{small_engine()};
    LoadArchive archive{bytes};
    OuchOrders::transfer(loaded, archive);
    ASSERT_TRUE(archive.complete());
    ASSERT_EQ(loaded.find(k_user), 1U);
    EXPECT_EQ(letters(loaded), "SAA");
    EXPECT_EQ(loaded.open_orders({3}), 2U);
    EXPECT_TRUE(loaded.is_taken(1, *Token::from("2")));
    EXPECT_FALSE(loaded.is_taken(1, *Token::from("3")));
    const auto* const order = loaded.find(1, *Token::from("2"));
    ASSERT_NE(order, nullptr);
    EXPECT_EQ(order->id, OrderId{2});
    tell(loaded, order_event(EventKind::cancelled, 2, 0), RequestKind::cancel, {});
    EXPECT_EQ(letters(loaded), "SAAC");
    EXPECT_EQ(loaded.find(1, *Token::from("2")), nullptr);
    enter(loaded, 3);
    EXPECT_NE(loaded.find(1, *Token::from("3")), nullptr);
}

TEST_F(OuchOrdersTest, tell_the_reference_in_the_feeds_where_it_is_another_one) {
    enter(orders_, 1);
    Event rested = order_event(EventKind::rested, 1, 100);
    rested.displayed = {100};
    rested.reference = 1;
    tell(orders_, rested, RequestKind::enter, {});
    EXPECT_EQ(letters(orders_), "SA") << "it is the id that A had";
    rested.reference = 7;
    tell(orders_, rested, RequestKind::enter, {});
    EXPECT_EQ(letters(orders_), "SAR");
    const auto& messages = orders_.messages(1);
    auto place = messages.place_of(messages.next() - 1);
    EXPECT_EQ(messages.at(place).back(), std::byte{7}) << "SecondaryOrdRefNum comes last";
}

TEST_F(OuchOrdersTest, carry_orders_that_outlive_their_session_into_the_next_one) {
    for (std::uint32_t ref = 1; ref <= 5; ++ref) enter(orders_, ref);
    tell(orders_, order_event(EventKind::cancelled, 3, 0), RequestKind::cancel, {});
    tell(orders_, order_event(EventKind::cancelled, 5, 0), RequestKind::cancel, {});
    EXPECT_EQ(orders_.tokens(), 3U);
    end_the_day(orders_);
    end_the_session(orders_);
    EXPECT_EQ(orders_.tokens(), 3U);
    log_in(Version::v50);
    for (const char* const token : {"1", "2", "3", "4"})
        EXPECT_TRUE(orders_.is_taken(1, *Token::from(token))) << token << ": below an open one";
    EXPECT_FALSE(orders_.is_taken(1, *Token::from("5")));
    enter(orders_, 9);
    for (const char* const token : {"1", "2", "4", "9"})
        EXPECT_NE(orders_.find(1, *Token::from(token)), nullptr) << token;
    for (const char* const token : {"3", "5"})
        EXPECT_EQ(orders_.find(1, *Token::from(token)), nullptr) << token;
    EXPECT_EQ(orders_.open_orders({3}), 4U);
    for (const std::uint64_t id : {1U, 2U, 4U, 9U})
        tell(orders_, order_event(EventKind::cancelled, id, 0), RequestKind::cancel, {});
    EXPECT_EQ(orders_.tokens(), 0U);
}

TEST_F(OuchOrdersTest, the_place_of_a_released_user_is_for_another_one) {
    const auto open = [&](std::string_view name, ParticipantId participant) {
        Command opened{};
        opened.kind = CommandKind::session_opened;
        opened.participant = participant;
        orders_.note_record(
            opened, {.session = ouch_session(name), .tag = OuchTag{.version = Version::v50}.tag()});
        return orders_.find(ouch_session(name));
    };
    const auto release = [&](ParticipantId participant) {
        Event event{};
        event.kind = EventKind::participant_released;
        event.participant = participant;
        orders_.apply(event, {}, {}, {{++sequence_}, {1}});
    };
    enter(orders_, 1);
    release({3});
    EXPECT_EQ(orders_.find(k_user), 1U) << "its order is open";
    tell(orders_, order_event(EventKind::cancelled, 1, 0), RequestKind::cancel, {});
    EXPECT_EQ(open("BOB", {4}), 2U);
    EXPECT_TRUE(orders_.did_nothing(2));
    release({3});
    EXPECT_EQ(orders_.find(k_user), 0U);
    const auto bytes = saved_bytes(
        [this](auto& archive) { OuchOrders::transfer(std::as_const(orders_), archive); });
    LoadArchive archive{bytes};
    OuchOrders loaded{small_engine()};
    OuchOrders::transfer(loaded, archive);
    ASSERT_TRUE(archive.complete());
    EXPECT_EQ(loaded.find(k_user), 0U);
    EXPECT_EQ(loaded.find(ouch_session("BOB")), 2U);
    EXPECT_EQ(open("CAROL", {5}), 1U);
    EXPECT_TRUE(orders_.did_nothing(1));
    EXPECT_EQ(orders_.user(1).session, 1U);
    EXPECT_FALSE(orders_.is_taken(1, *Token::from("1")));
}

TEST_F(OuchOrdersTest, a_session_ends_with_the_day_and_the_next_counts_anew) {
    enter(orders_, 1);
    tell(orders_, order_event(EventKind::expired, 1, 0), {}, {});
    end_the_day(orders_);
    EXPECT_EQ(letters(orders_), "SAC") << "more may be under way";
    EXPECT_TRUE(orders_.user(1).ending);
    end_the_session(orders_);
    EXPECT_EQ(letters(orders_), "SACS");
    EXPECT_TRUE(orders_.user(1).ended);
    EXPECT_EQ(orders_.user(1).session, 1U);
    end_the_day(orders_);
    end_the_session(orders_);
    EXPECT_EQ(letters(orders_), "SACS") << "it ends once";
    enter(orders_, 1);
    EXPECT_EQ(letters(orders_), "SA");
    EXPECT_FALSE(orders_.user(1).ended);
    EXPECT_EQ(orders_.user(1).session, 2U);
    EXPECT_NE(orders_.find(1, *Token::from("1")), nullptr);
}

TEST_F(OuchOrdersTest, what_is_under_way_when_the_day_ends_belongs_to_its_session) {
    enter(orders_, 1);
    end_the_day(orders_);
    enter(orders_, 2);
    log_in(Version::v50);
    for (const std::uint64_t id : {1U, 2U})
        tell(orders_, order_event(EventKind::cancelled, id, 0), RequestKind::end_order, {});
    constexpr std::size_t k_reason = 17;
    EXPECT_EQ(last_byte(orders_, k_reason), 'E');
    tell(orders_, order_event(EventKind::rejected, 3, 0), RequestKind::end_order, {});
    end_the_session(orders_);
    EXPECT_EQ(letters(orders_), "SAACCS");
    EXPECT_EQ(orders_.user(1).session, 1U);
    log_in(Version::v50);
    EXPECT_EQ(orders_.user(1).session, 2U);
    EXPECT_FALSE(orders_.is_taken(1, *Token::from("1")));
}

TEST_F(OuchOrdersTest, the_last_sessions_can_be_read_again_after_they_were_saved_and_loaded) {
    constexpr std::uint32_t k_days = OuchOrders::k_past_sessions + 2;
    for (std::uint32_t day = 1; day <= k_days; ++day) {
        log_in(Version::v50);
        for (std::uint32_t ref = 1; ref <= day; ++ref) {
            enter(orders_, ref);
            tell(orders_, order_event(EventKind::expired, ref, 0), {}, {});
        }
        end_the_day(orders_);
        end_the_session(orders_);
    }
    const auto bytes = saved_bytes(
        [this](auto& archive) { OuchOrders::transfer(std::as_const(orders_), archive); });
    OuchOrders loaded{small_engine()};
    LoadArchive archive{bytes};
    OuchOrders::transfer(loaded, archive);
    ASSERT_TRUE(archive.complete());
    for (const OuchOrders* const orders : {&orders_, &loaded}) {
        EXPECT_EQ(orders->messages(1, 1), nullptr) << "too old";
        EXPECT_EQ(orders->messages(1, k_days + 1), nullptr) << "to come";
        for (std::uint32_t day = 2; day <= k_days; ++day) {
            std::string due = "S";
            for (std::uint32_t ref = 1; ref <= day; ++ref) due += "AC";
            ASSERT_NE(orders->messages(1, day), nullptr) << day;
            EXPECT_EQ(letters(*orders->messages(1, day)), due + "S");
        }
    }
}

TEST_F(OuchOrdersTest, past_sessions_leave_the_room_to_the_day) {
    constexpr std::uint64_t k_piece = 65'536;
    orders_.limit_bytes(2 * k_piece);
    const auto enter_many = [&](std::uint32_t count) {
        for (std::uint32_t ref = 1; ref <= count; ++ref) {
            enter(orders_, ref);
            tell(orders_, order_event(EventKind::expired, ref, 0), {}, {});
        }
    };
    enter_many(100);
    end_the_day(orders_);
    end_the_session(orders_);
    enter_many(100);
    ASSERT_NE(orders_.messages(1, 1), nullptr);
    enter_many(1'000);  // a piece and a part of another one
    EXPECT_EQ(orders_.messages(1, 1), nullptr);
    EXPECT_EQ(letters(orders_).size(), 1U + 2 * 1'100U);
}

TEST_F(OuchOrdersTest, an_order_that_outlives_its_session_keeps_its_token) {
    enter(orders_, 1);
    end_the_day(orders_);
    end_the_session(orders_);
    tell(orders_, order_event(EventKind::executed, 1, 40), {}, {});
    EXPECT_EQ(letters(orders_), "SE");
    EXPECT_NE(orders_.find(1, *Token::from("1")), nullptr);
    tell(orders_, order_event(EventKind::cancelled, 1, 0), {}, {});
    EXPECT_EQ(letters(orders_), "SEC");
    EXPECT_EQ(orders_.open_orders({3}), 0U);
}

TEST_F(OuchOrdersTest, a_reference_is_taken_up_to_the_last_one_of_the_session) {
    enter(orders_, 2);
    enter(orders_, 5);
    for (const char* const token : {"1", "2", "4", "5"})
        EXPECT_TRUE(orders_.is_taken(1, *Token::from(token))) << token;
    EXPECT_FALSE(orders_.is_taken(1, *Token::from("6")));
    for (const std::uint64_t id : {2U, 5U})
        tell(orders_, order_event(EventKind::expired, id, 0), {}, {});
    end_the_day(orders_);
    end_the_session(orders_);
    enter(orders_, 1);
    EXPECT_TRUE(orders_.is_taken(1, *Token::from("1")));
    EXPECT_FALSE(orders_.is_taken(1, *Token::from("2")));
}

TEST_F(OuchOrdersTest, a_token_of_4_2_is_taken_all_day) {
    log_in(Version::v42);
    const Token token = *Token::from("FIRST");
    const wire::ouch::v42::EnterOrder message = order_of_v42(token);
    tell(orders_, order_event(EventKind::accepted, 1, 100), RequestKind::enter, bytes_of(message));
    EXPECT_NE(orders_.find(1, token), nullptr);
    tell(orders_, order_event(EventKind::cancelled, 1, 0), RequestKind::cancel, {});
    EXPECT_EQ(orders_.find(1, token), nullptr);
    EXPECT_TRUE(orders_.is_taken(1, token));
    end_the_day(orders_);
    end_the_session(orders_);
    EXPECT_FALSE(orders_.is_taken(1, token));
}

TEST_F(OuchOrdersTest, executions_add_up) {
    enter(orders_, 1);
    for (const std::int64_t left : {70, 40}) {
        Event executed = order_event(EventKind::executed, 1, left);
        executed.quantity = {30};
        tell(orders_, executed, {}, {});
    }
    const auto* const order = orders_.find(1, *Token::from("1"));
    ASSERT_NE(order, nullptr);
    EXPECT_EQ(order->executed, 60);
    EXPECT_EQ(order->open, 40);
}

TEST_F(OuchOrdersTest, a_smaller_size_is_a_cancel_of_the_difference) {
    enter(orders_, 1);
    Event smaller = order_event(EventKind::replaced, 1, 99);
    smaller.reference = 1;
    tell(orders_, smaller, RequestKind::cancel, {});
    EXPECT_EQ(letters(orders_), "SAC");
    tell(orders_, smaller, RequestKind::cancel, {});
    EXPECT_EQ(letters(orders_), "SAC") << "nothing was taken away";
}

TEST_F(OuchOrdersTest, who_disables_order_entry_is_told_and_kept_out_until_it_is_enabled) {
    const v50::DisableOrderEntry disable{.user_ref = 1, .firm = {}, .appendage = {}};
    tell(orders_, order_event(EventKind::mass_cancelled, 0, 0), RequestKind::disable,
         bytes_of(disable));
    EXPECT_EQ(letters(orders_), "SG");
    EXPECT_TRUE(orders_.user(1).disabled);
    const v50::EnableOrderEntry enable{.user_ref = 2, .firm = {}, .appendage = {}};
    tell(orders_, order_event(EventKind::rejected, 0, 0), RequestKind::enable, bytes_of(enable));
    EXPECT_EQ(letters(orders_), "SGK");
    EXPECT_FALSE(orders_.user(1).disabled);
}

TEST_F(OuchOrdersTest, a_replace_moves_the_order_to_its_new_token) {
    enter(orders_, 1);
    const v50::ReplaceOrder message{.orig_user_ref = 1,
                                    .user_ref = 2,
                                    .quantity = 50,
                                    .price_e4 = 1'000'100,
                                    .time_in_force = '0',
                                    .display = 'Y',
                                    .iso = 'N',
                                    .cl_ord_id = *Token::from("D"),
                                    .appendage = {}};
    Event replaced = order_event(EventKind::replaced, 1, 50);
    replaced.reference = 9;
    replaced.price = {1'000'100};
    tell(orders_, replaced, RequestKind::replace, bytes_of(message));
    EXPECT_EQ(letters(orders_), "SAU");
    EXPECT_EQ(orders_.find(1, *Token::from("1")), nullptr);
    const auto* const order = orders_.find(1, *Token::from("2"));
    ASSERT_NE(order, nullptr);
    EXPECT_EQ(order->id, OrderId{9});
    EXPECT_EQ(order->open, 50);
    EXPECT_EQ(order->terms.side, 'B');
}

}  // namespace
}  // namespace damrak::gateway::ouch::ouch_orders_test
