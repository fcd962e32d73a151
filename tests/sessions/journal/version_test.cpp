// Files of another version of Damrak: each is refused with what differs and what to do.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/crc32c.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/journal/restore.hpp>
#include <damrak/journal/verify.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "small_exchange.hpp"

namespace damrak::journal::version_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Change {
    std::string what;
    std::size_t offset;
    std::uint32_t value;
};

void put(std::byte* content, std::size_t offset, std::uint32_t value) {
    std::memcpy(content + offset, &value, sizeof value);
}

auto told(std::string_view who, const Change& change) {
    return AllOf(HasSubstr(fmt::format("{} version of Damrak wrote it ({} {};", who, change.what,
                                       change.value)),
                 HasSubstr("use that version, or begin in an empty directory"));
}

TEST(SegmentVersion, OtherThanTodaysIsRefused) {
    const std::vector<Change> earlier{
        {"journal format", 8, 1}, {"schema", 20, 0}, {"rules version", 116, k_rules_version - 1}};
    for (Change change : earlier) {
        for (const std::string_view who : {"an earlier", "a later"}) {
            SmallJournal test;
            test.start();
            test.append(3);
            test.close();
            edit(test.segment(1), [&](std::byte* content) {
                put(content, change.offset, change.value);
                put(content, 112, crc32c(std::span{content, 112}));
                put(content, 252, crc32c(std::span{content + 116, 136}));
            });
            EXPECT_THAT(test.try_start(),
                        AllOf(HasSubstr(test.segment(1).string() + ": "), told(who, change)));
            change.value += 2;
        }
    }
}

TEST(SegmentVersion, DamagedInTheHeaderPreventsTheStart) {
    SmallJournal test;
    test.start();
    test.append(3);
    test.close();
    edit(test.segment(1), [](std::byte* content) { content[116] ^= std::byte{1}; });
    EXPECT_THAT(test.try_start(), HasSubstr("offset 116: the header is damaged"));
}

TEST(SnapshotVersion, OtherThanTodaysIsRefused) {
    const std::vector<Change> earlier{{"snapshot format", 8, 0},
                                      {"rules version", 56, k_rules_version - 1}};
    SmallExchange exchange;
    exchange.trade(20);
    exchange.work();
    const auto& directory = exchange.journal_config.directory;
    for (Change change : earlier) {
        for (const std::string_view who : {"an earlier", "a later"}) {
            standard_exchange::ExchangeState<> state{exchange.identity().engine};
            const SnapshotInfo info{.sequence = 10,
                                    .state_hash = state.state_hash(),
                                    .layout = standard_exchange::ExchangeState<>::state_layout(),
                                    .instance = exchange.identity().instance};
            ASSERT_TRUE(write_snapshot(real_files(), directory, info, state));
            const auto path = directory / snapshot_name(10);
            const std::size_t content_bytes = std::filesystem::file_size(path) - 16;
            edit(path, [&](std::byte* content) {
                put(content, change.offset, change.value);
                put(content, content_bytes + 8, crc32c(std::span{content, content_bytes}));
            });
            const auto why = AllOf(HasSubstr(path.string() + ": "), told(who, change));
            const auto restored = restore(real_files(), directory, exchange.identity(), state);
            ASSERT_FALSE(restored);
            EXPECT_THAT(restored.error(), why);
            const auto verified = verify<standard_exchange::ExchangeState<>>(
                real_files(), directory, ReplayFrom::snapshot);
            ASSERT_FALSE(verified);
            EXPECT_THAT(verified.error(), why);
            change.value += 2;
        }
    }
}

}  // namespace
}  // namespace damrak::journal::version_test
