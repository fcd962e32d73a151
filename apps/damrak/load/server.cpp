#include "load/server.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace damrak::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_listening = "0A";

// Inode of the socket that listens on this port; empty if there is none.
std::optional<std::string> listening_socket(std::uint16_t port) {
    const std::string wanted = fmt::format(":{:04X}", port);
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream file{table};
        std::string line;
        std::getline(file, line);  // names of the columns
        while (std::getline(file, line)) {
            std::istringstream words{line};
            std::string slot, local, remote, state, queues, timer, retransmits, user, timeout,
                inode;
            words >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> user >>
                timeout >> inode;
            if (state == k_listening && local.ends_with(wanted)) return inode;
        }
    }
    return std::nullopt;
}

bool has_open(const fs::path& process, const std::string& link) {
    std::error_code error;
    for (fs::directory_iterator file{process / "fd", error}, end; !error && file != end;
         file.increment(error))
        if (fs::read_symlink(file->path(), error) == link) return true;
    return false;
}

}  // namespace

std::optional<pid_t> find_listening_process(std::uint16_t port) {
    const auto inode = listening_socket(port);
    if (!inode) return std::nullopt;
    const std::string link = fmt::format("socket:[{}]", *inode);
    std::error_code error;
    for (fs::directory_iterator entry{"/proc", error}, end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        pid_t process = 0;
        const auto [last, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (wrong != std::errc{} || last != name.data() + name.size()) continue;
        if (has_open(entry->path(), link)) return process;
    }
    return std::nullopt;
}

std::optional<ProcessUsage> usage_of(pid_t process) {
    std::ifstream file{fmt::format("/proc/{}/stat", process)};
    std::string text;
    std::getline(file, text);
    // The second word is a name in parentheses and may have spaces in it.
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) return std::nullopt;
    std::istringstream words{text.substr(name_end + 1)};
    constexpr int k_words_to_user_time = 11;  // from the state on
    constexpr int k_words_to_resident = 8;    // from the system time on
    std::string skipped;
    for (int i = 0; i < k_words_to_user_time; ++i) words >> skipped;
    double user = 0;
    double system = 0;
    words >> user >> system;
    for (int i = 0; i < k_words_to_resident; ++i) words >> skipped;
    std::uint64_t pages = 0;
    if (!(words >> pages)) return std::nullopt;
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const auto page_kib = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 1'024;
    return ProcessUsage{
        .user_s = user / ticks, .system_s = system / ticks, .resident_kib = pages * page_kib};
}

ServerWatch::ServerWatch(std::optional<pid_t> process) {
    const auto now = process ? usage_of(*process) : std::nullopt;
    if (!now) return;
    begin_ = *now;
    run_ = ServerRun{.process = *process,
                     .resident_kib_begin = now->resident_kib,
                     .resident_kib_end = now->resident_kib,
                     .resident_kib_max = now->resident_kib};
}

std::optional<ProcessUsage> ServerWatch::look() {
    const auto now = run_ ? usage_of(run_->process) : std::nullopt;
    if (!now) return std::nullopt;
    run_->user_s = now->user_s - begin_.user_s;
    run_->system_s = now->system_s - begin_.system_s;
    run_->resident_kib_end = now->resident_kib;
    run_->resident_kib_max = std::max(run_->resident_kib_max, now->resident_kib);
    return now;
}

}  // namespace damrak::app
