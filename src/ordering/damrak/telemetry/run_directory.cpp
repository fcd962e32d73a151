#include <damrak/telemetry/run_directory.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <ranges>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <damrak/base/is_digit.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/telemetry/detail/hdr_export.hpp>

namespace damrak::telemetry {

namespace {

// "model name : …" of the first processor.
std::string processor_name() {
    constexpr std::string_view k_key = "model name";
    std::ifstream file{"/proc/cpuinfo"};
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(k_key)) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

// "20261121T063000Z-4711"
bool is_run_name(std::string_view name) {
    constexpr std::string_view k_form = "00000000T000000Z-";
    if (name.size() <= k_form.size()) return false;
    for (std::size_t i = 0; i < k_form.size(); ++i)
        if (k_form[i] == '0' ? !is_digit(name[i]) : name[i] != k_form[i]) return false;
    return std::ranges::all_of(name.substr(k_form.size()), is_digit);
}

}  // namespace

std::string run_name(std::int64_t utc_ns, std::int64_t process) {
    return fmt::format("{:%Y%m%dT%H%M%SZ}-{}", fmt::gmtime(utc_ns / k_second_ns), process);
}

std::filesystem::path run_directory(const std::filesystem::path& data, std::int64_t utc_ns) {
    return data / "runs" / run_name(utc_ns, ::getpid());
}

std::expected<void, std::string> make_run_directory(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder.parent_path(), failed);
    // It is there already where an exchange follows another in the same process and second.
    if (!failed && ::mkdir(folder.c_str(), S_IRWXU) != 0 && !std::filesystem::is_directory(folder))
        failed = {errno, std::generic_category()};
    if (failed)
        return std::unexpected{fmt::format("{}: cannot create the run directory: {}",
                                           folder.string(), failed.message())};
    return {};
}

std::expected<std::size_t, std::string> remove_old_runs(const std::filesystem::path& current,
                                                        std::size_t keep) {
    namespace fs = std::filesystem;
    const auto failed = [](const fs::path& what, const std::error_code& why) {
        return std::unexpected{
            fmt::format("{}: cannot remove an old run: {}", what.string(), why.message())};
    };
    std::error_code error;
    std::vector<fs::path> others;
    for (fs::directory_iterator at{current.parent_path(), error}, end; !error && at != end;
         at.increment(error)) {
        // Never follows a link.
        std::error_code vanished;
        if (fs::is_directory(at->symlink_status(vanished)) &&
            is_run_name(at->path().filename().string()) &&
            at->path().filename() != current.filename())
            others.push_back(at->path());
    }
    if (error) return failed(current.parent_path(), error);
    std::ranges::sort(others, std::ranges::greater{});
    const std::size_t kept = std::min(others.size(), keep - std::min<std::size_t>(keep, 1));
    for (const fs::path& old : others | std::views::drop(kept))
        if (fs::remove_all(old, error); error) return failed(old, error);
    return others.size() - kept;
}

Machine this_machine() {
    Machine machine;
    utsname names{};
    if (::uname(&names) == 0) {
        machine.host = static_cast<const char*>(names.nodename);
        machine.system = fmt::format("{} {}", static_cast<const char*>(names.sysname),
                                     static_cast<const char*>(names.release));
    }
    machine.processor = processor_name();
    machine.processors = std::thread::hardware_concurrency();
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page_bytes = ::sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0)
        machine.memory_bytes =
            static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
    return machine;
}

std::expected<void, std::string> write_text(const std::filesystem::path& path,
                                            const std::string& text) {
    std::ofstream file{path, std::ios::binary};
    file << text;
    file.close();
    if (!file)
        return std::unexpected{
            fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno))};
    return {};
}

std::expected<void, std::string> write_histograms(const std::filesystem::path& folder,
                                                  const Latencies& latencies,
                                                  std::int64_t begin_utc_ns,
                                                  std::int64_t end_utc_ns) {
    constexpr double k_ns_a_us = 1'000;
    std::error_code failed;
    std::filesystem::create_directories(folder / "hgrm", failed);
    if (failed) return std::unexpected{folder.string() + "/hgrm: " + failed.message()};
    const double seconds = static_cast<double>(end_utc_ns - begin_utc_ns) / 1e9;
    std::string log = hlog_header(begin_utc_ns);
    for (std::size_t i = 0; i < k_request_kinds; ++i) {
        for (std::size_t span = 0; span < k_spans; ++span) {
            const auto request = static_cast<RequestKind>(i);
            const Histogram& times = latencies.histogram(request, span);
            if (times.count() == 0) continue;
            const std::string tag = fmt::format("{}-{}", name(request), span_name(span));
            log += hlog_line(tag, seconds, times);
            if (auto written =
                    write_text(folder / "hgrm" / (tag + ".hgrm"), hgrm(times, k_ns_a_us));
                !written)
                return written;
        }
    }
    return write_text(folder / "timing.hlog", log);
}

}  // namespace damrak::telemetry
