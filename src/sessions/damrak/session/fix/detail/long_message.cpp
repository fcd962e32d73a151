#include <damrak/session/fix/detail/long_message.hpp>

#include <algorithm>
#include <string_view>

#include <damrak/fix_codec/checksum.hpp>
#include <damrak/fix_codec/decode.hpp>

namespace damrak::session::fix {
namespace {

using fix_codec::k_trailer_bytes;
constexpr std::string_view k_next = "8=FIX";
// A delimiter, a trailer, and the start of the next message.
constexpr std::size_t k_end_bytes = 1 + k_trailer_bytes + k_next.size();

[[nodiscard]] std::string_view view(std::span<const char> bytes) {
    return {bytes.data(), bytes.size()};
}

}  // namespace

void LongMessage::begin(std::span<const char> front, std::size_t bytes) {
    front_.assign(front.begin(), front.end());
    rest_ = bytes;
    sum_ = 0;
    may_end_early_ = true;
}

void LongMessage::count(std::span<const char> bytes) {
    sum_ = static_cast<std::uint8_t>(sum_ + fix_codec::checksum(bytes));
    rest_ -= bytes.size();
}

bool LongMessage::adds_up(std::span<const char> trailer) const {
    const std::string_view text = view(trailer);
    const unsigned sum = sum_;
    return text.starts_with("10=") && text[3] == static_cast<char>('0' + sum / 100) &&
           text[4] == static_cast<char>('0' + sum / 10 % 10) &&
           text[5] == static_cast<char>('0' + sum % 10) && text[6] == fix_codec::k_soh;
}

LongMessage::Step LongMessage::pass(std::span<const char> bytes) {
    const std::size_t body = rest_ - k_trailer_bytes;
    Step passed = pass_body(bytes.first(std::min(bytes.size(), body)));
    if (passed.is == Is::unfinished && rest_ == k_trailer_bytes) {
        const Step end = pass_end(bytes.subspan(passed.bytes));
        passed = {.bytes = passed.bytes + end.bytes, .is = end.is};
    }
    return passed;
}

// Skips all bytes that cannot belong to an early end. Near the end by BodyLength there can be none.
LongMessage::Step LongMessage::pass_body(std::span<const char> bytes) {
    const bool to_the_end = bytes.size() + k_trailer_bytes == rest_;
    const std::string_view text = view(bytes);
    std::size_t passed = 0;
    for (std::size_t from = 0; may_end_early_;) {
        const std::size_t at = text.find("\00110=", from);
        if (at == std::string_view::npos || text.size() - at < k_end_bytes) break;
        from = at + 1;
        if (text.substr(from + k_trailer_bytes, k_next.size()) != k_next) continue;
        may_end_early_ = false;
        count(bytes.subspan(passed, from - passed));
        passed = from;
        if (!adds_up(bytes.subspan(from, k_trailer_bytes))) break;
        forget();
        return {.bytes = from + k_trailer_bytes, .is = Is::garbled};
    }
    const std::size_t held_back = to_the_end ? 0 : k_end_bytes - 1;
    if (bytes.size() > passed + held_back) {
        count(bytes.subspan(passed, bytes.size() - held_back - passed));
        passed = bytes.size() - held_back;
    }
    return {.bytes = passed, .is = Is::unfinished};
}

LongMessage::Step LongMessage::pass_end(std::span<const char> bytes) {
    if (bytes.size() < k_trailer_bytes) return {};
    const bool whole = adds_up(bytes);
    forget();
    return {.bytes = whole ? k_trailer_bytes : 0, .is = whole ? Is::whole : Is::garbled};
}

}  // namespace damrak::session::fix
