// The snapshot of a graceful stop of release 9a086a3 (tests/journal/golden/stop_9a086a3, which says
// what is in it): converted, it has all that was there.
#include <damrak/exchange/earlier_snapshot.hpp>

#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/crc32c.hpp>
#include <damrak/exchange/door_states.hpp>
#include <damrak/journal/restore.hpp>
#include <damrak/journal/verify.hpp>

#include "journal/small_journal.hpp"
#include "support/golden_folder.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::exchange {
namespace {

using namespace journal;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr const char* k_golden = "tests/journal/golden/stop_9a086a3";
constexpr std::uint64_t k_records = 46;
constexpr ParticipantId k_anna{1};
constexpr ParticipantId k_bert{2};
constexpr ParticipantId k_client_1{3};
constexpr ParticipantId k_client_2{4};
constexpr ParticipantId k_sender{5};
constexpr std::uint64_t k_third = std::uint64_t{2} << 40U;  ///< before its orders' numbers

class SnapshotOfRulesOne : public ::testing::Test {
  protected:
    SnapshotOfRulesOne() { testing::unpack(k_golden, directory_); }

    /// Error of the start; empty if it succeeded.
    [[nodiscard]] std::string start() {
        const auto contents = look_into(real_files(), directory_);
        const EngineConfig config = contents->segments.front().header.identity.engine;
        state_ = std::make_unique<ExchangeState<>>(config);
        auto restored = restore(real_files(), directory_, {.engine = config}, *state_);
        if (!restored) return restored.error();
        notes_ = restored->notes;
        EXPECT_EQ(restored->snapshot, k_records);
        return {};
    }
    /// Changes the snapshot, whose checksum is right afterwards.
    template <class F>
    void edit_snapshot(F&& f) {
        constexpr std::size_t k_checksum_from_end = 8;
        constexpr std::size_t k_end_bytes = 16;
        const auto path = directory_ / snapshot_name(k_records);
        const auto bytes = std::filesystem::file_size(path);
        edit(path, [&](std::byte* content) {
            f(content);
            const std::uint32_t crc = crc32c({content, bytes - k_end_bytes});
            std::memcpy(content + bytes - k_checksum_from_end, &crc, sizeof crc);
        });
    }
    /// By path, what is in it.
    [[nodiscard]] std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> found;
        for (const auto& entry : std::filesystem::recursive_directory_iterator{directory_})
            if (entry.is_regular_file())
                found[entry.path().string()] = testing::content_of(entry.path());
        return found;
    }
    /// "id quantity+reserve@tick", in the order in which they would trade, then those aside.
    [[nodiscard]] std::vector<std::string> orders(std::uint32_t instrument, Side side) const {
        std::vector<std::string> lines;
        const Engine& engine = state_->engine();
        engine.instrument(InstrumentId{instrument})
            ->book.for_each_order(engine.store(), side, [&](OrderIndex index) {
                lines.push_back(line_of(index));
                return true;
            });
        return lines;
    }
    [[nodiscard]] std::vector<std::string> stops() const {
        std::vector<std::string> lines;
        const Engine& engine = state_->engine();
        engine.instrument(InstrumentId{1})->stops.for_each(engine.store(), [&](OrderIndex index) {
            lines.push_back(line_of(index));
            return true;
        });
        return lines;
    }
    [[nodiscard]] std::string line_of(OrderIndex index) const {
        const BookStore& store = state_->engine().store();
        const Order& order = store.order(index);
        std::string line =
            fmt::format("{} {}", order.id.value & 0xFF'FFFF'FFFFU, order.quantity.value);
        if (order.extension != 0)
            line += fmt::format("+{}", store.extension(order.extension).reserve.value);
        line += fmt::format("@{}", order.tick);
        for (const auto& [bit, word] : {std::pair{OrderAttributes::k_hidden, " hidden"},
                                        std::pair{OrderAttributes::k_held, " held"},
                                        std::pair{OrderAttributes::k_aside, " aside"}})
            if (order.terms().has(bit)) line += word;
        return line;
    }
    [[nodiscard]] std::int64_t position(ParticipantId id, std::uint32_t instrument) const {
        const Accounts& accounts = state_->engine().accounts();
        return accounts.account(accounts.find(id, InstrumentId{instrument})).position.value;
    }

    testing::ScratchFolder folder_;
    std::filesystem::path directory_ = folder_ / "data";
    std::unique_ptr<ExchangeState<>> state_;
    std::vector<std::string> notes_;
};

