// What the program says on standard error beside its results. Nobody has to hear it: where the
// terminal was closed, the reader of a pipe has ended or the disk of a log is full, it is lost and
// all else goes on.
#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace damrak::app {

template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
    const std::string text = fmt::format(format, std::forward<Values>(values)...);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace damrak::app
