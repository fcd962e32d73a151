// A message that is longer than the session accepts. Its bytes are consumed without being stored,
// so that it can be rejected by its number if it is in sequence, or ignored if it is garbled. Used
// by one session. Copies the first bytes of such a message.
//
// A wrong BodyLength must not swallow the messages after it: the message ends at the first valid
// CheckSum that is followed by the start of another message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace damrak::session::fix {

class LongMessage {
  public:
    enum class Is : std::uint8_t { unfinished, whole, garbled };
    struct Step {
        std::size_t bytes = 0;  ///< consumed so far
        Is is = Is::unfinished;
    };

    /// Copies `front`; `bytes` is the size of the whole message by BodyLength.
    void begin(std::span<const char> front, std::size_t bytes);
    [[nodiscard]] bool under_way() const { return rest_ != 0; }
    /// Consumes received bytes. The caller passes unconsumed ones again with more after them.
    [[nodiscard]] Step pass(std::span<const char> bytes);
    [[nodiscard]] std::span<const char> front() const { return front_; }
    void forget() { rest_ = 0; }

  private:
    [[nodiscard]] Step pass_body(std::span<const char> bytes);
    [[nodiscard]] Step pass_end(std::span<const char> bytes);
    [[nodiscard]] bool adds_up(std::span<const char> trailer) const;
    void count(std::span<const char> bytes);

    std::string front_;
    std::size_t rest_ = 0;  ///< remaining bytes, trailer included
    std::uint8_t sum_ = 0;  ///< of the consumed bytes
    /// Until another message begins after a CheckSum: later ones are data within this message.
    bool may_end_early_ = true;
};

}  // namespace damrak::session::fix
