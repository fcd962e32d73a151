// A visitor that stores every ITCH message.
#pragma once

#include <vector>

#include <damrak/wire/itch/messages.hpp>

namespace damrak::testing {

struct ItchCollector {
    std::vector<wire::itch::Message> messages;

    template <class M>
    void on(const M& message) {
        messages.emplace_back(message);
    }
};

}  // namespace damrak::testing
