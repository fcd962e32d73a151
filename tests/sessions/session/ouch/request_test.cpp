// Requests of clients in both versions, and the rejects with the codes of each.
#include <damrak/session/ouch/request.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/wire/ouch/encode.hpp>

namespace damrak::session::ouch::request_test {
namespace {

using wire::ouch::Option;
namespace v42 = wire::ouch::v42;
namespace v50 = wire::ouch::v50;

template <class M>
Request read_back(Version version, const M& message) {
    std::array<std::byte, wire::ouch::k_longest_message> memory{};
    const std::size_t length = wire::ouch::encode(message, memory);
    const auto request = read_request(version, std::span{memory}.first(length));
    EXPECT_TRUE(request.has_value());
    return request.value_or(Request{});
}

v42::EnterOrder good_42() {
    return {.order_token = *Token::from("T1"),
            .side = 'S',
            .shares = 100,
            .symbol = *Symbol::from("AAPL"),
            .price_e4 = 1'000'000,
            .time_in_force = 99'999,
            .firm = *Firm::from(""),
            .display = 'Y',
            .capacity = 'A',
            .iso = 'N',
            .minimum_quantity = 0,
            .cross_type = 'N',
            .customer_type = ' '};
}

v50::EnterOrder good_50() {
    return {.user_ref = 7,
            .side = 'T',
            .quantity = 100,
            .symbol = *Symbol::from("AAPL"),
            .price_e4 = 1'000'000,
            .time_in_force = '0',
            .display = 'Y',
            .capacity = 'A',
            .iso = 'N',
            .cross_type = 'N',
            .cl_ord_id = *Token::from("C7"),
            .appendage = {}};
}

// Requests with options that no version has, or that are malformed: the length, then the elements.
TEST(OuchRequest, with_options_that_it_does_not_know_is_refused_and_not_unreadable) {
    using Options = std::vector<unsigned char>;
    const auto with = [](const auto& message, const Options& options) {
        std::vector<std::byte> bytes(wire::ouch::k_longest_message);
        bytes.resize(wire::ouch::encode(message, bytes));
        using L = wire::ouch::Layout<std::remove_cvref_t<decltype(message)>>;
        bytes.resize(L::k_length);
        for (const unsigned char byte : options) bytes.push_back(static_cast<std::byte>(byte));
        return read_request(Version::v50, bytes);
    };
    const v50::ReplaceOrder replace{.orig_user_ref = 7, .user_ref = 8, .quantity = 5};
    const v50::CancelOrder cancel{.user_ref = 7, .quantity = 0, .appendage = {}};
    for (const Options& options : std::vector<Options>{
             {0, 3, 2, 8, 0},                          // a tag that was retired
             {0, 3, 2, 255, 0},                        // one that nobody knows
             {0, 9, 5, 2, 'L', 'I', 'M', 'E', 2, 29},  // behind a good one
             {0, 3, 2, 2, 0},                          // a wrong size
             {0, 6, 2, 12, 'P', 2, 12, 'P'},           // twice
             {0, 2, 9, 12},                            // beyond the end
             {0, 9, 2, 12, 'P'},                       // another length than stated
         }) {
        const auto entered = with(good_50(), options);
        ASSERT_TRUE(entered.has_value());
        EXPECT_EQ(entered->refusal, Refusal::other);
        EXPECT_EQ(entered->user_ref, 7U);
        const auto replaced = with(replace, options);
        ASSERT_TRUE(replaced.has_value());
        EXPECT_NE(replaced->refusal, Refusal::none);
        EXPECT_EQ(replaced->replaces, *Token::from("7"));
        const auto cancelled = with(cancel, options);
        ASSERT_TRUE(cancelled.has_value());
        EXPECT_EQ(cancelled->token, *Token::from("7"));
    }
    EXPECT_FALSE(with(good_50(), {}).has_value()) << "the length is missing";
}

TEST(OuchRequest, reads_an_order_of_either_version) {
    const Request old = read_back(Version::v42, good_42());
    EXPECT_EQ(old.kind, RequestKind::enter);
    EXPECT_EQ(old.refusal, Refusal::none);
    EXPECT_EQ(old.token, *Token::from("T1"));
    EXPECT_EQ(old.life, Life::day);
    const Request now = read_back(Version::v50, good_50());
    EXPECT_EQ(now.refusal, Refusal::none);
    EXPECT_EQ(now.token, *Token::from("7"));
    EXPECT_EQ(ref_of(now.token), 7U);
    EXPECT_FALSE(now.market || now.hidden || now.post_only);
}

TEST(OuchRequest, has_the_requested_lifetime) {
    auto message = good_42();
    message.time_in_force = 0;
    EXPECT_EQ(read_back(Version::v42, message).life, Life::immediate);
    message.time_in_force = 90;
    EXPECT_EQ(read_back(Version::v42, message).seconds, 90U);
    message.time_in_force = 86'400;
    EXPECT_EQ(read_back(Version::v42, message).refusal, Refusal::time_in_force);
    auto newer = good_50();
    newer.time_in_force = '6';
    EXPECT_EQ(read_back(Version::v50, newer).refusal, Refusal::time_in_force);
    newer.appendage.add(Option::expire_time, std::uint32_t{90});
    EXPECT_EQ(read_back(Version::v50, newer).refusal, Refusal::none);
    newer.time_in_force = 'E';
    EXPECT_EQ(read_back(Version::v50, newer).refusal, Refusal::time_in_force);
}

TEST(OuchRequest, a_price_from_the_bound_on_is_a_market_order_only_in_5_0) {
    auto newer = good_50();
    newer.price_e4 = 2'000'000'000;
    EXPECT_TRUE(read_back(Version::v50, newer).market);
    auto old = good_42();
    old.price_e4 = 2'000'000'000;
    EXPECT_EQ(read_back(Version::v42, old).refusal, Refusal::price);
    old.price_e4 = 0x7FFF'FFFF;
    EXPECT_TRUE(read_back(Version::v42, old).market);
}

TEST(OuchRequest, rejects_unsupported_features) {
    const auto refusal = [](auto change) {
        auto message = good_50();
        change(message);
        return read_back(Version::v50, message).refusal;
    };
    EXPECT_EQ(refusal([](auto& m) { m.side = 'X'; }), Refusal::side);
    EXPECT_EQ(refusal([](auto& m) { m.quantity = 0; }), Refusal::quantity);
    EXPECT_EQ(refusal([](auto& m) { m.quantity = 1'000'000; }), Refusal::quantity);
    EXPECT_EQ(refusal([](auto& m) { m.price_e4 = 0; }), Refusal::price);
    EXPECT_EQ(refusal([](auto& m) { m.display = 'Z'; }), Refusal::display);
    EXPECT_EQ(refusal([](auto& m) { m.capacity = 'Z'; }), Refusal::capacity);
    EXPECT_EQ(refusal([](auto& m) { m.iso = 'Y'; }), Refusal::iso);
    EXPECT_EQ(refusal([](auto& m) { m.cross_type = 'S'; }), Refusal::cross);
    EXPECT_EQ(refusal([](auto& m) { m.appendage.add(Option::price_type, 'Q'); }), Refusal::pegging);
    EXPECT_EQ(refusal([](auto& m) { m.appendage.add(Option::peg_offset, std::uint32_t{100}); }),
              Refusal::pegging);
    EXPECT_EQ(refusal([](auto& m) { m.appendage.add(Option::price_type, 'M'); }), Refusal::display);
    EXPECT_EQ(refusal([](auto& m) { m.appendage.add(Option::route, *Firm::from("DOTI")); }),
              Refusal::routing);
    EXPECT_EQ(refusal([](auto& m) { m.appendage.add(Option::handling, 'O'); }), Refusal::handling);
    EXPECT_EQ(refusal([](auto& m) { m.appendage.add(Option::user_ref_index, std::uint8_t{1}); }),
              Refusal::other);
    EXPECT_EQ(
        refusal([](auto& m) { m.appendage.add(Option::minimum_quantity, std::uint32_t{101}); }),
        Refusal::minimum_quantity);
}

TEST(OuchRequest, an_order_for_an_auction_ends_with_it) {
    auto old = good_42();
    old.cross_type = 'C';
    EXPECT_EQ(read_back(Version::v42, old).refusal, Refusal::none);
    old.display = 'I';
    const Request only = read_back(Version::v42, old);
    EXPECT_EQ(only.refusal, Refusal::none);
    EXPECT_TRUE(only.imbalance_only);
    old.time_in_force = 90;
    EXPECT_EQ(read_back(Version::v42, old).refusal, Refusal::time_in_force);
    old.time_in_force = 0;
    old.cross_type = 'N';
    EXPECT_EQ(read_back(Version::v42, old).refusal, Refusal::cross) << "imbalance-only without one";
    auto newer = good_50();
    newer.cross_type = 'H';
    newer.appendage.add(Option::handling, 'I');
    EXPECT_EQ(read_back(Version::v50, newer).refusal, Refusal::none);
    EXPECT_TRUE(read_back(Version::v50, newer).imbalance_only);
    newer.time_in_force = '6';
    newer.appendage.add(Option::expire_time, std::uint32_t{90});
    EXPECT_EQ(read_back(Version::v50, newer).refusal, Refusal::time_in_force);
}

TEST(OuchRequest, a_pegged_order_is_hidden) {
    auto old = good_42();
    old.display = 'M';
    EXPECT_EQ(read_back(Version::v42, old).peg, PegReference::midpoint);
    EXPECT_TRUE(read_back(Version::v42, old).hidden);
    auto newer = good_50();
    newer.display = 'N';
    newer.appendage.add(Option::price_type, 'R');
    newer.appendage.add(Option::peg_offset, static_cast<std::uint32_t>(-200));
    const Request pegged = read_back(Version::v50, newer);
    EXPECT_EQ(pegged.refusal, Refusal::none);
    EXPECT_EQ(pegged.peg, PegReference::primary);
    EXPECT_EQ(pegged.peg_offset_e4, -200);
    newer.appendage = {};
    newer.appendage.add(Option::price_type, 'P');
    EXPECT_EQ(read_back(Version::v50, newer).peg, PegReference::market);
}

TEST(OuchRequest, a_sell_may_get_more_restrictions_and_in_4_2_lose_them) {
    for (const auto& [before, after, in_v42, in_v50] :
         std::vector<std::tuple<char, char, bool, bool>>{{'S', 'E', true, true},
                                                         {'S', 'T', true, true},
                                                         {'E', 'T', true, true},
                                                         {'T', 'S', true, false},
                                                         {'T', 'E', true, false},
                                                         {'E', 'S', true, false},
                                                         {'B', 'B', true, true},
                                                         {'T', 'T', true, true},
                                                         {'B', 'S', false, false},
                                                         {'S', 'B', false, false},
                                                         {'S', 'x', false, false}}) {
        EXPECT_EQ(may_become(before, after, Version::v42), in_v42) << before << after;
        EXPECT_EQ(may_become(before, after, Version::v50), in_v50) << before << after;
    }
}

TEST(OuchRequest, a_replace_keeps_what_it_cannot_state) {
    const Request before{.kind = RequestKind::enter,
                         .version = Version::v42,
                         .side = 'T',
                         .display = 'Y',
                         .capacity = 'P',
                         .cross_type = 'C',
                         .customer_type = 'R',
                         .quantity = 10,
                         .symbol = *Symbol::from("AAPL"),
                         .firm = *Firm::from("DAMR")};
    Request replace{.kind = RequestKind::replace,
                    .version = Version::v42,
                    .display = 'A',
                    .quantity = 20,
                    .minimum_quantity = 5};
    const Request after = replaced_terms(before, replace);
    EXPECT_EQ(after.side, 'T');
    EXPECT_EQ(after.capacity, 'P');
    EXPECT_EQ(after.cross_type, 'C');
    EXPECT_EQ(after.customer_type, 'R');
    EXPECT_EQ(after.symbol, before.symbol);
    EXPECT_EQ(after.firm, before.firm);
    EXPECT_EQ(after.quantity, 20U);
    EXPECT_EQ(after.minimum_quantity, 5U);
    EXPECT_TRUE(after.attributes());
    EXPECT_EQ(after.refusal, Refusal::none);
    replace.life = Life::seconds;
    EXPECT_EQ(replaced_terms(before, replace).refusal, Refusal::time_in_force)
        << "an order for an auction ends with it";
}

TEST(OuchRequest, a_message_is_shortened_to_its_fields) {
    auto message = good_50();
    message.appendage.add(Option::minimum_quantity, std::uint32_t{10});
    std::array<std::byte, wire::ouch::k_longest_message> memory{};
    const std::size_t length = wire::ouch::encode(message, memory);
    const std::size_t shorter = shorten(std::span{memory}.first(length));
    EXPECT_EQ(shorter, 47U);
    const auto request = read_request(Version::v50, std::span{memory}.first(shorter));
    ASSERT_TRUE(request.has_value());
    EXPECT_EQ(request->user_ref, 7U);
    EXPECT_EQ(request->minimum_quantity, 0U);
}

TEST(OuchRequest, reasons_have_the_codes_of_each_version) {
    EXPECT_EQ(code_v42(refusal_of(Reason::unknown_instrument)), 'S');
    EXPECT_EQ(code_v50(refusal_of(Reason::unknown_instrument)), 0x17);
    EXPECT_EQ(code_v42(refusal_of(Reason::price_off_tick)), 'X');
    EXPECT_EQ(code_v50(refusal_of(Reason::price_off_tick)), 0x1D);
    EXPECT_EQ(code_v42(refusal_of(Reason::instrument_halted)), 'H');
    EXPECT_EQ(code_v50(refusal_of(Reason::limit_order_notional)), 0x1F);
    EXPECT_EQ(code_v42(refusal_of(Reason::orders_full)), 'O');
    EXPECT_EQ(cancel_code(Reason::end_of_day), 'E');
    EXPECT_EQ(cancel_code(Reason::requested), 'U');
}

}  // namespace
}  // namespace damrak::session::ouch::request_test
