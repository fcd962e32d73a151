// The program as a whole: its help, its version, and the page of documentation made of them.

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::cli_test {
namespace {

using testing::content_of;
using testing::lines_in;
using ::testing::MatchesRegex;
using testing::run_program;

// The layout of a help text is that of the installed CLI11, so only the words are looked at.
std::set<std::string> found_in(const std::string& text, const char* pattern) {
    const std::regex regex{pattern};
    std::set<std::string> words;
    for (std::sregex_iterator at{text.begin(), text.end(), regex}; at != std::sregex_iterator{};
         ++at) {
        words.insert((*at)[1]);
    }
    return words;
}

std::set<std::string> options_in(const std::string& text) {
    return found_in(text, "(--[a-z][a-z-]*)");
}

std::set<std::string> subcommands_in(const std::string& help) {
    const auto begin = help.find("\nSubcommands:\n");
    if (begin == std::string::npos) return {};
    return found_in(help.substr(begin), "\n  ([a-z][a-z-]*) ");
}

// The page's text between the heading of this command and the next one.
std::string section_of(const std::string& page, const std::string& command) {
    const std::string heading = "# damrak " + command + "\n";
    const auto begin = page.find(heading);
    if (begin == std::string::npos) return "";
    return page.substr(begin, page.find("\n##", begin + heading.size()) - begin);
}

// The page has the options of this command, and of those inside it, as the program tells them.
void expect_documented(const std::string& page, const std::vector<std::string>& command) {
    std::vector<std::string> arguments = command;
    arguments.emplace_back("--help");
    const auto run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0);
    const std::string section = section_of(page, fmt::format("{}", fmt::join(command, " ")));
    EXPECT_EQ(options_in(section), options_in(run.out))
        << "after a change of options run scripts/cli-reference";
    for (const std::string& inner : subcommands_in(run.out)) {
        arguments.back() = inner;
        expect_documented(page, arguments);
    }
}

TEST(CommandLine, NamesItsSubcommands) {
    EXPECT_THAT(subcommands_in(run_program({"--help"}).out),
                ::testing::IsSupersetOf({"replay", "generate", "convert"}));
}

TEST(CommandLine, ReportsItsVersion) {
    const auto run = run_program({"--version"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"trade"}, {"--trade"}, {"help", "trade"}, {"fix", "prin"}}) {
        const auto run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    }
}

TEST(CommandLine, HelpsWhoAsksAndWhoSaysNothing) {
    const auto alone = run_program({});
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_EQ(alone.out, "");
    EXPECT_EQ(alone.err, run_program({"--help"}).out);
    const auto help = run_program({"help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.out, alone.err);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"serve"}, {"fix", "print"}}) {
        std::vector<std::string> asked = command;
        asked.emplace_back("--help");
        std::vector<std::string> in_words = command;
        in_words.insert(in_words.begin(), "help");
        const auto run = run_program(in_words);
        EXPECT_EQ(run.exit_code, 0);
        EXPECT_EQ(run.out, run_program(asked).out);
    }
}

TEST(CommandLine, SaysWhatMayHaveBeenMeant) {
    const auto said = [](const std::vector<std::string>& arguments) {
        const auto run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
        return run.err;
    };
    using ::testing::HasSubstr;
    EXPECT_THAT(said({"serv"}), HasSubstr("there is no command 'serv'; did you mean serve? (see:"));
    EXPECT_THAT(said({"help", "serv"}), HasSubstr("did you mean serve?"));
    EXPECT_THAT(said({"fix", "prnt"}), HasSubstr("did you mean print? (see: damrak fix --help)"));
    EXPECT_THAT(said({"zzz"}), HasSubstr("there is no command 'zzz'; known here: serve, "));
    EXPECT_THAT(said({"serve", "--binry-port=1"}),
                HasSubstr("there is no option --binry-port; did you mean --binary-port?"));
}

/// The options that take numbers, by the help of each command: all refuse one below zero.
void expect_no_negative_numbers(const std::vector<std::string>& command, int& options) {
    std::vector<std::string> arguments = command;
    arguments.emplace_back("--help");
    const std::string help = run_program(arguments).out;
    for (const std::string& option : found_in(
             help, "\n  (?:-[a-z],)?(--[a-z][a-z0-9-]*)(?:,--[a-z-]+)* (?:UINT|INT|FLOAT)\\b")) {
        arguments.back() = option + "=-1";
        const auto run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2) << fmt::format("{}", fmt::join(arguments, " ")) << run.out;
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
        EXPECT_THAT(run.err, ::testing::HasSubstr(option + ": ")) << run.err;
        ++options;
    }
    for (const std::string& inner : subcommands_in(help)) {
        arguments.back() = inner;
        expect_no_negative_numbers(arguments, options);
    }
}

TEST(CommandLine, RefusesNumbersBelowZero) {
    int options = 0;
    for (const std::string& command : subcommands_in(run_program({"--help"}).out))
        expect_no_negative_numbers({command}, options);
    EXPECT_GT(options, 30);
    EXPECT_THAT(
        run_program({"sim", "run", "market.toml", "--seed", "-1"}).err,
        ::testing::HasSubstr("--seed: -1 is below zero: expected a whole number from 0 on"));
}

TEST(CommandLine, IsDocumentedAsItIs) {
    const std::string page = content_of("docs/reference/cli.md");
    const auto commands = subcommands_in(run_program({"--help"}).out);
    EXPECT_EQ(found_in(page, "\n## damrak ([a-z]+)\n"), commands);
    for (const std::string& command : commands) expect_documented(page, {command});
    EXPECT_TRUE(std::ranges::all_of(page, [](unsigned char c) { return c == '\n' || c >= ' '; }))
        << "text, and nothing that a terminal would take for something else";
}

}  // namespace
}  // namespace damrak::cli_test
