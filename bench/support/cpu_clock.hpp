// CPU time of this process, and the name of the machine it runs on: for benchmarks only.
#pragma once

#include <cstdint>
#include <string>

namespace damrak::bench {

// User and kernel time of all threads; costs a system call.
[[nodiscard]] std::int64_t cpu_time_ns();

// For example "2 x Intel(R) Xeon(R) Processor".
[[nodiscard]] std::string machine_name();

// For example "GCC 12.2.0".
[[nodiscard]] std::string compiler_name();

}  // namespace damrak::bench
