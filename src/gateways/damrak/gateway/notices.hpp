// Notices of an exchange to its operator: one line each, without a line end, as `damrak serve`
// prints them. They come from background threads of the exchange, several at a time; the exchange's
// own thread reports only during the start.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace damrak::gateway {

/// Called by several threads at once; must not throw.
using OnNotice = std::function<void(std::string_view line)>;

/// Formats lines for the listener, if there is one.
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

}  // namespace damrak::gateway
