// Replaces libFuzzer in ordinary builds: runs the fuzz target on every file named on the command
// line, and on every file below each folder named there. No input at all is a failure, because a
// missing corpus must not pass as tested.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::size_t run_file(const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
    return 1;
}

std::size_t run_path(const std::filesystem::path& path) {
    if (std::filesystem::is_regular_file(path)) {
        return run_file(path);
    }
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{path, error}) {
        count += entry.is_regular_file() ? run_file(entry.path()) : 0;
    }
    return count;
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t count = 0;
    for (int index = 1; index < argc; ++index) {
        count += run_path(argv[index]);
    }
    std::printf("%zu inputs\n", count);
    return count == 0 ? 1 : 0;
}
