// The memory of `damrak serve`: what a configuration takes, and whether the limits of this process
// leave room for it. At the start.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "serve/settings.hpp"

namespace damrak::app {

/// In bytes.
struct Memory {
    std::uint64_t reserved = 0;  ///< private memory, touched or not
    std::uint64_t resident = 0;  ///< physical memory, the mapped pages of files included
    std::uint64_t pools = 0;     ///< of `reserved`: what has places for orders, clients and names

    /// Of this process, now.
    [[nodiscard]] static Memory now();
    /// The most that is resident once every place is taken.
    [[nodiscard]] std::uint64_t full() const { return resident + pools; }
};

/// For an exchange that is made to be measured: it takes no port that may be another one's, and
/// sends nothing to other machines.
void set_apart(ServeSettings& settings);

/// The parts of an exchange in the order in which they are made.
class MemoryParts {
  public:
    struct Part {
        std::string_view name;
        Memory memory;
    };

    /// What was added since the last part (or since nothing) is this one's.
    void note(std::string_view name);
    [[nodiscard]] const std::vector<Part>& all() const { return parts_; }
    [[nodiscard]] const Memory& total() const { return total_; }

  private:
    std::vector<Part> parts_;
    Memory total_;
};

/// A table in MiB or, as JSON, one object in bytes.
[[nodiscard]] std::string text_of(const MemoryParts& parts, bool json);

/// When the gateways are open. An error where a limit of the process leaves the first clients no
/// room; warns where the machine has less than the exchange takes when it is full.
[[nodiscard]] std::expected<void, std::string> check_memory(const ServeSettings& settings);

}  // namespace damrak::app
