#include <damrak/plot/picture_file.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/files/byte_sink.hpp>

namespace damrak::plot {

namespace {

constexpr const char* k_converter = "rsvg-convert";

using TemporaryFile = std::unique_ptr<std::FILE, decltype([](std::FILE* f) { std::fclose(f); })>;

std::unexpected<std::string> failed(const std::filesystem::path& path, std::string_view why) {
    return std::unexpected{fmt::format("{}: {}", path.string(), why)};
}

// Runs the converter from one file to another. Returns its exit code, or 127 if it is not
// installed.
int convert(std::FILE* from, std::FILE* to) {
    constexpr int k_not_found = 127;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(from), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(to), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // Twice the size of the drawing, to be sharp on dense screens.
    std::array<std::string, 5> words{k_converter, "--format", "png", "--zoom", "2"};
    std::array<char*, words.size() + 1> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
    pid_t process = 0;
    const int error =
        ::posix_spawnp(&process, k_converter, &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return k_not_found;
    int status = 0;
    while (::waitpid(process, &status, 0) < 0)
        if (errno != EINTR) return k_not_found;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::expected<std::string, std::string> to_png(const std::filesystem::path& path,
                                               const std::string& svg) {
    const TemporaryFile from{std::tmpfile()};
    const TemporaryFile to{std::tmpfile()};
    if (!from || !to || std::fwrite(svg.data(), 1, svg.size(), from.get()) != svg.size() ||
        std::fseek(from.get(), 0, SEEK_SET) != 0)
        return failed(path,
                      "no room for a temporary file: " + std::generic_category().message(errno));
    const int code = convert(from.get(), to.get());
    if (code == 127)
        return failed(path,
                      "a PNG needs the program rsvg-convert (Debian: librsvg2-bin); install "
                      "it, or name a file that ends in .svg");
    if (code != 0) return failed(path, fmt::format("rsvg-convert ended with status {}", code));
    std::string png;
    std::array<char, 65'536> piece{};
    if (std::fseek(to.get(), 0, SEEK_SET) != 0)
        return failed(path, std::generic_category().message(errno));
    while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), to.get()))
        png.append(piece.data(), count);
    if (!png.starts_with("\x89PNG")) return failed(path, "rsvg-convert made no PNG of the chart");
    return png;
}

}  // namespace

std::expected<void, std::string> check_picture_name(const std::filesystem::path& path) {
    if (path.extension() == ".svg" || path.extension() == ".png") return {};
    return failed(path, "a picture ends in .svg or .png");
}

std::expected<void, std::string> write_picture(const std::filesystem::path& path,
                                               const std::string& svg) {
    if (auto checked = check_picture_name(path); !checked) return checked;
    std::string content = svg;
    if (path.extension() == ".png") {
        auto png = to_png(path, svg);
        if (!png) return std::unexpected{std::move(png.error())};
        content = std::move(*png);
    }
    auto file = files::ByteSink::create(path);
    if (!file) return std::unexpected{std::move(file.error())};
    file->write(content);
    return file->close();
}

}  // namespace damrak::plot
