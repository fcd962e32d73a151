// The names of an enumeration's values, as the compiler spells them.
#include <damrak/base/enum_names.hpp>

#include <cstdint>

#include <gtest/gtest.h>

namespace damrak::enum_names_test {
namespace {

enum class Signal : std::uint8_t { none, go = 3, stop = 255 };

TEST(EnumNames, AreThoseOfTheEnumerators) {
    EXPECT_EQ(enum_name(Signal::none), "none");
    EXPECT_EQ(enum_name(Signal::go), "go");
    EXPECT_EQ(enum_name(Signal::stop), "stop");
}

TEST(EnumNames, AreUnknownForOtherValues) {
    EXPECT_EQ(enum_name(static_cast<Signal>(1)), "unknown");
    EXPECT_EQ(enum_name(static_cast<Signal>(254)), "unknown");
    EXPECT_TRUE(k_enum_names<Signal>[2].empty());
}

}  // namespace
}  // namespace damrak::enum_names_test
