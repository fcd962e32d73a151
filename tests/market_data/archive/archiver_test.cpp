// The archive of an exchange's own feed: complete, exact at every message while the day
// lasts, and continued after a restart.
#include <damrak/archive/archiver.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/heatmap_file.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/wire/itch/walk.hpp>

#include "support/day_blocks.hpp"
#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::archiver_test {
namespace {

namespace itch = wire::itch;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr feed::FeedSessionId k_day{.date = 20261123, .number = 0};
constexpr feed::FeedSessionId k_next_day{.date = 20261124, .number = 0};

/// A feed that publishes a generated day, some messages at a time.
class Publishing {
  public:
    Publishing(const std::filesystem::path& folder, feed::FeedSessionId id) : folder_(folder) {
        generator::FlowOptions options;
        options.messages = 60'000;
        options.live_orders = 500;
        auto day = generator::ItchDay::create(options);
        EXPECT_TRUE(day);
        for (const auto* next = &day->next(); !next->empty(); next = &day->next())
            all_.insert(all_.end(), next->begin(), next->end());
        open(id);
    }
    void open(feed::FeedSessionId id) {
        auto session = feed::FeedSession::open(folder_, id, 0);
        EXPECT_TRUE(session) << session.error();
        const std::lock_guard lock{mutex_};
        session_ = *session;
    }
    /// Messages up to this one, from 1.
    void publish(std::size_t last) {
        feed::MessageBlock block;
        for (std::size_t i = session_->messages(); i < last; ++i)
            std::visit([&](const auto& message) { block.append(message); }, all_[i]);
        ASSERT_TRUE(session_->append(block.bytes(), last));
        ASSERT_TRUE(session_->sync());
    }
    void end() {
        session_->end();
        ASSERT_TRUE(session_->sync());
    }
    [[nodiscard]] std::shared_ptr<feed::FeedSession> session() const {
        const std::lock_guard lock{mutex_};
        return session_;
    }
    [[nodiscard]] std::size_t size() const { return all_.size(); }

