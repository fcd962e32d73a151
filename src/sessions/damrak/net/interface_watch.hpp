// Detects that a network interface is gone: sockets are not notified when it is removed, and an
// interface that returns under the same name is a new one. From any thread; a check is three system
// calls.
#pragma once

#include <string>
#include <utility>

#include <net/if.h>

namespace damrak::net {

class InterfaceWatch {
  public:
    /// Empty: no interface, so it is never gone.
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
