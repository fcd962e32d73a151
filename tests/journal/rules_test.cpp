// Journals of earlier rules: an exchange continues from the snapshot of a graceful stop, and never
// matches records by other rules than those they were matched by. tests/journal/golden/rules_1 was
// written by a release of rules version 1: five orders of two participants, of which two rest, one
// is an iceberg, one a stop, and a snapshot of the end.
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/exchange/door_states.hpp>
#include <damrak/journal/restore.hpp>
#include <damrak/journal/verify.hpp>

#include "small_exchange.hpp"

namespace damrak::journal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* k_golden = "tests/journal/golden/rules_1";
constexpr std::uint64_t k_records = 10;
constexpr EngineConfig k_engine{.maximum_instruments = 2,
                                .maximum_participants = 4,
                                .maximum_orders = 16,
                                .maximum_extensions = 8,
                                .maximum_accounts = 8,
                                .maximum_levels = 16,
                                .maximum_ladder_nodes = 64};

class JournalOfRulesOne : public ::testing::Test {
  protected:
    JournalOfRulesOne() { std::filesystem::copy(k_golden, directory_); }

    [[nodiscard]] std::string go_on() {
        journal_.reset();
        state_ = std::make_unique<exchange::ExchangeState<>>(k_engine);
        auto restored = restore(real_files(), directory_, {.engine = k_engine}, *state_);
        if (!restored) return restored.error();
        auto opened = Journal::open(real_files(),
                                    {.directory = directory_, .segment_bytes = 2 * k_page_bytes},
                                    restored->journal, restored->identity, Timestamp{1});
        if (!opened) return opened.error();
        journal_ = std::move(*opened);
        return {};
    }
    void append(std::uint64_t n) {
        Record record{};
        record.command.kind = CommandKind::new_order;
        record.command.instrument = InstrumentId{1};
        record.command.participant = ParticipantId{1};
        record.command.client_order_id = ClientOrderId{1'000 + n};
        record.command.price = Price{9'000};
        record.command.quantity = Quantity{1};
        record.command.timestamp = Timestamp{static_cast<std::int64_t>(10'000 + n)};
        ASSERT_TRUE(journal_->writer().append(record));
    }
    void close() {
        journal_->syncer().on_close();
        journal_.reset();
    }
    [[nodiscard]] std::vector<std::uint32_t> rules() const {
        std::vector<std::uint32_t> versions;
        const auto contents = look_into(real_files(), directory_);
        for (const SegmentFile& segment : contents->segments)
            versions.push_back(segment.header.rules_version);
        return versions;
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path directory_ = folder_ / "journal";
    std::unique_ptr<exchange::ExchangeState<>> state_;
    std::unique_ptr<Journal> journal_;
};

TEST_F(JournalOfRulesOne, ContinuesFromTheSnapshotOfAGracefulStop) {
    ASSERT_EQ(go_on(), "");
    EXPECT_EQ(journal_->writer().next_sequence(), k_records + 1);
    EXPECT_EQ(state_->engine().instrument(InstrumentId{1})->definition().symbol.view(), "GOLD");
    EXPECT_EQ(state_->engine().store().order_pool.used(), 4U);
    state_->engine().check_invariants();
    for (std::uint64_t n = 0; n < 3; ++n) append(n);
    EXPECT_THAT(rules(), ElementsAre(1, k_rules_version));
    close();

    ASSERT_EQ(go_on(), "") << "later records are of today's rules";
    EXPECT_EQ(journal_->writer().next_sequence(), k_records + 4);
    append(4);
    close();
    const auto verified = verify<exchange::ExchangeState<>>(real_files(), directory_);
    ASSERT_TRUE(verified.has_value()) << verified.error();
    EXPECT_EQ(verified->from_snapshot, k_records);
    EXPECT_EQ(verified->journal.records, 4U);

    std::vector<std::uint64_t> sequences;
    const auto read = recover(real_files(), directory_, {.cut = false}, [&](auto records) {
        for (const Record& record : records) sequences.push_back(record.head.sequence);
    });
    ASSERT_TRUE(read.has_value()) << read.error();
    ASSERT_EQ(sequences.size(), k_records + 4) << "no gap at the change of rules";
    EXPECT_EQ(sequences.back(), k_records + 4);
}

TEST_F(JournalOfRulesOne, ContinuesAgainIfNothingWasAppended) {
    for (int start = 0; start < 3; ++start) {
        ASSERT_EQ(go_on(), "");
        close();
    }
    EXPECT_THAT(rules(), ElementsAre(1, k_rules_version));
}

TEST_F(JournalOfRulesOne, IsRefusedWithoutThatSnapshot) {
    std::filesystem::remove(directory_ / snapshot_name(k_records));
    const auto told = AllOf(HasSubstr("its records from 1 on are of rules version 1"),
                            HasSubstr("stop it with SIGTERM"));
    EXPECT_THAT(go_on(), told);
    const auto verified = verify<exchange::ExchangeState<>>(real_files(), directory_);
    ASSERT_FALSE(verified.has_value());
    EXPECT_THAT(verified.error(), told);
    EXPECT_THAT(rules(), ElementsAre(1));
}

TEST_F(JournalOfRulesOne, ReportsWhyItsSnapshotIsNotUsed) {
    edit(directory_ / snapshot_name(k_records),
         [](std::byte* content) { content[100] ^= std::byte{1}; });
    EXPECT_THAT(go_on(), AllOf(HasSubstr("rules version 1"), HasSubstr("snapshot is damaged")));
}

TEST_F(JournalOfRulesOne, DetectsMissingLaterRecords) {
    ASSERT_EQ(go_on(), "");
    append(1);
    close();
    std::filesystem::remove(directory_ / segment_name(k_records + 1));
    EXPECT_THAT(go_on(), HasSubstr("record 11 is missing"));
}

TEST(JournalRules, OfALaterVersionAreRefused) {
    SmallJournal test;
    test.start();
    test.append(3);
    test.close();
    edit(test.segment(1), [&](std::byte* content) {
        auto header = *read_header(test.segment(1), {content, test.config.segment_bytes});
        header.rules_version = k_rules_version + 1;
        write_header({content, k_header_bytes}, header);
    });
    EXPECT_THAT(test.try_start(), HasSubstr("its commands are of rules version 3"));
}

TEST(JournalRules, DamagedInTheHeaderPreventTheStart) {
    SmallJournal test;
    test.start();
    test.append(3);
    test.close();
    edit(test.segment(1), [](std::byte* content) { content[116] ^= std::byte{1}; });
    EXPECT_THAT(test.try_start(), HasSubstr("offset 116: the header is damaged"));
}

}  // namespace
}  // namespace damrak::journal
