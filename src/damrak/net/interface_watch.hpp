// Whether a network interface is still the one that was there when we began: one that is taken away
// tells no socket of ours, and one that comes back under its name is another. From any thread; a
// look is three system calls.
#pragma once

#include <string>
#include <utility>

#include <net/if.h>

namespace damrak::net {

class InterfaceWatch {
  public:
    /// Empty: none, which is never gone.
    explicit InterfaceWatch(std::string name)
        : name_(std::move(name)), number_(::if_nametoindex(name_.c_str())) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] bool gone() const {
        return !name_.empty() && ::if_nametoindex(name_.c_str()) != number_;
    }

  private:
    std::string name_;
    unsigned number_;
};

}  // namespace damrak::net
