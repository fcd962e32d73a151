// Replaces libFuzzer in ordinary builds: runs the fuzz target that is named first on every file
// named after it, and on every file below each folder named there. No input at all is a failure,
// because a missing corpus must not pass as tested.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

// The targets, each under a name of its own.
#define DAMRAK_FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t*, std::size_t);
#include "fuzz_targets.inc"
#undef DAMRAK_FUZZ_TARGET

namespace {

struct Target {
    std::string_view name;
    int (*run)(const std::uint8_t* data, std::size_t size);
};

constexpr Target k_targets[] = {
#define DAMRAK_FUZZ_TARGET(name) {#name, fuzz_##name},
#include "fuzz_targets.inc"
#undef DAMRAK_FUZZ_TARGET
};

std::size_t run_file(const Target& target, const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    target.run(input.data(), input.size());
    return 1;
}

std::size_t run_path(const Target& target, const std::filesystem::path& path) {
    if (std::filesystem::is_regular_file(path)) {
        return run_file(target, path);
    }
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{path, error}) {
        count += entry.is_regular_file() ? run_file(target, entry.path()) : 0;
    }
    return count;
}

}  // namespace

int main(int argc, char** argv) {
    const auto* const target =
        std::ranges::find(k_targets, std::string_view{argc > 1 ? argv[1] : ""}, &Target::name);
    if (target == std::end(k_targets)) {
        std::fprintf(stderr, "usage: fuzz_corpora TARGET FILE_OR_FOLDER...\n");
        return 2;
    }
    std::size_t count = 0;
    for (int index = 2; index < argc; ++index) {
        count += run_path(*target, argv[index]);
    }
    std::printf("%zu inputs\n", count);
    return count == 0 ? 1 : 0;
}
