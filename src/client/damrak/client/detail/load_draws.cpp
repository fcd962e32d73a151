#include <damrak/client/detail/load_draws.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace damrak::client {

LoadDraws::LoadDraws(const LoadSettings& settings, std::uint64_t number)
    : settings_(&settings),
      own_(mix_bits(settings.seed) ^ mix_bits(number)),
      common_(mix_bits(settings.seed)),
      deck_(settings.mix),
      middle_e2_(settings.mid_price_e2) {
    deck_[std::to_underlying(kind_)] -= 1;
}

void LoadDraws::take() {
    auto left = std::accumulate(deck_.begin(), deck_.end(), 0U);
    if (left == 0) {
        deck_ = settings_->mix;
        left = std::accumulate(deck_.begin(), deck_.end(), 0U);
    }
    std::uint32_t drawn = own_.below(left);
    std::uint8_t kind = 0;
    while (drawn >= deck_[kind]) drawn -= deck_[kind++];
    deck_[kind] -= 1;
    kind_ = RequestKind{kind};
}

LoadDraws::Terms LoadDraws::new_order() { return modify(own_.coin() ? k_sell : k_buy); }

LoadDraws::Terms LoadDraws::modify(std::uint8_t side) {
    if (settings_->prices == PriceModel::walk) move_middle();
    return {side, price(side), 1 + own_.below(settings_->maximum_quantity)};
}

std::uint32_t LoadDraws::price(std::uint8_t side) {
    const std::uint32_t range = settings_->price_range_e2;
    std::int64_t price_e2 = middle_e2_;
    if (settings_->aggressive_percent) {
        const bool beyond = own_.below(100) < *settings_->aggressive_percent;
        const std::int64_t distance = std::int64_t{1} + own_.below(std::max(range, 1U));
        price_e2 += beyond == (side == k_buy) ? distance : -distance;
    } else {
        price_e2 += std::int64_t{own_.below(2 * range + 1)} - range;
    }
    return static_cast<std::uint32_t>(std::max<std::int64_t>(1, price_e2));
}

// The middle turns back at a quarter of the price from its start.
void LoadDraws::move_middle() {
    const std::int64_t begin_e2 = settings_->mid_price_e2;
    const std::int64_t step = common_.coin() ? 1 : -1;
    const std::int64_t next = middle_e2_ + step;
    middle_e2_ = std::abs(next - begin_e2) * 4 > begin_e2 ? middle_e2_ - step : next;
}

}  // namespace damrak::client