TEST_F(SnapshotOfRulesOne, HasItsBooks) {
    ASSERT_EQ(start(), "");
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("rules version 1: converted")));
    state_->engine().check_invariants();
    EXPECT_THAT(
        orders(1, Side::buy),
        ElementsAre("19 290@9950", "1 60@9900", "6 70@9900", "2 200@9850", "10 60+0@9800",
                    "14 25@9760", "4 30+0@9700", "21 50@9500", "13 1000+0@10050 held aside"));
    EXPECT_THAT(orders(1, Side::sell),
                ElementsAre("23 33@10030", "7 85+300@10100", "8 90@10150 hidden", "9 80@10200",
                            "20 120@10500"));
    EXPECT_THAT(stops(), ElementsAre("11 40+0@10300", "12 45+0@9600"));
    EXPECT_THAT(orders(2, Side::buy), ElementsAre("2 25@5050 aside"));
    EXPECT_THAT(orders(2, Side::sell), ElementsAre("1 10@5000"));
    EXPECT_THAT(orders(3, Side::buy), ElementsAre("3 50@2200 hidden", "2 60@1999"));
    EXPECT_THAT(orders(3, Side::sell), ElementsAre("1 60@2402", "4 15@2180 aside"));
    EXPECT_EQ(state_->engine().instrument(InstrumentId{1})->trade_number, 6U);
    EXPECT_EQ(state_->engine().next_expiry(), Timestamp{3'786'912'000'000'000'000});
}

