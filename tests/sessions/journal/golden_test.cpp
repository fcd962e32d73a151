// The golden journal, stored under tests/sessions/journal/golden: it must read as it was written,
// and must be written identically today. A failure means that the format has changed, which
// requires a new version with another golden journal.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/journal/journal.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::journal::golden_test {
namespace {

const std::filesystem::path k_golden = "tests/sessions/journal/golden";
constexpr std::uint64_t k_records = 15;

// The bytes of a union after its member's fields are unused: they are zeros here.
template <class T>
void set(Command& command, const T& details, std::size_t bytes) {
    std::memset(command.raw, 0, sizeof command.raw);
    std::memcpy(command.raw, &details, bytes);
}

void fill_details(Command& command) {
    switch (command.kind) {
        case CommandKind::new_order:
        case CommandKind::replace_order:
            set(command,
                OrderDetails{.stop_price = Price{501},
                             .display_quantity = Quantity{502},
                             .minimum_quantity = Quantity{503},
                             .expire_time = Timestamp{504}},
                32);
            break;
        case CommandKind::add_instrument:
            set(command,
                InstrumentDetails{.symbol = Symbol::of("GOLDEN"),
                                  .tick_size = Price{601},
                                  .maximum_price = Price{602},
                                  .lot_size = Quantity{603},
                                  .maximum_quantity = Quantity{604},
                                  .shard_group = 605,
                                  .price_decimals = 3,
                                  .policy = MatchingPolicy::price_time,
                                  .unpublished = 1},
                53);
            break;
        case CommandKind::add_tick_band:
            set(command, TickBand{Price{701}, Price{702}}, sizeof(TickBand));
            break;
        case CommandKind::set_trading_state:
            set(command, TradingState::halted, 1);
            break;
        case CommandKind::set_participant_state:
            set(command, ParticipantState::blocked, 1);
            break;
        case CommandKind::set_limits:
            set(command,
                LimitDetails{.order_quantity = Quantity{801},
                             .order_notional = 802,
                             .open_orders = 803,
                             .open_notional = 804,
                             .position = Quantity{805}},
                40);
            break;
        default:
            break;
    }
}

// A record of each kind of the engine, one of the sequencer, and a checkpoint; every field is set.
Record golden_record(std::uint64_t n) {
    if (n == k_records) return checkpoint(Timestamp{1'000 + 15}, 0x0123456789ABCDEF);
    Record record{};
    record.head.flags = static_cast<std::uint16_t>(0x100 + n);
    record.head.session = 0xA000 + n;
    record.head.inbound_sequence = 0xB000 + n;
    record.head.tag_length = static_cast<std::uint8_t>(n);
    for (std::size_t i = 0; i < n; ++i) record.head.tag[i] = static_cast<std::byte>('a' + i);
    Command& command = record.command;
    const bool of_session = n == 14;
    command.kind = static_cast<CommandKind>(of_session ? k_first_session_kind : n);
    command.side = Side::sell;
    command.order_type = OrderType::stop_limit;
    command.time_in_force = TimeInForce::gtd;
    command.self_trade_prevention = SelfTradePrevention::decrement_and_cancel;
    command.flags = static_cast<std::uint16_t>(0x200 + n);
    command.instrument = InstrumentId{static_cast<std::uint32_t>(100 + n)};
    command.participant = ParticipantId{static_cast<std::uint32_t>(200 + n)};
    command.timestamp = Timestamp{static_cast<std::int64_t>(1'000 + n)};
    command.order_id = OrderId{300 + n};
    command.client_order_id = ClientOrderId{400 + n};
    command.price = Price{static_cast<std::int64_t>(500 + n)};
    command.quantity = Quantity{static_cast<std::int64_t>(600 + n)};
    command.new_order_id = OrderId{700 + n};
    fill_details(command);
    return record;
}

JournalIdentity golden_identity() {
    return {.instance = {0x1122334455667788, 0x99AABBCCDDEEFF00},
            .engine = {.order_id_source = OrderIdSource::command,
                       .maximum_instruments = 11,
                       .maximum_participants = 12,
                       .maximum_orders = 13,
                       .maximum_extensions = 14,
                       .maximum_accounts = 15,
                       .maximum_levels = 16,
                       .maximum_ladder_nodes = 17,
                       .maximum_events = 18}};
}

TEST(GoldenJournal, IsReadAsItWasWritten) {
    std::vector<Record> records;
    const auto recovery =
        recover(real_files(), k_golden, {.cut = false}, [&](std::span<const Record> batch) {
            records.insert(records.end(), batch.begin(), batch.end());
        });
    ASSERT_TRUE(recovery.has_value()) << recovery.error();
    EXPECT_EQ(recovery->identity, golden_identity());
    EXPECT_EQ(recovery->synced, k_records);
    EXPECT_EQ(recovery->cut, "");
    ASSERT_EQ(records.size(), k_records);
    for (std::uint64_t n = 1; n <= k_records; ++n) {
        const Record expected = golden_record(n);
        const Record& found = records[n - 1];
        EXPECT_EQ(found.head.sequence, n);
        EXPECT_EQ(found.head.schema_version, 1);
        EXPECT_EQ(found.head.kind, static_cast<std::uint8_t>(expected.command.kind));
        EXPECT_EQ(found.head.flags, expected.head.flags);
        EXPECT_EQ(found.head.session, expected.head.session);
        EXPECT_EQ(found.head.inbound_sequence, expected.head.inbound_sequence);
        EXPECT_EQ(found.head.tag_length, expected.head.tag_length);
        EXPECT_EQ(found.head.tag, expected.head.tag);
        using Bytes = std::array<std::byte, sizeof(Command)>;
        EXPECT_EQ(std::bit_cast<Bytes>(found.command), std::bit_cast<Bytes>(expected.command)) << n;
    }
}

TEST(GoldenJournal, IsWrittenTheSameToday) {
    const damrak::testing::ScratchFolder folder;
    const JournalConfig config{.directory = folder / "journal", .segment_bytes = 2 * k_page_bytes};
    {
        const auto recovery = recover(real_files(), config.directory, {}, [](auto) {});
        const auto opened =
            Journal::open(real_files(), config, *recovery, golden_identity(), Timestamp{42});
        ASSERT_TRUE(opened.has_value()) << opened.error();
        for (std::uint64_t n = 1; n <= k_records; ++n)
            ASSERT_TRUE((*opened)->writer().append(golden_record(n)));
        (*opened)->syncer().on_close();
    }
    const std::string name = segment_name(1);
    const std::string written = damrak::testing::content_of(config.directory / name);
    const std::string golden = damrak::testing::content_of(k_golden / name);
    ASSERT_EQ(written.size(), golden.size());
    const auto [differing, unused] = std::ranges::mismatch(written, golden);
    EXPECT_EQ(differing - written.begin(), static_cast<std::ptrdiff_t>(golden.size()))
        << "the offset of the first byte that differs";
}

}  // namespace
}  // namespace damrak::journal::golden_test
