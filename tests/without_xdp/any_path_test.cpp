// The room net as it is built where libxdp, libbpf or clang for BPF are missing: it says so to a
// user who wants AF_XDP, and `auto` takes a socket. Needs root and network namespaces like the
// others.
#include <damrak/net/any_path.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/net/network_namespace.hpp>

namespace damrak::net::any_path_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(WithoutXdp, ReportsTheMissingPackages) {
    const auto pair = VethPair::make();
    if (!pair) GTEST_SKIP() << pair.error();
    pair->left.run([] {
        const auto path =
            AnyPath::open({.choice = PathChoice::xdp, .interface = VethPair::k_interface});
        ASSERT_FALSE(path);
        EXPECT_THAT(path.error(), AllOf(HasSubstr("this program was built without AF_XDP"),
                                        HasSubstr("libxdp-dev, libbpf-dev and clang-19")));
    });
}

TEST(WithoutXdp, AutoTakesASocketAndSaysWhy) {
    const auto pair = VethPair::make();
    if (!pair) GTEST_SKIP() << pair.error();
    pair->left.run([] {
        const auto path = AnyPath::open({.interface = VethPair::k_interface});
        ASSERT_TRUE(path) << path.error();
        EXPECT_THAT(path->describe(),
                    AllOf(HasSubstr("a socket at 10.26.4.1:"),
                          HasSubstr("chosen because: this program was built without AF_XDP")));
    });
}

}  // namespace
}  // namespace damrak::net::any_path_test
