// A message that is longer than the session takes: its bytes pass without being kept, so that it
// can be refused by its number like any other that is in order, and ignored if it is garbled. Used
// by one session; a copy of its first bytes is made when such a message begins.
//
// A BodyLength that is wrong must not take in the messages behind it: if the first CheckSum behind
// which another message begins is right, it ended there.
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
        std::size_t bytes = 0;  ///< that passed
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
    std::size_t rest_ = 0;  ///< of the message, with its trailer
    std::uint8_t sum_ = 0;  ///< of what passed
    /// Until another message begins after a CheckSum: later ones are data within this message.
    bool may_end_early_ = true;
};

}  // namespace damrak::session::fix
