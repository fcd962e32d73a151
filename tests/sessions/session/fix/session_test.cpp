// Cases that scenarios cannot express: full buffers, failing stores, fragmented messages, and calls
// by applications.
#include <damrak/session/fix/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_scenario.hpp"
#include "support/fix_world.hpp"

namespace damrak::session::fix::session_test {
namespace {

using ::testing::ElementsAre;
using testing::FixWorld;
using testing::framed;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::with_bars;
namespace tag = fix_codec::tag;

constexpr Timestamp k_start{1'767'607'200'000'000'000};  // 2026-01-05 10:00:00

SessionSettings settings_44() {
    SessionSettings settings;
    settings.name = {.begin_string = fix_codec::BeginString::fix44,
                     .sender_comp_id = "DAMRAK",
                     .target_comp_id = "CLIENT",
                     .sender_sub_id = {},
                     .target_sub_id = {}};
    settings.maximum_message_bytes = 512;
    return settings;
}

std::string message(std::uint64_t sequence, std::string_view type, std::string_view body = {}) {
    return framed(testing::fix_versions()[4],
                  "35=" + std::string{type} + "|34=" + std::to_string(sequence) +
                      "|49=CLIENT|52=20260105-10:00:00|56=DAMRAK|" + std::string{body});
}
std::string logon(std::uint64_t sequence = 1) { return message(sequence, "A", "98=0|108=30|"); }
std::string order(std::uint64_t sequence, std::string_view id) {
    return message(sequence, "D",
                   "11=" + std::string{id} + "|38=1|40=1|54=1|55=INTC|60=20260105-10:00:00|");
}
std::string test_request(std::uint64_t sequence) { return message(sequence, "1", "112=A|"); }

void fill(fix_codec::MessageWriter& writer) { writer.put(tag::order_id, "1"); }

TEST(FixSession, AcceptsMessagesInAnyPieces) {
    FixWorld world{settings_44(), k_start};
    world.connect();
    const std::string bytes = logon() + order(2, "ONE") + order(3, "TWO") + test_request(4);
    for (const char byte : bytes) world.receive({&byte, 1});
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order ONE", "order TWO"));
    EXPECT_EQ(world.session().next_incoming(), 5U);
}

TEST(FixSession, APendingRequestDelaysOnlyItsOwnSession) {
    FixWorld world{settings_44(), k_start};
    world.application.answers_later = true;
    world.connect();
    world.receive(logon() + order(2, "ONE") + order(3, "TWO") + test_request(4));
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order ONE"));
    EXPECT_EQ(world.session().next_incoming(), 2U) << "it counts once it is durable";
    world.receive({});
    EXPECT_EQ(world.application.happened.size(), 2U);
    world.session().complete(world.now);
    EXPECT_EQ(world.session().next_incoming(), 3U);
    world.receive({});
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order ONE", "order TWO"));
    world.session().complete(world.now);
    world.receive({});
    EXPECT_EQ(world.session().next_incoming(), 5U);
}

TEST(FixSession, APendingRequestCountsEvenAfterItsConnection) {
    FixWorld world{settings_44(), k_start};
    world.application.answers_later = true;
    world.connect();
    world.receive(logon() + order(2, "ONE"));
    world.session().close(world.now);
    EXPECT_EQ(world.session().next_incoming(), 2U);
    world.session().complete(world.now);
    EXPECT_EQ(world.session().next_incoming(), 3U);
    world.session().complete(world.now);
    EXPECT_EQ(world.session().next_incoming(), 3U);
}

TEST(FixSession, APendingRequestDoesNotCountAfterAReset) {
    FixWorld world{settings_44(), k_start};
    world.application.answers_later = true;
    world.connect();
    world.receive(logon() + order(2, "ONE"));
    world.session().close(world.now);
    world.session().reset(world.now);
    world.session().complete(world.now);
    EXPECT_EQ(world.session().next_incoming(), 1U);
}

TEST(FixSession, EarlyMessagesWaitForThePendingOne) {
    FixWorld world{settings_44(), k_start};
    world.application.answers_later = true;
    world.connect();
    world.receive(logon() + order(3, "TWO") + order(4, "THREE"));
    EXPECT_THAT(world.application.happened, ElementsAre("logon"));
    world.receive(order(2, "ONE"));
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order ONE"));
    world.session().complete(world.now);
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order ONE", "order TWO"));
    world.session().complete(world.now);
    world.session().complete(world.now);
    EXPECT_THAT(world.application.happened,
                ElementsAre("logon", "order ONE", "order TWO", "order THREE"));
    EXPECT_EQ(world.session().next_incoming(), 5U);
    EXPECT_FALSE(world.session().has_gap());
}

TEST(FixSession, StopsReadingFromAClientThatDoesNotRead) {
    FixWorld world{settings_44(), k_start, 1'200};
    world.connect();
    world.receive(logon());
    for (std::uint64_t i = 2; i < 20; ++i) world.receive(test_request(i));
    EXPECT_LT(world.session().next_incoming(), 12U);
    for (int i = 0; i < 10; ++i) {
        EXPECT_NE(world.take_output(), "");
        world.receive({});
        if (world.session().next_incoming() == 20) break;
    }
    EXPECT_EQ(world.session().next_incoming(), 20U);
    EXPECT_TRUE(world.session().logged_on());
}

TEST(FixSession, DisconnectsAClientThatDoesNotReadAndStoresItsMessages) {
    FixWorld world{settings_44(), k_start, 1'200};
    world.connect();
    world.receive(logon());
    for (int i = 0; i < 40; ++i) EXPECT_TRUE(world.session().send("8", world.now, fill));
    EXPECT_EQ(world.session().ended(), Ended::slow_reader);
    EXPECT_EQ(world.session().next_outgoing(), 42U);
    EXPECT_NE(world.take_output(), "");
    EXPECT_FALSE(world.connected());
    // The next connection gets all of it, in as many turns as the buffer requires.
    world.connect();
    world.receive(logon(2) + message(3, "2", "7=2|16=41|"));
    std::string heard;
    while (world.session().is_resending()) {
        heard += world.take_output();
        world.session().on_time(world.now);
    }
    heard += world.take_output();
    EXPECT_THAT(with_bars(heard), HasSubstr("|34=2|43=Y|"));
    EXPECT_THAT(with_bars(heard), HasSubstr("|34=41|43=Y|"));
}

TEST(FixSession, ATooLongOutgoingMessageUsesNoNumber) {
    FixWorld world{settings_44(), k_start};
    world.connect();
    world.receive(logon());
    const std::string note(600, 'x');
    EXPECT_FALSE(world.session().send(
        "8", world.now, [&](fix_codec::MessageWriter& writer) { writer.put(tag::text, note); }));
    EXPECT_EQ(world.session().next_outgoing(), 2U);
    EXPECT_TRUE(world.session().send("8", world.now, fill));
    EXPECT_EQ(world.session().ended(), Ended::no);
}

TEST(FixSession, StoresTheEventThatAMessageReports) {
    FixWorld world{settings_44(), k_start};
    EXPECT_TRUE(
        world.session().send("8", world.now, fill, {.command_sequence = 7, .event_index = 3}));
    const auto stored = world.store().find(1);
    ASSERT_TRUE(stored.has_value());
    EXPECT_EQ(stored->kept.position, (EventPosition{.command_sequence = 7, .event_index = 3}));
    EXPECT_FALSE(stored->kept.administrative);
    EXPECT_EQ(stored->kept.time, k_start);
}

TEST(FixSession, MessagesWithoutLaterValueAreNotStored) {
    FixWorld world{settings_44(), k_start};
    EXPECT_FALSE(world.session().send_fleeting("8", world.now, fill)) << "nobody is there";
    EXPECT_EQ(world.session().next_outgoing(), 1U);
    world.connect();
    world.receive(logon());
    EXPECT_TRUE(world.session().send_fleeting("8", world.now, fill));
    EXPECT_TRUE(world.session().send("8", world.now, fill));
    EXPECT_TRUE(world.session().send_fleeting("8", world.now, fill));
    const std::string heard = with_bars(world.take_output());
    for (const auto* const number : {"|34=2|", "|34=3|", "|34=4|"})
        EXPECT_THAT(heard, HasSubstr(number));
    EXPECT_FALSE(world.store().find(2));
    world.receive(message(2, "2", "7=2|16=0|"));
    const std::string again = with_bars(world.take_output());
    EXPECT_THAT(again, HasSubstr("|35=4|34=2|43=Y|"));
    EXPECT_THAT(again, HasSubstr("|36=3|123=Y|"));
    EXPECT_THAT(again, HasSubstr("|35=8|34=3|43=Y|"));
    EXPECT_THAT(again, HasSubstr("|35=4|34=4|43=Y|"));
    // As long as the others, and longer than the stored ones.
    const std::string note(600, 'x');
    EXPECT_TRUE(world.session().send_fleeting(
        "8", world.now, [&](fix_codec::MessageWriter& writer) { writer.put(tag::text, note); }));
    world.restart();
    EXPECT_EQ(world.session().next_outgoing(), 6U);
}

// The other side lost what came before our Logon; what follows it is on its way.
TEST(FixSession, AnInitiatorFillsNoGapOverWhatItHasJustSaid) {
    SessionSettings settings = settings_44();
    settings.role = Role::initiator;
    FixWorld world{settings, k_start};
    world.connect();
    world.receive(logon());
    EXPECT_TRUE(world.session().send_fleeting("V", world.now, fill));
    EXPECT_THAT(with_bars(world.take_output()), HasSubstr("|35=V|34=2|"));
    world.disconnect();
    world.connect();
    EXPECT_THAT(with_bars(world.take_output()), HasSubstr("|35=A|34=3|"));
    world.receive(logon(2));
    EXPECT_TRUE(world.session().send_fleeting("V", world.now, fill));
    EXPECT_TRUE(world.session().send("D", world.now, fill));
    EXPECT_NE(world.take_output(), "");
    world.receive(message(3, "2", "7=2|16=0|"));
    const std::string filled = with_bars(world.take_output());
    EXPECT_THAT(filled, HasSubstr("|35=4|34=2|43=Y|"));
    EXPECT_THAT(filled, HasSubstr("|36=4|123=Y|"));
    EXPECT_THAT(filled, Not(HasSubstr("|35=D|")));
    // Who did not keep it asks once more.
    world.receive(message(4, "2", "7=4|16=0|"));
    const std::string again = with_bars(world.take_output());
    EXPECT_THAT(again, HasSubstr("|36=5|123=Y|"));
    EXPECT_THAT(again, HasSubstr("|35=D|34=5|43=Y|"));
}

TEST(FixSession, SendsMessagesThatTheApplicationEncoded) {
    FixWorld world{settings_44(), k_start};
    world.connect();
    world.receive(logon());
    EXPECT_NE(world.take_output(), "");
    std::string written;
    const auto encode = [&](std::span<char> room, std::uint64_t sequence) {
        written = message(sequence, "8", "37=1|");
        std::ranges::copy(written, room.begin());
        return std::span<const char>{room.first(written.size())};
    };
    EXPECT_TRUE(world.session().send_encoded(world.now, encode, {.command_sequence = 9}));
    EXPECT_EQ(world.take_output(), written);
    EXPECT_EQ(world.store().last_position(), (EventPosition{.command_sequence = 9}));
    EXPECT_EQ(world.session().next_outgoing(), 3U);
}

/// A store without space.
struct FullStore : MemoryStore {
    [[nodiscard]] std::span<char> claim(std::size_t maximum) {
        return full ? std::span<char>{} : MemoryStore::claim(maximum);
    }
    bool full = false;
};

TEST(FixSession, EndsWhenNothingCanBeStored) {
    const Timestamp now = k_start;
    testing::EchoApplication application{now};
    FullStore store;
    SessionTools tools;
    const SessionSettings settings = settings_44();
    Session session{application, store, tools, settings};
    std::vector<std::byte> memory(4'096);
    OutputBuffer out{memory};
    session.connect(out, now);
    const std::string first = logon();
    session.receive(std::as_bytes(std::span{first}), now);
    out.consume(out.readable().size());
    store.full = true;
    const std::string next = order(2, "ONE") + order(3, "TWO");
    session.receive(std::as_bytes(std::span{next}), now);
    EXPECT_EQ(session.ended(), Ended::store_failed);
    // Unstored messages are not sent.
    EXPECT_TRUE(out.readable().empty());
    session.close(now);
    EXPECT_THAT(application.happened,
                ElementsAre("logon", "order ONE",
                            "logout: messages cannot be stored: messages cannot be stored"));
}

TEST(FixSession, StoresNothingBehindAReportThatItCouldNotStore) {
    Timestamp now = k_start;
    testing::EchoApplication application{now};
    FullStore store;
    SessionTools tools;
    const SessionSettings settings = settings_44();
    Session session{application, store, tools, settings};
    const auto report = [&](std::uint64_t sequence) {
        return session.send("8", now,
                            [](fix_codec::MessageWriter& writer) { writer.put(tag::text, "done"); },
                            {.command_sequence = sequence});
    };
    EXPECT_TRUE(report(1));
    store.full = true;
    const auto answer = [&] {
        return session.send("j", now,
                            [](fix_codec::MessageWriter& writer) { writer.put(tag::text, "no"); });
    };
    EXPECT_FALSE(answer());
    EXPECT_FALSE(session.lacks_reports()) << "an answer that reports no event";
    EXPECT_FALSE(report(2));
    EXPECT_TRUE(session.lacks_reports());
    store.full = false;
    EXPECT_FALSE(report(3)) << "there is room, but the report before it is missing";
    std::vector<std::byte> memory(4'096);
    OutputBuffer out{memory};
    session.connect(out, now);
    const std::string first = logon();
    session.receive(std::as_bytes(std::span{first}), now);
    EXPECT_EQ(session.ended(), Ended::store_failed);
    EXPECT_TRUE(out.readable().empty()) << "a Logon would take the number of the report";
    EXPECT_EQ(store.next_outgoing(), 2U);
    EXPECT_EQ(store.last_position(), (EventPosition{.command_sequence = 1}));
}

/// Authenticates the peer, and adds fields to our Logon.
struct Careful : testing::EchoApplication {
    using EchoApplication::EchoApplication;
    template <class S>
    std::string_view authenticate(S& /*session*/, const Message& logon) {
        return logon.text_or_empty(tag::raw_data) == "key" ? "" : "wrong key";
    }
    template <class S>
    void fill_logon(S& /*session*/, fix_codec::MessageWriter& writer) {
        writer.put_data(tag::raw_data_length, tag::raw_data, "hello");
    }
};

TEST(FixSession, TheApplicationMayInspectLogons) {
    const Timestamp now = k_start;
    Careful application{now};
    MemoryStore store;
    SessionTools tools;
    const SessionSettings settings = settings_44();
    Session session{application, store, tools, settings};
    std::vector<std::byte> memory(4'096);
    OutputBuffer out{memory};
    const auto say = [&](const std::string& bytes) {
        if (!session.connected()) session.connect(out, now);
        session.receive(std::as_bytes(std::span{bytes}), now);
        const auto readable = out.readable();
        std::string heard{reinterpret_cast<const char*>(readable.data()), readable.size()};
        out.consume(readable.size());
        if (session.ended() != Ended::no) session.close(now);
        return with_bars(heard);
    };
    EXPECT_THAT(say(message(1, "A", "98=0|108=30|95=3|96=kex|")), HasSubstr("58=wrong key|"));
    EXPECT_THAT(say(message(1, "A", "98=0|108=30|95=3|96=key|")),
                HasSubstr("|98=0|108=30|95=5|96=hello|"));
    EXPECT_TRUE(session.logged_on());
}

TEST(FixSession, SettingsOfOtherVersionsAreRejected) {
    SessionSettings settings = settings_44();
    settings.name.begin_string = fix_codec::BeginString::fix41;
    EXPECT_EQ(checked(settings).value().time_precision, fix_codec::TimePrecision::seconds);
    settings.name.begin_string = fix_codec::BeginString::unknown;
    EXPECT_THAT(checked(settings).error(), HasSubstr("must be one of FIX.4.0 to FIX.4.4"));
    EXPECT_EQ(text(OnThrottle::wait), "wait");
    EXPECT_EQ(text(OnThrottle::reject), "reject");
    EXPECT_EQ(text(OnThrottle::disconnect), "disconnect");
}

TEST(FixSession, TimesMayBeFinerThanMilliseconds) {
    SessionSettings settings = settings_44();
    settings.time_precision = fix_codec::TimePrecision::nanoseconds;
    FixWorld world{settings, k_start + Timestamp{123'456'789}};
    EXPECT_TRUE(world.session().send("8", world.now, fill));
    const auto stored = world.store().find(1)->message;
    EXPECT_THAT(with_bars({stored.data(), stored.size()}),
                HasSubstr("|52=20260105-10:00:00.123456789|"));
}

}  // namespace
}  // namespace damrak::session::fix::session_test
