// Properties of an AF_XDP path, as the machine allows: copies if the driver lacks zero-copy, and
// huge pages if the system has reserved some.
#include <damrak/net/xdp_path.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/net/network_namespace.hpp>

namespace damrak::net::xdp_path_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class XdpPathOfVeth : public ::testing::Test {
  protected:
    void SetUp() override {
        auto made = VethPair::make();
        if (!made) GTEST_SKIP() << made.error();
        pair_.emplace(std::move(*made));
    }
    /// Description of the path, or why there is none.
    [[nodiscard]] std::string described(const XdpPathOptions& options) const {
        return pair_->left.run([&] {
            const auto path = XdpPath::open(options);
            return path ? path->describe() : path.error();
        });
    }

    std::optional<VethPair> pair_;
};

TEST_F(XdpPathOfVeth, SaysWhyFramesAreCopied) {
    EXPECT_THAT(described({.interface = VethPair::k_interface, .mode = XdpMode::native}),
                HasSubstr("frames copied (this driver has no zero-copy)"));
    EXPECT_THAT(described({.interface = VethPair::k_interface, .mode = XdpMode::generic}),
                HasSubstr("frames copied (always so in generic mode)"));
    EXPECT_THAT(
        described(
            {.interface = VethPair::k_interface, .mode = XdpMode::native, .zero_copy = false}),
        HasSubstr("frames copied (as requested)"));
}

/// Reserves huge pages during its lifetime.
class HugePages {
  public:
    explicit HugePages(int count) : before_(read()) { write(before_ + count); }
    HugePages(const HugePages&) = delete;
    HugePages& operator=(const HugePages&) = delete;
    ~HugePages() { write(before_); }

    /// Beyond those reserved before.
    [[nodiscard]] int reserved() const { return read() - before_; }

  private:
    static constexpr const char* k_file = "/proc/sys/vm/nr_hugepages";
    static int read() {
        int count = 0;
        std::ifstream{k_file} >> count;
        return count;
    }
    static void write(int count) { std::ofstream{k_file} << count << '\n'; }

    int before_;
};

TEST_F(XdpPathOfVeth, UsesReservedHugePages) {
    // One queue with default frames needs 17 pages of 2 MiB; tests that run at the same time may
    // take some.
    constexpr int k_pages = 120;
    const HugePages pages{k_pages};
    if (pages.reserved() < k_pages)
        GTEST_SKIP() << "this machine reserves " << pages.reserved() << " huge pages of "
                     << k_pages;
    EXPECT_THAT(described({.interface = VethPair::k_interface, .zero_copy = false}),
                HasSubstr("huge pages"));
    // More frames than fit the huge pages: ordinary pages are used.
    EXPECT_THAT(described({.interface = VethPair::k_interface, .receive_frames = 131'072}),
                AllOf(HasSubstr("AF_XDP on"), Not(HasSubstr("huge pages"))));
}

}  // namespace
}  // namespace damrak::net::xdp_path_test