  private:
    std::filesystem::path folder_;
    std::vector<itch::Message> all_;
    mutable std::mutex mutex_;
    std::shared_ptr<feed::FeedSession> session_;
};

class ArchiverOfAFeed : public ::testing::Test {
  protected:
    [[nodiscard]] std::unique_ptr<Archiver> start() {
        auto archiver = Archiver::start({.sessions = feed_,
                                         .folder = archive_,
                                         .keep_days = keep_days_,
                                         .free_bytes = free_bytes_,
                                         .on_notice =
                                             [this](const std::string& what) {
                                                 const std::lock_guard lock{mutex_};
                                                 notices_.push_back(what);
                                             }},
                                        [this]() -> std::shared_ptr<const feed::FeedSession> {
                                            ++looks_;
                                            return publishing_ ? publishing_->session() : nullptr;
                                        });
        EXPECT_TRUE(archiver) << archiver.error();
        return *std::move(archiver);
    }
    template <class Until>
    static void wait(const Until& until) {
        ASSERT_TRUE(testing::eventually(until));
    }
    [[nodiscard]] std::filesystem::path file(feed::FeedSessionId id = k_day) const {
        return archive_ / (id.text() + ".dar");
    }
    static std::vector<std::byte> content(const std::filesystem::path& path) {
        std::ifstream stream{path, std::ios::binary};
        const std::string text{std::istreambuf_iterator<char>{stream}, {}};
        const auto bytes = std::as_bytes(std::span{text});
        return {bytes.begin(), bytes.end()};
    }
    [[nodiscard]] std::string said() {
        const std::lock_guard lock{mutex_};
        std::string all;
        for (const std::string& one : notices_) all += one + "\n";
        return all;
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path feed_ = folder_ / "feed";
    std::filesystem::path archive_ = folder_ / "archive";
    std::uint32_t keep_days_ = 0;
    std::uint64_t free_bytes_ = 0;
    std::unique_ptr<Publishing> publishing_ = std::make_unique<Publishing>(feed_, k_day);
    std::mutex mutex_;
    std::vector<std::string> notices_;
    std::atomic<int> looks_ = 0;  ///< at the session
};

TEST_F(ArchiverOfAFeed, HasEveryMessageOfADayThatEnded) {
    const auto archiver = start();
    publishing_->publish(publishing_->size());
    publishing_->end();
    wait([&] { return archiver->state().days == 1; });
    const auto day = Day::open(file());
    ASSERT_TRUE(day) << day.error();
    EXPECT_TRUE(day->is_complete());
    EXPECT_EQ(day->date(), k_day.date);
    EXPECT_EQ(day->source(), "feed session 2026112300");
    EXPECT_EQ(damrak::testing::frames_of(*day), content(feed_ / "2026112300.itch"));
    EXPECT_EQ(archiver->state().waiting, 0U);
    const std::filesystem::path heatmap = HeatmapFile::path_of(file());
    wait([&] { return std::filesystem::exists(heatmap); });
    EXPECT_TRUE(HeatmapFile::open(heatmap, *day));
    EXPECT_THAT(said(), IsEmpty());
}

TEST_F(ArchiverOfAFeed, KeepsADayThatIsUnderWayReadable) {
    const auto archiver = start();
    publishing_->publish(40'000);
    wait([&] { return archiver->state().messages == 32'768; });
    const auto day = Day::open(file());
    ASSERT_TRUE(day) << day.error();
    EXPECT_FALSE(day->is_complete());
    EXPECT_EQ(day->messages(), 32'768U);
    EXPECT_EQ(archiver->state().waiting, 40'000U - 32'768U);
}

TEST_F(ArchiverOfAFeed, WritesWhatIsThereWhenItEndsAndGoesOnBehindIt) {
    start().reset();
    publishing_->publish(20'000);
    start().reset();
    EXPECT_EQ(Day::open(file())->messages(), 20'000U);
    publishing_->publish(50'000);
    start().reset();
    const auto archiver = start();
    publishing_->publish(publishing_->size());
    publishing_->end();
    wait([&] { return archiver->state().days == 1; });
    const auto day = Day::open(file());
    ASSERT_TRUE(day);
    EXPECT_EQ(damrak::testing::frames_of(*day), content(feed_ / "2026112300.itch"));
    EXPECT_THAT(said(), IsEmpty());
}

TEST_F(ArchiverOfAFeed, HasASessionThatBeganAfterTheLastLook) {
    publishing_->publish(100);
    int looks = 0;
    auto archiver = Archiver::start({.sessions = feed_, .folder = archive_},
                                    [&]() -> std::shared_ptr<const feed::FeedSession> {
                                        return ++looks == 1 ? nullptr : publishing_->session();
                                    });
    ASSERT_TRUE(archiver);
    archiver->reset();
    const auto day = Day::open(file());
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(day->messages(), 100U);
    EXPECT_FALSE(day->is_complete()) << "it was taken for an earlier one";
    EXPECT_TRUE(std::filesystem::exists(feed_ / "2026112300.itch"));
}

TEST_F(ArchiverOfAFeed, GoesOnBehindTheLastWholeBlockAfterAKill) {
    publishing_->publish(50'000);
    start().reset();
    // A kill while a block is written; wherever that is.
    const auto whole = content(file());
    for (const std::size_t cut : {std::size_t{10}, whole.size() / 3, whole.size() / 2,
                                  whole.size() - 70, whole.size() - 1}) {
        std::filesystem::resize_file(file(), cut);
        start().reset();
        const auto day = Day::open(file());
        ASSERT_TRUE(day) << cut;
        EXPECT_EQ(day->messages(), 50'000U) << cut;
        EXPECT_EQ(damrak::testing::frames_of(*day), content(feed_ / "2026112300.itch")) << cut;
        EXPECT_TRUE(day->verify([] {}).lacks_only_the_end) << cut;
    }
}

// The checkpoints of a day that was gone on with are those of one that was written in one go.
TEST_F(ArchiverOfAFeed, HasTheSameBooksAfterARestart) {
    publishing_->publish(30'000);
    start().reset();
    publishing_->publish(publishing_->size());
    start().reset();
    const auto resumed = Day::open(file());
    const auto live = Day::open_live(archive_ / "absent.dar", publishing_->session());
    ASSERT_TRUE(resumed && live);
    EXPECT_GT(resumed->checkpoints(), 1U);
    EXPECT_EQ(live->checkpoints(), 0U);
    for (std::uint64_t sequence = 29'000; sequence <= live->messages(); sequence += 997)
        for (const std::uint16_t locate : {std::uint16_t{1}, std::uint16_t{2}}) {
            const auto one = resumed->book_after(locate, sequence);
            const auto other = live->book_after(locate, sequence);
            ASSERT_TRUE(one && other);
            ASSERT_EQ(one->sequence, sequence);
            ASSERT_EQ(one->time_ns, other->time_ns);
            ASSERT_EQ(one->bids, other->bids) << sequence;
            ASSERT_EQ(one->asks, other->asks) << sequence;
        }
}

TEST_F(ArchiverOfAFeed, ADayUnderWayHasItsLastMessagesFromTheSession) {
    publishing_->publish(40'000);
    const auto archiver = start();
    wait([&] { return archiver->state().messages == 32'768; });
    const auto day = Day::open_live(file(), publishing_->session());
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(day->messages(), 40'000U);
    EXPECT_EQ(damrak::testing::frames_of(*day), content(feed_ / "2026112300.itch"));
    const auto book = day->book_after(1, 40'000);
    ASSERT_TRUE(book);
    EXPECT_EQ(book->sequence, 40'000U);
    const auto at = day->book_at(1, book->time_ns);
    ASSERT_TRUE(at);
    EXPECT_EQ(at->bids, book->bids);
    EXPECT_EQ(at->asks, book->asks);
    EXPECT_THAT(day->book_after(1, 40'001).error(), HasSubstr("there is no message 40001"));
    EXPECT_FALSE(day->book_after(1, 0));
}

TEST_F(ArchiverOfAFeed, ArchivesSessionsThatEndedWithoutItAndRemovesThem) {
    publishing_->publish(30'000);  // killed before its end
    publishing_->open(k_next_day);
    publishing_->publish(10'000);
    const auto archiver = start();
    wait([&] { return archiver->state().days == 1; });
    const auto day = Day::open(file());
    ASSERT_TRUE(day);
    EXPECT_TRUE(day->is_complete());
    EXPECT_EQ(day->messages(), 30'000U);
    wait([&] { return !std::filesystem::exists(feed_ / "2026112300.itch"); });
    EXPECT_FALSE(std::filesystem::exists(feed_ / "2026112300.position"));
    EXPECT_TRUE(std::filesystem::exists(feed_ / "2026112400.itch"));
}

TEST_F(ArchiverOfAFeed, KeepsAsManyDaysAsItIsAskedFor) {
    keep_days_ = 2;
    std::filesystem::create_directories(archive_);
    for (const char* name :
         {"2026112000.dar", "2026112001.dar", "2026112100.dar", "notes.dar", "2026112000.heatmap"})
        std::ofstream{archive_ / name} << "a day";
    publishing_->publish(1'000);
    publishing_->end();
    const auto archiver = start();
    wait([&] { return archiver->state().days == 1; });
    wait([&] { return !std::filesystem::exists(archive_ / "2026112001.dar"); });
    EXPECT_FALSE(std::filesystem::exists(archive_ / "2026112000.dar"));
    wait([&] { return !std::filesystem::exists(archive_ / "2026112000.heatmap"); });
    EXPECT_TRUE(std::filesystem::exists(archive_ / "2026112100.dar"));
    EXPECT_TRUE(std::filesystem::exists(archive_ / "notes.dar"));
    EXPECT_TRUE(std::filesystem::exists(file()));
}

// The records are numbered like the messages here.
TEST_F(ArchiverOfAFeed, HoldsTheJournalUpToWhatItHasOnTheDisk) {
    publishing_->publish(20'000);
    auto archiver = start();
    wait([&] { return archiver->state().messages == 16'384; });
    EXPECT_EQ(archiver->kept(), 0U) << "the messages of record 20000 are not all in a block";
    publishing_->publish(32'768);
    wait([&] { return archiver->kept() == 32'768; });
    publishing_->publish(40'000);
    wait([&] { return archiver->state().waiting == 40'000 - 32'768; });
    EXPECT_EQ(archiver->kept(), 32'768U);
    publishing_->end();
    wait([&] { return archiver->kept() == 40'000; });
    // A start takes nothing for granted that it has not seen.
    archiver = start();
    wait([&] { return archiver->kept() == 40'000; });
    publishing_->open(k_next_day);
    publishing_->publish(100);
    wait([&] { return std::filesystem::exists(file(k_next_day)); });
    EXPECT_EQ(archiver->kept(), 40'000U) << "the archive has none of the next session";
}

TEST_F(ArchiverOfAFeed, HoldsTheJournalBeforeASessionBegins) {
    publishing_.reset();
    const auto archiver = start();
    wait([this] { return looks_ >= 3; });
    EXPECT_EQ(archiver->kept(), 0U);
}

// What a loss of power can leave: the file has its length and its end, but a block in it is zero.
TEST_F(ArchiverOfAFeed, MakesADayAnewThatOnlyLooksComplete) {
    publishing_->publish(40'000);
    publishing_->end();
    {
        const auto archiver = start();
        wait([&] { return archiver->state().days == 1; });
    }
    const auto whole = content(file());
    {
        const auto first = damrak::testing::blocks_of(file()).front();
        std::fstream damage{file(), std::ios::in | std::ios::out | std::ios::binary};
        damage.seekp(static_cast<std::streamoff>(first.payload()));
        damage << std::string(first.header.payload_bytes, '\0');
    }
    ASSERT_TRUE(Day::open(file())->is_complete());
    publishing_->open(k_next_day);
    const auto archiver = start();
    wait([&] { return !std::filesystem::exists(feed_ / "2026112300.itch"); });
    EXPECT_EQ(content(file()), whole);
}

TEST_F(ArchiverOfAFeed, WaitsWhileTooLittleSpaceIsFree) {
    free_bytes_ = UINT64_MAX;
    publishing_->publish(40'000);
    {
        const auto archiver = start();
        wait([&] { return archiver->state().waits_for_space; });
        wait([&] { return archiver->kept() == Archiver::k_any; });
        EXPECT_EQ(archiver->state().messages, 0U);
    }
    EXPECT_THAT(said(), HasSubstr("waits: less than"));
    EXPECT_TRUE(std::filesystem::exists(feed_ / "2026112300.itch"));
    free_bytes_ = 0;
    start().reset();
    EXPECT_EQ(Day::open(file())->messages(), 40'000U);
}

TEST_F(ArchiverOfAFeed, MakesADamagedDayAnew) {
    publishing_->publish(40'000);
    start().reset();
    {
        std::fstream damage{file(), std::ios::in | std::ios::out | std::ios::binary};
        damage.seekp(70);
        damage << "damage";
    }
    start().reset();
    const auto day = Day::open(file());
    ASSERT_TRUE(day);
    EXPECT_EQ(damrak::testing::frames_of(*day), content(feed_ / "2026112300.itch"));
}

TEST_F(ArchiverOfAFeed, SaysWhereItCannotWrite) {
    std::filesystem::create_directories(archive_);
    std::filesystem::create_directory(file());  // in place of the file
    publishing_->publish(100);
    const auto archiver = start();
    wait([&] { return archiver->state().is_failing; });
    EXPECT_EQ(archiver->kept(), Archiver::k_any) << "the journal must not fill the disk";
    EXPECT_THAT(said(), HasSubstr("2026112300.dar"));
    std::filesystem::remove(file());
    wait([&] { return !archiver->state().is_failing; });
    EXPECT_NE(archiver->kept(), Archiver::k_any);
}

}  // namespace
}  // namespace damrak::archive::archiver_test
