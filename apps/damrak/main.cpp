// The one program: parses the command line and hands over to a subcommand.
#include <string>

#include <CLI/CLI.hpp>

#include <damrak/base/version.hpp>

int main(int argc, char** argv) {
    constexpr int k_exit_usage = 2;
    CLI::App app{"Damrak, an electronic exchange simulator", "damrak"};
    app.set_version_flag("--version", std::string{damrak::version()});
    app.require_subcommand(1);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : k_exit_usage;
    }
    return 0;
}