TEST_F(SnapshotOfRulesOne, HasItsAccountsAndLimits) {
    ASSERT_EQ(start(), "");
    EXPECT_EQ(position(k_anna, 1), 40 - 150);
    EXPECT_EQ(position(k_bert, 1), 300 - 40 - 10);
    EXPECT_EQ(position(k_bert, 3), -50);
    EXPECT_EQ(position(k_client_1, 1), -115);
    EXPECT_EQ(position(k_client_2, 1), -35);
    EXPECT_EQ(position(k_client_2, 3), 50);
    EXPECT_EQ(position(k_sender, 1), 10);
    const Accounts& accounts = state_->engine().accounts();
    EXPECT_EQ(accounts.limits_of(ParticipantId{150}).open_orders, 7);
    EXPECT_EQ(accounts.limits_of(ParticipantId{150}).position, Quantity{5'000});
    EXPECT_TRUE(accounts.participant(ParticipantId{150}).configured);
    EXPECT_FALSE(accounts.participant(k_anna).configured);
    EXPECT_EQ(accounts.participant(k_anna).accounts, 2U);
    EXPECT_EQ(accounts.participant(ParticipantId{151}).state, ParticipantState::blocked);
    EXPECT_EQ(state_->engine().capacities().participants, 200U);
}

TEST_F(SnapshotOfRulesOne, HasTheOrdersOfItsDoors) {
    ASSERT_EQ(start(), "");
    EXPECT_EQ(state_->progress().last_session(), SessionId{2});
    EXPECT_EQ(state_->progress().open_sessions().size(), 1U) << "that of the sender";
    EXPECT_EQ(state_->door<gateway::OrderNames>().size(), 7U) << "of the binary door alone";
    EXPECT_EQ(state_->door<gateway::OrderNames>().open_orders(k_anna), 5U);
    EXPECT_EQ(state_->door<gateway::OrderNames>().client_order_id(OrderId{2}), ClientOrderId{12});
    EXPECT_EQ(state_->door<gateway::OrderNames>().client_order_id(OrderId{k_third + 1}),
              ClientOrderId{22});

    const gateway::FixOrders& fix = state_->door<gateway::FixOrders>();
    EXPECT_EQ(fix.open(), 12U);
    const gateway::FixOrder* const iceberg = fix.find(k_client_1, "iceberg");
    ASSERT_NE(iceberg, nullptr);
    EXPECT_EQ(iceberg->executed, Quantity{115});
    EXPECT_EQ(fix.terms(*iceberg).display, Quantity{100});
    EXPECT_EQ(fix.name(*iceberg), "iceberg");
    EXPECT_EQ(fix.terms(*fix.find(k_client_1, "held")).minimum, Quantity{400});
    EXPECT_TRUE(fix.terms(*fix.find(k_client_1, "hidden")).hidden);
    EXPECT_TRUE(fix.terms(*fix.find(k_client_1, "passive")).post_only);
    EXPECT_EQ(fix.terms(*fix.find(k_client_1, "stop")).stop, Price{1'030'000});
    EXPECT_EQ(fix.terms(*fix.find(k_client_1, "dated")).expiry,
              Timestamp{3'786'912'000'000'000'000});
    ASSERT_NE(fix.find(k_client_1, "after"), nullptr);
    EXPECT_EQ(fix.find(k_client_1, "after")->ordered, Quantity{25});
    EXPECT_EQ(fix.find(k_client_1, "before"), nullptr);
    for (const char* const taken : {"before", "gone", "cancel", "plain"})
        EXPECT_TRUE(fix.is_taken(k_client_1, taken)) << taken;
    EXPECT_FALSE(fix.is_taken(k_client_2, "plain"));
    EXPECT_EQ(fix.find(k_client_2, "small")->state, gateway::FixOrderState::filled);

    const gateway::UdpClients& udp = state_->door<gateway::UdpClients>();
    const std::uint32_t source = udp.find(gateway::udp_session({127, 99, 3, 7}, 26'999));
    ASSERT_NE(source, 0U);
    EXPECT_EQ(udp.source(source).open_orders, 3U);
    using Arrival = SequenceWindow::Arrival;
    EXPECT_EQ(udp.source(source).window.look(5), Arrival::duplicate);
    EXPECT_EQ(udp.source(source).window.look(4), Arrival::late);
    ASSERT_NE(udp.find(k_sender, ClientOrderId{501}), nullptr);
    EXPECT_EQ(udp.find(k_sender, ClientOrderId{501})->id, OrderId{19});
}

TEST_F(SnapshotOfRulesOne, BeginsAVerification) {
    const auto verified = verify<ExchangeState<>>(real_files(), directory_);
    ASSERT_TRUE(verified.has_value()) << verified.error();
    EXPECT_EQ(verified->from_snapshot, k_records);
}

TEST_F(SnapshotOfRulesOne, IsTheSameStateEachTime) {
    ASSERT_EQ(start(), "");
    const std::uint64_t hash = state_->state_hash();
    ASSERT_EQ(start(), "");
    EXPECT_EQ(state_->state_hash(), hash);
}

TEST_F(SnapshotOfRulesOne, IsRefusedWhereRecordsLieBehindIt) {
    constexpr std::uint64_t k_earlier = k_records - 1;
    edit_snapshot([&](std::byte* content) { std::memcpy(content + 16, &k_earlier, 8); });
    std::filesystem::rename(directory_ / snapshot_name(k_records),
                            directory_ / snapshot_name(k_earlier));
    const auto before = files();
    EXPECT_THAT(start(), AllOf(HasSubstr("its records from 46 on are of rules version 1"),
                               HasSubstr("stop it with SIGTERM")));
    EXPECT_EQ(files(), before);
}

TEST_F(SnapshotOfRulesOne, IsRefusedIfItIsNotWhole) {
    const auto path = directory_ / snapshot_name(k_records);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    const auto before = files();
    EXPECT_THAT(start(), AllOf(HasSubstr("stop it with SIGTERM"),
                               HasSubstr("the snapshot is not complete")));
    EXPECT_EQ(files(), before);
}

TEST_F(SnapshotOfRulesOne, IsRefusedIfItsContentIsAnother) {
    edit_snapshot([](std::byte* content) { content[32] ^= std::byte{1}; });
    const auto before = files();
    EXPECT_THAT(start(), HasSubstr("its content is not that of a state of rules version 1"));
    EXPECT_EQ(files(), before);
}

TEST_F(SnapshotOfRulesOne, IsRefusedIfItsLayoutIsUnknown) {
    edit_snapshot([](std::byte* content) { content[12] ^= std::byte{1}; });
    const auto before = files();
    EXPECT_THAT(start(), AllOf(HasSubstr("stop it with SIGTERM"),
                               HasSubstr("another version of Damrak wrote it")));
    EXPECT_EQ(files(), before);
}

TEST_F(SnapshotOfRulesOne, IsRefusedIfItsRulesAreLaterOnes) {
    edit_snapshot([](std::byte* content) { content[56] = std::byte{k_rules_version + 1}; });
    EXPECT_THAT(start(), HasSubstr("it is of rules version 3"));
}

// Whatever a file with the right checksum says about lengths is not believed.
TEST_F(SnapshotOfRulesOne, IsNothingWhereItEndsEarly) {
    const auto opened = open_snapshot(real_files(), directory_ / snapshot_name(k_records));
    const auto contents = look_into(real_files(), directory_);
    const EngineConfig config = contents->segments.front().header.identity.engine;
    ASSERT_TRUE(convert_rules_1(opened->state, config, opened->info.state_hash));
    for (std::size_t bytes = 0; bytes < opened->state.size(); bytes += 997)
        EXPECT_FALSE(convert_rules_1(opened->state.first(bytes), config, opened->info.state_hash))
            << bytes;
    std::vector<std::byte> longer{opened->state.begin(), opened->state.end()};
    longer.emplace_back();
    EXPECT_FALSE(convert_rules_1(longer, config, opened->info.state_hash));
}

}  // namespace
}  // namespace damrak::exchange
