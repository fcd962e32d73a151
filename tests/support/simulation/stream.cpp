#include <support/simulation/stream.hpp>

#include <algorithm>

namespace damrak::simulation {

namespace {

// All bytes, or sometimes only a part.
std::size_t part_of(std::size_t bytes, const LinkRules& rules, RandomStream& random) {
    if (bytes < 2 || random.below(100) >= rules.part_percent) return bytes;
    return 1 + random.below(static_cast<std::uint32_t>(bytes - 1));
}

}  // namespace

std::int64_t Stream::next_due(const LinkRules& rules, std::int64_t now_ns, RandomStream& random) {
    const std::int64_t delay_ns =
        rules.least_delay_ns + random.below(rules.most_delay_ns - rules.least_delay_ns + 1);
    last_due_ns_ = std::max(last_due_ns_, now_ns + delay_ns);
    return last_due_ns_;
}

std::size_t Stream::write(std::span<const std::byte> bytes, const LinkRules& rules,
                          std::int64_t now_ns, RandomStream& random) {
    const std::size_t room =
        rules.window_bytes - std::min<std::size_t>(rules.window_bytes, outstanding_);
    const std::size_t taken = part_of(std::min(bytes.size(), room), rules, random);
    short_write_ = taken < bytes.size();
    outstanding_ += taken;
    if (cut_) return taken;  // lost silently: the window stays used
    for (std::size_t at = 0; at < taken;) {
        const std::size_t piece = part_of(taken - at, rules, random);
        const auto* from = bytes.data() + at;
        under_way_.push_back({next_due(rules, now_ns, random), {from, from + piece}});
        at += piece;
    }
    return taken;
}

std::size_t Stream::read(std::span<std::byte> into, const LinkRules& rules, RandomStream& random) {
    const std::size_t taken = part_of(std::min(into.size(), arrived_.size()), rules, random);
    const auto end = arrived_.begin() + static_cast<std::ptrdiff_t>(taken);
    std::copy(arrived_.begin(), end, into.begin());
    arrived_.erase(arrived_.begin(), end);
    outstanding_ -= taken;
    return taken;
}

void Stream::end(Ending how, const LinkRules& rules, std::int64_t now_ns, RandomStream& random) {
    if (cut_ || end_ == Ending::reset) return;
    end_ = how;
    end_due_ns_ = how == Ending::orderly
                      ? next_due(rules, now_ns, random)
                      : now_ns + rules.least_delay_ns + random.below(rules.most_delay_ns);
}

void Stream::cut() {
    cut_ = true;
    under_way_.clear();
    if (arrived_end_ == Ending::none) end_ = Ending::none;
}

void Stream::lose_tail(RandomStream& random) {
    while (!under_way_.empty() && random.coin()) {
        outstanding_ -= under_way_.back().bytes.size();
        under_way_.pop_back();
    }
}

bool Stream::arrive(std::int64_t now_ns, RandomStream& random) {
    bool news = false;
    const auto all = [&](const Piece& piece) {
        arrived_.insert(arrived_.end(), piece.bytes.begin(), piece.bytes.end());
        news = true;
    };
    const bool ends = arrived_end_ != end_ && end_due_ns_ <= now_ns;
    while (!under_way_.empty() && under_way_.front().due_ns <= now_ns) {
        all(under_way_.front());
        under_way_.pop_front();
    }
    if (!ends) return news;
    // A reset discards data in transit, and sometimes data not yet read.
    for (const Piece& piece : under_way_) outstanding_ -= piece.bytes.size();
    under_way_.clear();
    if (end_ == Ending::reset && random.coin()) {
        outstanding_ -= arrived_.size();
        arrived_.clear();
    }
    arrived_end_ = end_;
    return true;
}

bool Stream::take_room_made(const LinkRules& rules) {
    if (!short_write_ || outstanding_ >= rules.window_bytes) return false;
    short_write_ = false;
    return true;
}

}  // namespace damrak::simulation
