// The dictionaries of the library, and dictionaries of one's own.
#include <damrak/wire/fix/dictionary.hpp>

#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/wire/fix/builtin_dictionaries.hpp>

namespace damrak::wire::fix {
namespace {

constexpr std::array k_whole{BeginString::fix40, BeginString::fix41, BeginString::fix42,
                             BeginString::fix43, BeginString::fix44, BeginString::fixt11};

TEST(FixDictionaries, OfTheLibraryLoad) {
    for (const BeginString version : k_whole) {
        const auto loaded = Dictionary::load(builtin_dictionary(version));
        EXPECT_TRUE(loaded) << text(version) << ": " << loaded.error();
    }
    for (const ApplVersion version :
         {ApplVersion::fix50, ApplVersion::fix50sp1, ApplVersion::fix50sp2}) {
        const auto loaded =
            Dictionary::load(builtin_dictionary(version), Dictionary::of(BeginString::fixt11));
        EXPECT_TRUE(loaded) << name(version) << ": " << loaded.error();
    }
}

}  // namespace
}  // namespace damrak::wire::fix
