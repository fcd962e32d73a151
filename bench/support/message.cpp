#include "support/message.hpp"

#include <algorithm>

namespace damrak::bench {

void MessageStream::append(const Message& message) {
    if (messages.empty()) {
        info.price_min_ticks = message.price_ticks;
        info.price_max_ticks = message.price_ticks;
    }
    info.symbols = std::max(info.symbols, message.symbol + 1U);
    info.price_min_ticks = std::min(info.price_min_ticks, message.price_ticks);
    info.price_max_ticks = std::max(info.price_max_ticks, message.price_ticks);
    messages.push_back(message);
}

}  // namespace damrak::bench
