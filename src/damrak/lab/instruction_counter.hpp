// Instructions of the calling thread in user mode, counted by the processor, where the system lets
// a program read that: not on most virtual machines. Opened at set-up; reading is a system call.
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
    /// Since it was made; nothing where there is no counter.
    [[nodiscard]] std::optional<std::int64_t> read() const;

  private:
    int descriptor_;
};

}  // namespace damrak::lab
