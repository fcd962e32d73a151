// The main program. The laboratory is a separate program, `damrak-lab`, so that an exchange can be
// built without the experiments; `damrak lab` starts it.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "program.hpp"

namespace {

namespace app = damrak::app;

bool is_for_laboratory(int argc, char** argv) {
    const auto is = [&](int i, std::string_view word) { return argc > i && word == argv[i]; };
    return is(1, "lab") || (is(1, "help") && is(2, "lab"));
}

int start_laboratory(char** argv) {
    std::error_code unknown;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const auto program = own.parent_path() / "damrak-lab";
    if (own == program)
        return app::fail(fmt::format("{} is an installed copy of damrak", own.string()));
    ::execv(program.c_str(), argv);
    if (errno != ENOENT)
        return app::fail(fmt::format("{}: {}", program.string(), std::strerror(errno)));
    return app::fail(
        fmt::format("{} not found: build the laboratory with `make lab` in the source directory",
                    program.string()));
}

void add_commands(CLI::App& program, app::Job& job) {
    app::add_serve(program, job);
    app::add_generate(program, job);
    app::add_replay(program, job);
    app::add_convert(program, job);
    app::add_archive(program, job);
    app::add_book(program, job);
    app::add_journal(program, job);
    app::add_fix(program, job);
    app::add_load(program, job);
    app::add_term(program, job);
    app::add_report(program, job);
    app::add_instruments(program, job);
    app::add_sim(program, job);
    app::add_venue(program, job);
    program.add_subcommand("lab", app::k_lab_description);
}

}  // namespace

int main(int argc, char** argv) {
    if (is_for_laboratory(argc, argv)) return start_laboratory(argv);
    return app::run_program(argc, argv, add_commands);
}
