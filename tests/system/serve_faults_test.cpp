// A disk that fails under the running exchange: trading stops with the reason, nothing is reported
// that was not journaled, and the exchange starts again once the disk works.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/mount.h>

#include "raw_binary.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_faults_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;

/// A disk of its own, in memory, as long as the test runs. Needs root.
class SmallDisk {
  public:
    SmallDisk(const std::string& folder, int mib) : folder_(folder) {
        std::filesystem::create_directory(folder);
        mounted_ = ::mount("tmpfs", folder.c_str(), "tmpfs", 0, size(mib).c_str()) == 0;
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk() {
        if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
    }
    [[nodiscard]] bool mounted() const { return mounted_; }
    void grow(int mib) const {
        ASSERT_EQ(::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT, size(mib).c_str()), 0);
    }

  private:
    static std::string size(int mib) { return fmt::format("size={}m", mib); }

    std::string folder_;
    bool mounted_ = false;
};

class ServeOnABadDisk : public ::testing::Test {
  protected:
    void configure(std::uint64_t snapshot_every) const {
        std::ofstream{file_} << fmt::format(
            "[journal]\nsegment_mib = 1\nsnapshot_every = {}\n"
            "[capacity]\nparticipants = 1000\naccounts = 4000\norders = 100000\n",
            snapshot_every);
    }
    // Orders, one after the other, until the exchange is gone; how many it acknowledged.
    static std::uint64_t order_until_the_end(const RawClient& client, std::uint32_t most) {
        const std::uint64_t id = testing::hello(client).client;
        std::uint64_t accepted = 0;
        for (std::uint32_t sequence = 2; sequence < most; ++sequence) {
            const std::uint64_t status = testing::place(client, sequence, id, {}).status;
            if (status == 0) break;
            accepted += status == 1 ? 1U : 0U;
        }
        return accepted;
    }
    void expect_durable(std::uint64_t orders) const {
        const auto run = run_program({"journal", "verify", data_, "--json"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        // With four instruments.
        EXPECT_GE(nlohmann::json::parse(run.out)["commands"].get<std::uint64_t>(), orders + 4);
    }

    testing::ScratchFolder folder_;
    std::string disk_ = folder_ / "disk";
    std::string data_ = disk_ + "/data";
    std::string log_ = folder_ / "log";
    std::string file_ = folder_ / "exchange.toml";
};

TEST_F(ServeOnABadDisk, ThatIsFullStopsTradingWithTheReasonAndLosesNothing) {
    const SmallDisk disk{disk_, 4};
    if (!disk.mounted()) GTEST_SKIP() << "only root may make a small disk";
    configure(0);
    std::uint64_t accepted = 0;
    {
        RunningServer server{data_, log_, {"--config", file_}};
        const RawClient client{server.port()};
        const RawClient bystander{server.port()};
        accepted = order_until_the_end(client, 40'000);
        EXPECT_TRUE(bystander.is_closed());
        EXPECT_EQ(server.wait(), 1);
    }
    EXPECT_GT(accepted, 2 * 5'000U) << "segments of a MiB were filled";
    EXPECT_THAT(testing::content_of(log_),
                HasSubstr("trading stops when the journal segment is full"));
    EXPECT_THAT(testing::content_of(log_),
                AllOf(HasSubstr("damrak: trading stopped: cannot reserve 1048576 bytes"),
                      HasSubstr("No space left on device")));
    expect_durable(accepted);
    const auto still_full = run_program(
        {"serve", "--config", file_, "--data", data_, "--only", "binary", "--binary-port", "0"});
    EXPECT_EQ(still_full.exit_code, 1);
    EXPECT_THAT(still_full.err, HasSubstr("No space left on device"));
    disk.grow(16);
    RunningServer again{data_, log_, {"--config", file_}};
    EXPECT_EQ(order_until_the_end(RawClient{again.port()}, 12), 10U);
    EXPECT_EQ(again.terminate(), 0);
    expect_durable(accepted + 10);
}

TEST_F(ServeOnABadDisk, ThatIsFullIsReportedBeforeTradingStopsAndSoIsRoom) {
    const SmallDisk disk{disk_, 4};
    if (!disk.mounted()) GTEST_SKIP() << "only root may make a small disk";
    configure(0);
    std::filesystem::create_directory(data_);
    std::ofstream{disk_ + "/filler"} << std::string((std::size_t{5} << 20U) / 2, 'x');
    RunningServer server{data_, log_, {"--config", file_}};
    EXPECT_THAT(server.log_with("trading stops when"), HasSubstr("No space left on device"));
    EXPECT_EQ(order_until_the_end(RawClient{server.port()}, 102), 100U) << "it goes on";
    std::filesystem::remove(disk_ + "/filler");
    EXPECT_THAT(server.log_with("the journal has space again"), HasSubstr("disk "));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServeOnABadDisk, WithoutRoomForASnapshotGoesOnAndReportsSo) {
    const SmallDisk disk{disk_, 8};
    if (!disk.mounted()) GTEST_SKIP() << "only root may make a small disk";
    configure(1'000);
    {
        // All but the segments, so that a snapshot finds no room.
        std::filesystem::create_directory(data_);
        std::ofstream filler{disk_ + "/filler"};
        filler << std::string((std::size_t{8} << 20U) - (std::size_t{2} << 20U) - 16'384, 'x');
    }
    RunningServer server{data_, log_, {"--config", file_}};
    const RawClient client{server.port()};
    EXPECT_EQ(order_until_the_end(client, 2'002), 2'000U);
    EXPECT_THAT(server.log_with("behind the exchange"),
                AllOf(HasSubstr("snapshot-"), HasSubstr("No space left on device")));
    std::filesystem::remove(disk_ + "/filler");
    EXPECT_EQ(server.terminate(), 0);
    expect_durable(2'000);
    RunningServer again{data_, log_, {"--config", file_}};
    EXPECT_THAT(again.log_with("snapshot of record"), HasSubstr("the snapshot of record"));
    EXPECT_EQ(again.terminate(), 0);
}

// The sync of the journal is that of a library that is loaded before the system's.
TEST_F(ServeOnABadDisk, ThatFailsToSyncStopsTradingWithTheReason) {
    const std::filesystem::path program = std::getenv("DAMRAK_PROGRAM");
    const std::string library = program.parent_path() / "tests" / "failing_sync.so";
    if (!std::filesystem::exists(library)) GTEST_SKIP() << "the sanitizers do not allow it";
    const std::string fault = folder_ / "fault";
    std::filesystem::create_directory(disk_);
    configure(0);
    for (const char* durability : {"async", "group", "sync"}) {
        SCOPED_TRACE(durability);
        std::filesystem::remove(fault);
        std::filesystem::remove(log_);
        std::uint64_t accepted = 0;
        {
            RunningServer server{data_,
                                 log_,
                                 {"--config", file_, "--durability", durability},
                                 {"LD_PRELOAD=" + library, "DAMRAK_SYNC_FAILS_IF=" + fault}};
            const RawClient client{server.port()};
            const std::uint64_t id = testing::hello(client).client;
            for (std::uint32_t sequence = 2; sequence < 100'000; ++sequence) {
                if (sequence == 20) std::ofstream{fault} << "now";
                if (testing::place(client, sequence, id, {}).status == 0) break;
                ++accepted;
            }
            EXPECT_EQ(server.wait(), 1);
        }
        EXPECT_GE(accepted, 18U);
        EXPECT_THAT(testing::content_of(log_),
                    AllOf(HasSubstr("damrak: trading stopped: cannot sync " + data_),
                          HasSubstr("Input/output error")));
        const std::string log = testing::content_of(log_);
        const auto name = log.find("cannot sync ") + std::string_view{"cannot sync "}.size();
        const std::string file = log.substr(name, log.find(": Input/output error") - name);
        // A segment that was prepared may have been renamed or removed since.
        EXPECT_TRUE(std::filesystem::exists(file) || file.ends_with(".seg.new")) << file;
        expect_durable(accepted);
        RunningServer again{data_, log_, {"--config", file_, "--durability", durability}};
        EXPECT_EQ(order_until_the_end(RawClient{again.port()}, 12), 10U);
        EXPECT_EQ(again.terminate(), 0);
    }
}

TEST(ServeUnheard, GoesOnWhereWhatItSaysCannotBeWritten) {
    const testing::ScratchFolder folder;
    RunningServer server{folder / "data", "/dev/full"};
    const RawClient wrong_version{server.port()};
    wrong_version.send_hex(
        "01090010 00000001 00000000 00000000 22222222 22222222 22222222 22222222");
    EXPECT_TRUE(wrong_version.is_closed());
    const RawClient client{server.port()};
    const std::uint64_t id = testing::hello(client).client;
    EXPECT_EQ(testing::place(client, 2, id, {}).status, 1U);
    EXPECT_EQ(server.terminate(), 0);
}

}  // namespace
}  // namespace damrak::serve_faults_test
