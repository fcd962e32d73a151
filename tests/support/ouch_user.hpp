// A user of OUCH and what is kept of it, for tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/gateway/ouch/ouch_orders.hpp>
#include <damrak/wire/ouch/encode.hpp>

namespace damrak::gateway::ouch {

using session::ouch::RequestKind;
using session::ouch::Token;
using session::ouch::Version;
namespace v50 = wire::ouch::v50;

inline EngineConfig small_engine() {
    EngineConfig config;
    config.maximum_orders = 100;
    config.maximum_instruments = 8;
    config.maximum_participants = 10;
    return config;
}

class OuchOrdersTest : public ::testing::Test {
  protected:
    OuchOrdersTest() {
        orders_.note_instrument({1}, 4);
        log_in(Version::v50);
    }
    void log_in(Version version) {
        Command opened{};
        opened.kind = CommandKind::session_opened;
        opened.participant = {3};
        orders_.note_record(opened, {.session = k_user, .tag = OuchTag{.version = version}.tag()});
    }

    template <class M>
    static std::string bytes_of(const M& message) {
        std::array<std::byte, wire::ouch::k_longest_message> memory{};
        const std::size_t length = wire::ouch::encode(message, memory);
        return {reinterpret_cast<const char*>(memory.data()), length};
    }
    static wire::ouch::v42::EnterOrder order_of_v42(const Token& token) {
        return {.order_token = token,
                .side = 'B',
                .shares = 100,
                .symbol = *session::ouch::Symbol::from("AAPL"),
                .price_e4 = 1'000'000,
                .time_in_force = 99'998,
                .firm = {},
                .display = 'Y',
                .capacity = 'A',
                .iso = 'N',
                .minimum_quantity = 0,
                .cross_type = 'N',
                .customer_type = 'N'};
    }
    void enter(OuchOrders& orders, std::uint32_t ref) {
        const v50::EnterOrder message{.user_ref = ref,
                                      .side = 'B',
                                      .quantity = 100,
                                      .symbol = *session::ouch::Symbol::from("AAPL"),
                                      .price_e4 = 1'000'000,
                                      .time_in_force = '0',
                                      .display = 'Y',
                                      .capacity = 'A',
                                      .iso = 'N',
                                      .cross_type = 'N',
                                      .cl_ord_id = *Token::from("C"),
                                      .appendage = {}};
        tell(orders, order_event(EventKind::accepted, ref, 100), RequestKind::enter,
             bytes_of(message));
    }
    static Event order_event(EventKind kind, std::uint64_t id, std::int64_t remaining) {
        Event event{};
        event.kind = kind;
        event.instrument = {1};
        event.participant = {3};
        event.order_id = {id};
        event.price = {1'000'000};
        event.remaining = {remaining};
        return event;
    }
    void tell(OuchOrders& orders, const Event& event, RequestKind kind, std::string_view request) {
        ++sequence_;
        orders.apply(
            event,
            {.session = k_user, .inbound_sequence = sequence_, .tag = OuchTag{.kind = kind}.tag()},
            request, {{sequence_}, {static_cast<std::int64_t>(sequence_)}});
    }
    /// The day ends, but not yet the session.
    static void end_the_day(OuchOrders& orders) {
        Event event{};
        event.kind = EventKind::day_ended;
        orders.apply(event, {}, {}, {{99}, {99}});
    }
    /// As the gateway asks for it behind the end of the day.
    void end_the_session(OuchOrders& orders) {
        tell(orders, order_event(EventKind::rejected, 0, 0), RequestKind::end_session, {});
    }
    static Event uncrossed(CallKind call) {
        Event event{};
        event.kind = EventKind::uncrossed;
        event.instrument = {1};
        event.displayed = {static_cast<std::int64_t>(call)};
        return event;
    }
    /// Byte `at` of the last message of the user.
    static char last_byte(const OuchOrders& orders, std::size_t at) {
        const auto& messages = orders.messages(1);
        auto place = messages.place_of(messages.next() - 1);
        return static_cast<char>(messages.at(place)[2 + at]);
    }
    // The letters of all messages.
    static std::string letters(const OuchOrders& orders) { return letters(orders.messages(1)); }
    static std::string letters(const session::ouch::MessageStream& messages) {
        std::string letters;
        auto place = messages.place_of(1);
        for (auto frame = messages.at(place); !frame.empty(); frame = messages.at(place)) {
            letters += static_cast<char>(frame[2]);
            messages.skip(place);
        }
        return letters;
    }

    static constexpr SessionId k_user = ouch_session("ALICE");
    OuchOrders orders_{small_engine()};
    std::uint64_t sequence_ = 0;
};

}  // namespace damrak::gateway::ouch
