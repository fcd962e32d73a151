#include "cli.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "say.hpp"

namespace damrak::app {

namespace {

void print_line(std::string line) {
    std::ranges::replace(line, '\n', ' ');
    std::fflush(stdout);  // what was reported before stands before the failure
    say("{}\n", line);
}

}  // namespace

int fail(std::string_view message) {
    // Whatever cannot be opened for want of descriptors, it is their limit that has to change.
    const std::string_view hint =
        message.contains(std::strerror(EMFILE))
            ? ": raise the limit of open files, such as with ulimit -n 1024"
            : "";
    print_line(fmt::format("damrak: {}{}", message, hint));
    return k_exit_failure;
}

int fail_usage(std::string_view message, std::string_view subcommand) {
    const std::string_view space = subcommand.empty() ? "" : " ";
    print_line(fmt::format("damrak: {} (see: damrak{}{} --help)", message, space, subcommand));
    return k_exit_usage;
}

void print_json(const nlohmann::ordered_json& object) {
    // Names of files and instruments need not be UTF-8.
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace damrak::app
