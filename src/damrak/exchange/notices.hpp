// What an exchange tells those who run it: a line each time, without its end, as `damrak serve`
// prints them. Lines come from the threads of the exchange that nobody waits for, several at a
// time; the exchange's own thread tells only while it starts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace damrak::exchange {

/// Must bear being called by several threads at once, and must not throw.
using OnNotice = std::function<void(std::string_view line)>;

/// Formats lines for whoever listens, if anybody does.
class Notices {
  public:
    explicit Notices(OnNotice on_notice) : on_notice_(std::move(on_notice)) {}

    template <typename... Values>
    void say(fmt::format_string<Values...> format, Values&&... values) const {
        if (on_notice_) on_notice_(fmt::format(format, std::forward<Values>(values)...));
    }

  private:
    OnNotice on_notice_;
};

}  // namespace damrak::exchange
