#include "support/run_program.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing {

namespace {

std::string own_program() {
    const char* const program = std::getenv("DAMRAK_PROGRAM");
    DAMRAK_ASSERT(program != nullptr && "run by ctest, or set DAMRAK_PROGRAM");
    return program;
}

ProgramRun run(const std::string& program, const std::vector<std::string>& arguments,
               const std::string& input) {
    const ScratchFolder folder;
    const std::string out = folder / "out";
    const std::string err = folder / "err";
    const std::string in = folder / "in";
    std::ofstream{in} << input;

    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int k_flags = O_WRONLY | O_CREAT | O_TRUNC;
    constexpr mode_t k_mode = 0600;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), k_flags, k_mode);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), k_flags, k_mode);
    pid_t process = 0;
    const int spawned =
        posix_spawn(&process, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    DAMRAK_ASSERT(spawned == 0 && "the program could not be started");

    int status = 0;
    DAMRAK_ASSERT(waitpid(process, &status, 0) == process);
    constexpr int k_killed = 128;
    const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : k_killed + WTERMSIG(status);
    return {exit_code, content_of(out), content_of(err)};
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, const std::string& input) {
    return run(own_program(), arguments, input);
}

std::optional<ProgramRun> run_peer(const std::string& name,
                                   const std::vector<std::string>& arguments,
                                   const std::string& input) {
    const auto program = std::filesystem::path{own_program()}.parent_path() / "tests" / name;
    if (!std::filesystem::exists(program)) return std::nullopt;
    return run(program.string(), arguments, input);
}

ProgramRun run_shell(const std::string& script) {
    // The script may change its folder.
    const std::string program = std::filesystem::absolute(own_program());
    return run("/bin/sh",
               {"-c", k_shell_eventually + ("DAMRAK_PROGRAM='" + program + "'; ") + script}, {});
}

ProgramRun run_bench(const std::string& name, const std::vector<std::string>& arguments) {
    const auto program = std::filesystem::path{own_program()}.parent_path() / "bench" / name;
    return run(program.string(), arguments, {});
}

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace damrak::testing
