#include "support/fix_world.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace damrak::testing {

bool is_envelope_field(fix_codec::Tag tag) {
    constexpr std::array<fix_codec::Tag, 24> k_tags{8,   9,   10,  34,  35,  43,  49,  50,
                                                    52,  56,  57,  89,  90,  91,  93,  97,
                                                    115, 116, 122, 128, 129, 142, 143, 144};
    return std::ranges::find(k_tags, tag) != k_tags.end() || tag == 145 || tag == 1128;
}

FixWorld::FixWorld(const session::fix::SessionSettings& settings, Timestamp start,
                   std::size_t output_bytes)
    : now(start),
      settings_(settings),
      store_({.bytes = std::size_t{1} << 20U, .messages = 1'000}, start),
      memory_(output_bytes),
      out_(memory_),
      session_(std::make_unique<Session>(application, store_, tools_, settings_)) {}

void FixWorld::connect() {
    out_ = session::OutputBuffer{memory_};
    rest_.clear();
    session_->connect(out_, now);
}

void FixWorld::receive(std::string_view bytes) {
    rest_ += bytes;
    const auto received =
        session_->receive(std::as_bytes(std::span{rest_.data(), rest_.size()}), now);
    rest_.erase(0, received.consumed_bytes);
}

std::string FixWorld::take_output() {
    std::string output;
    const auto bytes = out_.readable();
    output.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    out_.consume(bytes.size());
    if (session_->ended() != session::fix::Ended::no) session_->close(now);
    return output;
}

void FixWorld::disconnect() { session_->close(now); }

void FixWorld::restart() {
    session_ = std::make_unique<Session>(application, store_, tools_, settings_);
}

}  // namespace damrak::testing
