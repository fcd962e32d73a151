#include <damrak/lab/machine.hpp>

#include <fstream>

#include <fmt/format.h>

#include <damrak/base/version.hpp>
#include <damrak/lab/instruction_counter.hpp>
#include <damrak/telemetry/run_directory.hpp>

#ifndef DAMRAK_COMPILE_FLAGS
#define DAMRAK_COMPILE_FLAGS "not told by the build"
#endif

namespace damrak::lab {

namespace {

std::string first_line_of(const char* path, std::string otherwise) {
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) ? line : otherwise;
}

bool is_virtual() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("flags")) return line.find(" hypervisor") != std::string::npos;
    return false;
}

std::string caches() {
    std::string text;
    for (int index = 0; index < 8; ++index) {
        const std::string folder =
            fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
        const std::string size = first_line_of((folder + "size").c_str(), "");
        if (size.empty()) break;
        text += fmt::format("{}L{} {} {}", text.empty() ? "" : ", ",
                            first_line_of((folder + "level").c_str(), "?"),
                            first_line_of((folder + "type").c_str(), "?"), size);
    }
    return text.empty() ? "unknown" : text;
}

}  // namespace

Facts machine_facts() {
    const telemetry::Machine machine = telemetry::this_machine();
    const InstructionCounter counter;
    return {
        {"processor", machine.processor},
        {"processors available to this process", fmt::format("{}", machine.processors)},
        {"caches", caches()},
        {"memory", fmt::format("{:.1f} GiB", static_cast<double>(machine.memory_bytes) / 0x1p30)},
        {"frequency governor",
         first_line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "unknown")},
        {"virtual machine", is_virtual() ? "yes" : "no"},
        {"transparent huge pages",
         first_line_of("/sys/kernel/mm/transparent_hugepage/enabled", "unknown")},
        {"system", machine.system},
        {"compiler",
#if defined(__clang__)
         "clang " __clang_version__
#else
         "GCC " __VERSION__
#endif
        },
        {"flags", DAMRAK_COMPILE_FLAGS},
        {"damrak", std::string{version()}},
        {"instruction counters of the processor",
         counter.available() ? "readable" : "not readable here"},
    };
}

}  // namespace damrak::lab
