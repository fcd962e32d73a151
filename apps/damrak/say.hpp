// Messages on standard error. They are optional: if the terminal was closed, the pipe broke or the
// disk of the log is full, the message is lost and the program continues.
#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace damrak::app {

/// While it exists, nothing is said. Main thread.
class Silence {
  public:
    Silence() { s_silent = true; }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
    ~Silence() { s_silent = false; }
    [[nodiscard]] static bool holds() { return s_silent; }

  private:
    static inline bool s_silent = false;
};

template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
    if (Silence::holds()) return;
    const std::string text = fmt::format(format, std::forward<Values>(values)...);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace damrak::app
