// User-mode instructions of the calling thread, from the processor's counter, if the system lets a
// program read it: most virtual machines do not. Opened at set-up; reading is a system call.
#pragma once

#include <cstdint>
#include <optional>

namespace damrak::lab {

class InstructionCounter {
  public:
    InstructionCounter();
    ~InstructionCounter();
    InstructionCounter(const InstructionCounter&) = delete;
    InstructionCounter& operator=(const InstructionCounter&) = delete;

    [[nodiscard]] bool available() const { return descriptor_ >= 0; }
    /// Since construction; nothing if there is no counter.
    [[nodiscard]] std::optional<std::int64_t> read() const;

  private:
    int descriptor_;
};

}  // namespace damrak::lab
