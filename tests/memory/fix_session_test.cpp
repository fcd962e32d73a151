// A FIX session allocates nothing for messages in order, its answers, and a resend of them.
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>

#include "allocation_counter.hpp"
#include "support/fix_scenario.hpp"

namespace damrak::testing::fix_session_test {
namespace {

namespace tag = fix_codec::tag;
using session::fix::Ended;
using session::fix::MemoryStore;
using session::fix::Reply;

constexpr Timestamp k_now{1'767'607'200'000'000'000};  // 2026-01-05 10:00:00

struct Acknowledging {
    std::uint64_t orders = 0;

    template <class S>
    void on_logon(S& /*session*/) {}
    template <class S>
    void on_logout(S& /*session*/, Ended /*reason*/, std::string_view /*text*/) {}
    template <class S>
    Reply on_message(S& session, const fix_codec::Message& message) {
        ++orders;
        const std::string_view id = message.text_or_empty(tag::cl_ord_id);
        session.send("8", k_now, [&](fix_codec::MessageWriter& writer) {
            writer.put(tag::order_id, orders).put(tag::cl_ord_id, id).put_char(tag::exec_type, '0');
        });
        return Reply::accept();
    }
};

TEST(FixSessionMemory, NoMessageAllocates) {
    const FixVersion version = fix_versions()[4];
    session::fix::SessionSettings settings;
    settings.name = {.begin_string = version.begin_string,
                     .sender_comp_id = "DAMRAK",
                     .target_comp_id = "CLIENT",
                     .sender_sub_id = {},
                     .target_sub_id = {}};
    Acknowledging application;
    MemoryStore store{{.bytes = std::size_t{1} << 20U, .messages = 4'096}};
    session::fix::SessionTools tools;
    session::fix::Session session{application, store, tools, settings};
    std::vector<std::byte> memory(std::size_t{1} << 20U);
    session::OutputBuffer out{memory};
    session.connect(out, k_now);

    std::string bytes =
        framed(version, "35=A|34=1|49=CLIENT|52=20260105-10:00:00|56=DAMRAK|98=0|108=30|");
    std::uint64_t number = 2;
    for (; number < 1'000; ++number)
        bytes += framed(
            version, "35=D|34=" + std::to_string(number) +
                         "|49=CLIENT|52=20260105-10:00:00|56=DAMRAK|11=" + std::to_string(number) +
                         "|38=100|40=1|54=1|55=INTC|60=20260105-10:00:00|");
    const std::string resend =
        framed(version, "35=2|34=1000|49=CLIENT|52=20260105-10:00:00|56=DAMRAK|7=1|16=0|");
    const AllocationCounter counter;
    ASSERT_EQ(session.receive(std::as_bytes(std::span{bytes}), k_now).messages, 999U);
    EXPECT_EQ(application.orders, 998U);
    out.consume(out.readable().size());
    ASSERT_EQ(session.receive(std::as_bytes(std::span{resend}), k_now).messages, 1U);
    while (session.is_resending()) session.on_time(k_now);
    EXPECT_EQ(counter.news(), 0);
    EXPECT_GT(out.readable().size(), 998U * 100);
}

}  // namespace
}  // namespace damrak::testing::fix_session_test
