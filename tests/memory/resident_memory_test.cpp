// The memory budget, measured as resident memory: 10,000 instruments with 1,000,000 resting orders
// in under 256 MiB, an idle instrument in at most 2 KiB, and distant prices at no extra cost.

#include <cstdint>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include <damrak/base/random.hpp>
#include <damrak/engine/engine.hpp>

#include "support/commands.hpp"
#include "support/recorded_engine.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DAMRAK_SHADOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DAMRAK_SHADOWED 1
#endif
#endif

namespace damrak::resident_memory_test {
namespace {

constexpr std::int64_t k_mebibyte = std::int64_t{1} << 20U;
constexpr std::uint32_t k_instruments = 10'000;
constexpr std::uint32_t k_orders_each = 100;

// Resident bytes of the process: the second number of /proc/self/statm counts pages.
std::int64_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t size_pages = 0;
    std::int64_t resident_pages = 0;
    statm >> size_pages >> resident_pages;
    return resident_pages * ::sysconf(_SC_PAGESIZE);
}

struct RejectCounter {
    std::int64_t rejects = 0;
    void on_event(const Event& event) { rejects += event.kind == EventKind::rejected ? 1 : 0; }
};

class ResidentMemory : public ::testing::Test {
  protected:
    void SetUp() override {
#ifdef DAMRAK_SHADOWED
        GTEST_SKIP() << "a sanitizer's own memory is not that of the engine";
#endif
    }
    static EngineConfig config() {
        EngineConfig config;
        config.maximum_instruments = k_instruments;
        // Capacity for a separate price per order.
        config.maximum_levels = config.maximum_orders;
        return config;
    }
    void add_instruments() {
        for (std::uint32_t id = 1; id <= k_instruments; ++id) {
            engine_.apply(instrument_command(id));
        }
    }
    void enter(std::uint32_t instrument, Side side, std::int64_t cents, std::int64_t display = 0) {
        Command command = order_command(instrument, 1 + instrument % 8, side, cents * 100, 100);
        command.order.display_quantity = Quantity{display};
        engine_.apply(command);
    }
    // Within five percent of 100.00, and some far beyond. This is a wide range: nearly every order
    // has its own price.
    void fill_books() {
        RandomStream random(1);
        for (std::uint32_t round = 0; round < k_orders_each; ++round) {
            for (std::uint32_t id = 1; id <= k_instruments; ++id) {
                const bool far = random.below(50) == 0;
                const std::int64_t away = 1 + random.below(far ? 5'000 : 500);
                const Side side = round % 2 == 0 ? Side::buy : Side::sell;
                // Every twentieth order is an iceberg and needs an extension.
                enter(id, side, 10'000 + (side == Side::buy ? -away : away),
                      random.below(20) == 0 ? 10 : 0);
            }
        }
    }

    RejectCounter sink_;
    std::int64_t before_ = resident_bytes();
    EngineInto<RejectCounter> engine_{config(), sink_};
};

TEST_F(ResidentMemory, OfAMillionOrdersInTenThousandInstrumentsIsUnder256MiB) {
    add_instruments();
    fill_books();
    ASSERT_EQ(engine_.store().order_pool.used(), k_instruments * k_orders_each);
    ASSERT_EQ(sink_.rejects, 0);
    const std::int64_t resident = resident_bytes();
    RecordProperty("resident_mib", std::to_string(resident / k_mebibyte));
    EXPECT_LT(resident, 256 * k_mebibyte) << "the whole process";
}

TEST_F(ResidentMemory, OfAnIdleInstrumentIsAtMostTwoKiB) {
    add_instruments();
    const std::int64_t grown = resident_bytes() - before_;
    RecordProperty("bytes_an_idle_instrument", std::to_string(grown / k_instruments));
    EXPECT_LE(grown / k_instruments, 2'048) << "including what the engine itself needs";
    EXPECT_LE(sizeof(InstrumentState), 2'048U);
}

TEST_F(ResidentMemory, OfFarPricesDoesNotGrowWithTheirDistance) {
    add_instruments();
    // Alternates between the first and the last tick in every instrument.
    const auto round = [&] {
        for (std::uint32_t id = 1; id <= k_instruments; ++id) {
            enter(id, Side::buy, 1);
            enter(id, Side::sell, 19'999'999);
        }
        Command command{};
        command.kind = CommandKind::mass_cancel;
        command.flags = CommandFlags::k_both_sides;
        engine_.apply(command);
        EXPECT_EQ(engine_.store().nodes.pool().used(), 0U);
    };
    round();
    const std::int64_t after_one = resident_bytes();
    for (int i = 0; i < 5; ++i) round();
    EXPECT_EQ(sink_.rejects, 0);
    EXPECT_LT(resident_bytes() - after_one, k_mebibyte);
}

}  // namespace
}  // namespace damrak::resident_memory_test
