// Attachments in the journal: their bytes, and their effect on the state that follows it.
#include <damrak/journal/attachment.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "support/commands.hpp"

namespace damrak::journal::attachment_test {
namespace {

constexpr SessionId k_session = session_at(GatewayNumber{1}, 3);

Attachment attachment_with(std::string_view text) {
    Attachment attachment;
    attachment.append(text);
    return attachment;
}

TEST(JournalAttachment, LiesAfterTheTimeOfTheRecordAndInItsTag) {
    std::string text;
    for (int i = 0; i < 128; ++i) text += static_cast<char>('0' + i % 70);
    Record record{};
    put_attachment(record, attachment_with(text), {.session = k_session, .inbound_sequence = 7},
                   Timestamp{99});
    const auto* const bytes = reinterpret_cast<const char*>(&record);
    EXPECT_EQ(std::string(bytes + 64 + 24, 104), text.substr(0, 104));
    EXPECT_EQ(std::string(bytes + 32, 24), text.substr(104));
    EXPECT_EQ(record.head.tag_length, 0) << "it is not a tag";
    EXPECT_EQ(static_cast<int>(record.command.kind), 65);
    EXPECT_EQ(record.command.flags, 128);
    EXPECT_EQ(record.head.session, k_session.value);
    EXPECT_EQ(record.head.inbound_sequence, 7U);
    EXPECT_EQ(record.command.timestamp, Timestamp{99});
    EXPECT_EQ(attachment_of(record).view(), text);
    record.command.flags = 60'000;
    EXPECT_EQ(attachment_of(record).view().size(), 128U) << "bounded, whatever the bytes say";
}

class AttachmentInState : public ::testing::Test {
  protected:
    using State = standard_exchange::ExchangeState<>;

    void SetUp() override { apply(instrument_command(1, test_stock("TEST")), {}); }

    Record record_of(const Command& command, const Origin& origin) {
        Record record{};
        record.head.sequence = ++sequence_;
        record.head.kind = static_cast<std::uint8_t>(command.kind);
        record.head.session = origin.session.value;
        record.head.inbound_sequence = origin.inbound_sequence;
        record.head.tag = origin.tag.bytes;
        record.command = command;
        return record;
    }
    Record attachment_for(std::uint64_t inbound, std::string_view text) {
        Record record{};
        put_attachment(record, attachment_with(text),
                       {.session = k_session, .inbound_sequence = inbound}, Timestamp{1});
        record.head.sequence = ++sequence_;
        record.head.kind = static_cast<std::uint8_t>(record.command.kind);
        return record;
    }
    Record order(std::uint64_t inbound, const std::string& name) {
        Command command{};
        command.kind = CommandKind::new_order;
        command.instrument = InstrumentId{1};
        command.participant = ParticipantId{1};
        command.price = Price{100'000};
        command.quantity = Quantity{5};
        command.timestamp = Timestamp{1};
        gateway::fix::FixNote note{.name = {}, .request = 'D'};
        note.set_name(name);
        return record_of(command,
                         {.session = k_session, .inbound_sequence = inbound, .tag = note.tag()});
    }
    void apply(const Command& command, const Origin& origin) {
        const Record record = record_of(command, origin);
        state_->apply({&record, 1});
    }
    [[nodiscard]] std::string fields_of(const std::string& name) const {
        const auto& orders = state_->gateway<gateway::fix::FixOrders>();
        const auto* const found = orders.find(ParticipantId{1}, name);
        return found == nullptr ? "no such order" : std::string{orders.fields(*found)};
    }

    std::uint64_t sequence_ = 0;
    EngineConfig config_{
        .maximum_instruments = 2, .maximum_participants = 4, .maximum_orders = 100};
    std::unique_ptr<State> state_ = std::make_unique<State>(config_);
};

TEST_F(AttachmentInState, BelongsToTheNextCommand) {
    const std::string long_name(64, 'n');
    const std::vector<Record> records{attachment_for(1, "1=A\x01"), order(1, "a"), order(2, "b"),
                                      attachment_for(3, "11=" + long_name.substr(20) + "\x01"),
                                      order(3, long_name)};
    state_->apply(records);
    EXPECT_EQ(fields_of("a"), "1=A\x01");
    EXPECT_EQ(fields_of("b"), "");
    EXPECT_EQ(fields_of(long_name), "");
}

TEST_F(AttachmentInState, IsIgnoredWithoutItsCommand) {
    const std::vector<Record> records{attachment_for(1, "1=A\x01"),  // the command was lost
                                      order(2, "b"), order(1, "c"), attachment_for(4, "1=D\x01")};
    state_->apply(records);
    Command checkpoint{};
    checkpoint.kind = static_cast<CommandKind>(k_checkpoint_kind);
    apply(checkpoint, {});
    const Record late = order(4, "d");
    state_->apply({&late, 1});
    EXPECT_EQ(fields_of("b"), "");
    EXPECT_EQ(fields_of("c"), "");
    EXPECT_EQ(fields_of("d"), "");
}

TEST_F(AttachmentInState, IsPartOfASnapshotBeforeItsCommand) {
    const Record attachment = attachment_for(1, "1=A\x01");
    state_->apply({&attachment, 1});
    const auto bytes =
        saved_bytes([this](auto& archive) { State::transfer(std::as_const(*state_), archive); });
    auto other = std::make_unique<State>(config_);
    LoadArchive loaded{bytes};
    State::transfer(*other, loaded);
    ASSERT_TRUE(loaded.complete());
    state_ = std::move(other);
    const Record command = order(1, "a");
    state_->apply({&command, 1});
    EXPECT_EQ(fields_of("a"), "1=A\x01");
}

}  // namespace
}  // namespace damrak::journal::attachment_test
