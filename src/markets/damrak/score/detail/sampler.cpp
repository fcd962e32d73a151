#include <damrak/score/detail/sampler.hpp>

#include <algorithm>
#include <utility>

#include <damrak/base/time_units.hpp>

namespace damrak::score::detail {
namespace {

constexpr double k_bp = 1e4;
constexpr std::int64_t k_minute_s = 60;
constexpr std::array<std::int64_t, 3> k_response_s{1, 10, 60};
constexpr std::size_t k_impact_horizon = 1;
/// The largest trade of each class but the last.
constexpr std::array<std::int64_t, 4> k_class_shares{99, 100, 300, 1'000};

double seconds_of(std::int64_t ns) { return static_cast<double>(ns) / k_second_ns; }

}  // namespace

Block& Sampler::block_at(std::int64_t time_ns) {
    const std::int64_t begin_ns = time_ns / block_ns_ * block_ns_;
    const auto [found, is_new] = blocks_.try_emplace(begin_ns);
    Block& block = found->second;
    if (!is_new) return block;
    block.begin_ns = begin_ns;
    for (const Feature& feature : features()) block.means[feature.id].resize(feature.points.size());
    return block;
}

void Sampler::on_second(std::int64_t second, const measures::Top& top,
                        const measures::Traded& traded) {
    const std::int64_t time_ns = second * k_second_ns;
    if (second % k_minute_s == 0) {
        if (volume_before_)
            block_at(time_ns - k_minute_s * k_second_ns)
                .values[Feature::volume]
                .push_back(static_cast<double>(traded.volume() - *volume_before_));
        volume_before_ = traded.volume();
    }
    if (!top.is_quoted() || top.mid() <= 0) {
        if (path_) path_->interrupt();
        return;
    }
    Block& block = block_at(time_ns);
    block.values[Feature::spread].push_back(k_bp * static_cast<double>(top.spread()) / top.mid());
    block.values[Feature::depth].push_back(
        static_cast<double>((top.bid_quantity + top.ask_quantity).value) / 2);
    block.values[Feature::imbalance].push_back(top.imbalance());
    if (&block != path_block_) {
        close_path();
        path_block_ = &block;
        path_.emplace(std::vector<std::size_t>{1, 2, 5, 10, 60});
        first_mid_ = top.mid();
    }
    path_->add(k_bp * top.mid() / first_mid_);
}

void Sampler::close_path() {
    if (path_block_ == nullptr) return;
    for (std::size_t i = 0; i < path_->horizons().size(); ++i) {
        const auto count = static_cast<double>(path_->differences(i).count());
        if (count > 0)
            path_block_->means[Feature::volatility][i] = {path_->variance_per_step(i) * count,
                                                          count};
    }
}

void Sampler::close_signs() {
    if (signs_block_ == nullptr) return;
    for (std::size_t i = 0; i < signs_->lags().size(); ++i)
        signs_block_->signs.push_back(signs_->of(i));
}

void Sampler::on_best_message(const measures::OrderMessage& message, const measures::Top& before) {
    Block& block = block_at(message.time.value);
    if (last_message_ns_ >= 0)
        block.values[Feature::interarrival].push_back(
            seconds_of(message.time.value - last_message_ns_));
    last_message_ns_ = message.time.value;
    const std::int64_t sign = message.side == Side::buy ? 1 : -1;
    using Kind = measures::OrderMessage::Kind;
    if (message.kind == Kind::added) {
        block.values[Feature::order_size].push_back(static_cast<double>(message.quantity.value));
        respond(Feature::order_response, message.time, sign, before);
    } else if (message.kind == Kind::reduced || message.kind == Kind::removed) {
        respond(Feature::cancel_response, message.time, -sign, before);
    }
}

void Sampler::on_cancelled(Timestamp entered, Timestamp time) {
    block_at(time.value)
        .values[Feature::time_to_cancel]
        .push_back(seconds_of((time - entered).value));
}

void Sampler::on_trade(const measures::PublicTrade& trade, const measures::Top& before) {
    Block& block = block_at(trade.time.value);
    if (&block != signs_block_) {
        close_signs();
        signs_block_ = &block;
        signs_.emplace(std::vector<std::size_t>{1, 2, 5, 10});
    }
    signs_->add(static_cast<double>(trade.sign()));
    respond(
        Feature::trade_response, trade.time, trade.sign(), before,
        static_cast<std::size_t>(std::ranges::lower_bound(k_class_shares, trade.quantity.value) -
                                 k_class_shares.begin()));
}

void Sampler::respond(Feature::Id feature, Timestamp time, std::int64_t sign,
                      const measures::Top& before, std::size_t size_class) {
    if (!before.has_both() || before.mid() <= 0) return;
    for (std::deque<Open>& open : open_)
        open.push_back({time, feature, static_cast<double>(sign), before.mid(), size_class});
}

void Sampler::on_stood(const measures::Top& top, Timestamp until) {
    for (std::size_t i = 0; i < open_.size(); ++i) {
        std::deque<Open>& open = open_[i];
        while (!open.empty() &&
               open.front().time.value + k_response_s[i] * k_second_ns <= until.value) {
            const Open& one = open.front();
            if (top.has_both()) {
                const double moved = k_bp * one.sign * (top.mid() - one.mid) / one.mid;
                auto& means = block_at(one.time.value).means;
                means[one.feature][i].add(moved);
                if (one.feature == Feature::trade_response && i == k_impact_horizon)
                    means[Feature::impact][one.size_class].add(moved);
            }
            open.pop_front();
        }
    }
}

std::vector<Block> Sampler::finish() {
    close_path();
    close_signs();
    std::vector<Block> blocks;
    for (auto& [begin_ns, block] : blocks_) blocks.push_back(std::move(block));
    return blocks;
}

}  // namespace damrak::score::detail
