// What the decoder makes of the bytes of a stream: messages, the wish for more, or a named fault.
#include <damrak/wire/fix/decode.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support.hpp"

namespace damrak::wire::fix {
namespace {

using testing::fix_bytes;
using testing::fix_message;

class FixDecoder : public ::testing::Test {
  protected:
    [[nodiscard]] Scan scan(std::string_view bytes) {
        bytes_ = bytes;
        return decoder_.scan(bytes_, message_);
    }
    // Skips nothing: the bytes begin with a message.
    const Message& message(std::string_view body) {
        const Scan found = scan(fix_message("FIX.4.4", body));
        EXPECT_EQ(found.status, Scan::Status::message) << text(found.reason);
        return message_;
    }
    [[nodiscard]] Garbled fault(std::string_view bytes) {
        const Scan found = scan(bytes);
        EXPECT_EQ(found.status, Scan::Status::garbled);
        return found.reason;
    }

    std::string bytes_;
    Decoder decoder_{64, 4'096};
    Message message_;
};

TEST_F(FixDecoder, ReadsTheFieldsInTheOrderOfTheWire) {
    const Message& heartbeat = message("35=0|34=7|49=A|56=B|112=HELLO|");
    EXPECT_EQ(heartbeat.begin_string(), BeginString::fix44);
    EXPECT_EQ(heartbeat.msg_type(), "0");
    EXPECT_EQ(heartbeat.sequence(), 7U);
    ASSERT_EQ(heartbeat.fields().size(), 8U);
    EXPECT_EQ(heartbeat.fields().front().tag, tag::begin_string);
    EXPECT_EQ(heartbeat.fields().back().tag, tag::check_sum);
    EXPECT_EQ(heartbeat.text(tag::test_req_id), "HELLO");
    EXPECT_EQ(heartbeat.text(tag::symbol), std::nullopt);
}

TEST_F(FixDecoder, WantsMoreUntilTheLastByteIsThere) {
    const std::string whole = fix_message("FIX.4.4", "35=0|34=7|49=A|56=B|112=HELLO|");
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_EQ(scan(whole.substr(0, length)).status, Scan::Status::need_more) << length;
    EXPECT_EQ(scan(whole).bytes, whole.size());
}

TEST_F(FixDecoder, SkipsWhatStandsBeforeAMessage) {
    const Scan found = scan(fix_bytes("35=0|") + fix_message("FIX.4.4", "35=0|34=7|"));
    EXPECT_EQ(found.reason, Garbled::no_begin_string);
    EXPECT_EQ(found.bytes, 5U);
}

TEST_F(FixDecoder, RefusesAWrongCheckSum) {
    std::string wrong = fix_message("FIX.4.4", "35=0|34=7|");
    wrong[wrong.size() - 2] = wrong[wrong.size() - 2] == '0' ? '1' : '0';
    EXPECT_EQ(fault(wrong), Garbled::check_sum);
}

}  // namespace
}  // namespace damrak::wire::fix
