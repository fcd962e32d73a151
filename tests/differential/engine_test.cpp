// The engine compared with the reference model: random commands of every profile, with all
// invariants of their events. Ten seeds of each; builds with assertions and sanitizers run one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/differential/shrink.hpp"
#include "support/test_size.hpp"

namespace damrak::differential::engine_test {
namespace {

#ifdef NDEBUG
constexpr std::uint64_t k_seeds = 10;
#else
constexpr std::uint64_t k_seeds = 1;
#endif
constexpr std::size_t k_commands = 9'200;  // per seed and profile

/// tools/mutants only needs to know whether anything fails, not the shortest reproduction.
bool wants_shrinking() {
    const char* const wanted = std::getenv("DAMRAK_SHRINK");
    return wanted == nullptr || std::string_view{wanted} != "off";
}

class EngineStreams : public ::testing::TestWithParam<StreamProfile> {};

TEST_P(EngineStreams, behave_like_the_reference_model) {
    for (std::uint64_t seed = 1; seed <= test_size::scaled(k_seeds); ++seed) {
        const auto failure =
            run_stream(GetParam(), seed, k_commands, engine_factory(), wants_shrinking());
        ASSERT_FALSE(failure) << describe(*failure);
    }
}

INSTANTIATE_TEST_SUITE_P(All, EngineStreams,
                         ::testing::ValuesIn(stream_profiles().begin(), stream_profiles().end()),
                         [](const auto& each) { return std::string{each.param.name}; });

}  // namespace
}  // namespace damrak::differential::engine_test
