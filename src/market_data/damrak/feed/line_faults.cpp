#include <damrak/feed/line_faults.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace damrak::feed {

namespace {

template <class Number>
bool read(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    return error == std::errc{} && end == text.end();
}

std::expected<void, std::string> set(LineFaults& faults, std::string_view key,
                                     std::string_view value) {
    const auto wrong = [&](std::string_view expected) {
        return std::unexpected{
            fmt::format("{}={}: expected {}, as in line=A,loss=0.01,seed=7", key, value, expected)};
    };
    if (key == "line") {
        if (value != "A" && value != "B" && value != "AB") return wrong("A, B or AB");
        faults.on_a = value.contains('A');
        faults.on_b = value.contains('B');
        return {};
    }
    if (key == "seed") {
        if (!read(value, faults.seed)) return wrong("a whole number");
        return {};
    }
    double number = 0;
    if (!read(value, number) || !(number >= 0)) return wrong("a number that is not negative");
    if (key == "delay") {
        constexpr double k_millisecond_ns = 1e6;
        constexpr double k_most_ms = 60'000;
        if (number > k_most_ms) return wrong("at most 60000 milliseconds");
        faults.delay_ns = std::llround(number * k_millisecond_ns);
        return {};
    }
    std::uint32_t* const part = key == "loss"        ? &faults.loss
                                : key == "duplicate" ? &faults.duplicate
                                : key == "reorder"   ? &faults.reorder
                                : key == "gap"       ? &faults.gap
                                                     : nullptr;
    if (part == nullptr)
        return std::unexpected{fmt::format(
            "there is no fault '{}': expected line, loss, duplicate, reorder, gap, delay or seed",
            key)};
    if (number > 1) return wrong("a probability from 0 to 1");
    *part = static_cast<std::uint32_t>(std::lround(number * LineFaults::k_whole));
    return {};
}

}  // namespace

std::expected<LineFaults, std::string> LineFaults::parse(std::string_view text) {
    LineFaults faults{.on_a = true, .on_b = true};
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            return std::unexpected{
                fmt::format("'{}': expected a fault and its value, as in loss=0.01", part)};
        if (auto done = set(faults, part.substr(0, equals), part.substr(equals + 1)); !done)
            return std::unexpected{std::move(done.error())};
    }
    return faults;
}

void FaultyLine::send(std::span<const std::byte> packet, Timestamp now) {
    on_time(now);
    if (lost_next_ > 0) {
        --lost_next_;
        return;
    }
    if (happens(faults_.gap)) {
        lost_next_ = LineFaults::k_gap_packets - 1;
        return;
    }
    if (happens(faults_.loss)) return;
    if (behind_.empty() && happens(faults_.reorder)) {
        behind_.assign(packet.begin(), packet.end());
        return;
    }
    pass_on(packet, now);
    if (happens(faults_.duplicate)) pass_on(packet, now);
    if (behind_.empty()) return;
    pass_on(behind_, now);
    behind_.clear();
}

void FaultyLine::pass_on(std::span<const std::byte> packet, Timestamp now) {
    if (faults_.delay_ns == 0) return send_(packet);
    delayed_.push_back({.due = {now.value + faults_.delay_ns},
                        .packet = std::vector(packet.begin(), packet.end())});
}

void FaultyLine::on_time(Timestamp now) {
    while (!delayed_.empty() && delayed_.front().due <= now) {
        send_(delayed_.front().packet);
        delayed_.pop_front();
    }
}

}  // namespace damrak::feed
