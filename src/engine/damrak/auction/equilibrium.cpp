#include <damrak/auction/equilibrium.hpp>

#include <algorithm>

namespace damrak::auction {

namespace {

// The valid price in a range that is nearest to a midpoint. The ends of the range are valid.
Price nearest_within(PriceRange range, const Midpoint& midpoint, const PriceTerms& terms) {
    const std::int64_t twice = midpoint.low.value + midpoint.high.value;
    if (twice <= 2 * range.low.value) return range.low;
    if (twice >= 2 * range.high.value) return range.high;
    const Price below =
        terms.ticks->rounded(Price{quotient(twice, 2, Rounding::down)}, Rounding::down);
    const Price above = terms.ticks->rounded(Price{quotient(twice, 2, Rounding::up)}, Rounding::up);
    const std::int64_t nearer = midpoint.twice_distance(above) - midpoint.twice_distance(below);
    if (nearer == 0) return terms.prefer_higher ? above : below;
    return nearer < 0 ? above : below;
}

// The prices that are best so far, by executable quantity, then by surplus. They are neighbours, as
// demand only falls and supply only rises with the price.
class TiedPrices {
  public:
    explicit TiedPrices(const PriceTerms& terms) : terms_(&terms) {}

    // Prices with the same demand and supply, offered in ascending order; both ends are valid.
    void offer(PriceRange prices, const CurvePoint& point, bool at_bid, bool at_ask) {
        const std::int64_t executable = point.executable().value;
        const std::int64_t surplus = point.surplus().value;
        const std::int64_t size = surplus < 0 ? -surplus : surplus;
        if (executable < executable_) return;
        if (executable > executable_ || size < size_) {
            *this = TiedPrices(*terms_);
            executable_ = executable;
            size_ = size;
            low_ = prices.low;
        } else if (size > size_) {
            return;
        }
        high_ = prices.high;
        if (surplus > 0) {
            buyers_left_ = prices.high;
            bid_left_ = at_bid;
        }
        if (surplus < 0 && !sellers_left_) {
            sellers_left_ = prices.low;
            ask_left_ = at_ask;
        }
        if (terms_->reference) keep_nearest(nearest_within(prices, *terms_->reference, *terms_));
    }

    [[nodiscard]] std::optional<Price> choose() const {
        if (executable_ == 0) return std::nullopt;
        switch (terms_->rule) {
            case PriceRule::xetra:
                return under_pressure().value_or(nearest(between(), terms_->reference));
            case PriceRule::euronext:
                return nearest_tied();
            case PriceRule::lse:
                return under_pressure().value_or(nearest_tied());
            case PriceRule::nasdaq:
                return left_unexecuted().value_or(nearest({low_, high_}, terms_->reference));
            case PriceRule::frequent_batch:
                break;
        }
        const PriceRange range = between();
        return under_pressure().value_or(nearest(range, Midpoint{range.low, range.high}));
    }

  private:
    // Where the surplus is on one side at all tied prices, it pushes to the end.
    [[nodiscard]] std::optional<Price> under_pressure() const {
        if (size_ == 0 || (buyers_left_ && sellers_left_)) return std::nullopt;
        return buyers_left_ ? high_ : low_;
    }
    // From the highest price that leaves buyers to the lowest that leaves sellers; without a
    // surplus, all tied prices.
    [[nodiscard]] PriceRange between() const {
        return {buyers_left_.value_or(low_), sellers_left_.value_or(high_)};
    }
    // The limit of an order that is not executed whole although the price is its limit.
    [[nodiscard]] std::optional<Price> left_unexecuted() const {
        const std::optional<Price> bid = bid_left_ ? buyers_left_ : std::nullopt;
        const std::optional<Price> ask = ask_left_ ? sellers_left_ : std::nullopt;
        if (!bid || !ask) return bid ? bid : ask;
        return nearest_of(*bid, *ask);
    }
    [[nodiscard]] Price nearest_of(Price low, Price high) const {
        const std::int64_t nearer = terms_->reference ? terms_->reference->twice_distance(high) -
                                                            terms_->reference->twice_distance(low)
                                                      : 0;
        if (nearer == 0) return terms_->prefer_higher ? high : low;
        return nearer < 0 ? high : low;
    }
    [[nodiscard]] Price nearest(PriceRange range, const std::optional<Midpoint>& to) const {
        if (!to) return terms_->prefer_higher ? range.high : range.low;
        return nearest_within(range, *to, *terms_);
    }
    [[nodiscard]] Price nearest_tied() const {
        return nearest_.value_or(terms_->prefer_higher ? high_ : low_);
    }
    void keep_nearest(Price price) { nearest_ = nearest_ ? nearest_of(*nearest_, price) : price; }

    const PriceTerms* terms_;
    std::int64_t executable_ = 0;
    std::int64_t size_ = 0;  // of the surplus
    Price low_{};
    Price high_{};
    std::optional<Price> nearest_;       // to the reference
    std::optional<Price> buyers_left_;   // the highest tied price that leaves buyers over
    std::optional<Price> sellers_left_;  // the lowest tied price that leaves sellers over
    bool bid_left_ = false;              // whether a buyer's limit is buyers_left_
    bool ask_left_ = false;              // whether a seller's limit is sellers_left_
};

// Offers the valid prices between the limit of the walk and the next one.
void offer_gap(TiedPrices& tied, const CurveWalk& walk, PriceRange range, const TickTable& ticks) {
    if (walk.has_next()) range.high = std::min(range.high, walk.next_price() - Price{1});
    range = {ticks.rounded(range.low, Rounding::up), ticks.rounded(range.high, Rounding::down)};
    if (range.low <= range.high) tied.offer(range, walk.gap(), false, false);
}

// Without a limit in the range there is nothing to compare: the price is the reference.
std::optional<Price> price_of_market_orders(const CallBook& book, const PriceTerms& terms,
                                            PriceRange range) {
    const bool executable = book.market_buys.value > 0 && book.market_sells.value > 0;
    if (!executable || !terms.reference || terms.rule == PriceRule::nasdaq) return std::nullopt;
    const Price price = nearest_within(k_any_price, *terms.reference, terms);
    return range.contains(price) ? std::optional{price} : std::nullopt;
}

std::optional<Price> best_price(const CallBook& book, const PriceTerms& terms, PriceRange range) {
    if (book.bids.empty() && book.asks.empty()) return price_of_market_orders(book, terms, range);
    const bool every_tick = terms.rule == PriceRule::nasdaq && terms.reference;
    TiedPrices tied(terms);
    CurveWalk walk(book);
    if (every_tick) offer_gap(tied, walk, range, *terms.ticks);
    while (walk.next()) {
        const Price limit = walk.point().price;
        if (range.contains(limit))
            tied.offer({limit, limit}, walk.point(), walk.at_bid(), walk.at_ask());
        const PriceRange above{std::max(range.low, limit + Price{1}), range.high};
        if (every_tick) offer_gap(tied, walk, above, *terms.ticks);
    }
    const std::optional<Price> chosen = tied.choose();
    return chosen ? chosen : price_of_market_orders(book, terms, range);
}

}  // namespace

Equilibrium equilibrium_within(const CallBook& book, const PriceTerms& terms, PriceRange range) {
    const std::optional<Price> price = best_price(book, terms, range);
    if (!price) return {};
    const CurvePoint point = curve_at(book, *price);
    return {price, point.executable(), point.surplus()};
}

Equilibrium equilibrium(const CallBook& book, const PriceTerms& terms) {
    const Equilibrium free = equilibrium_within(book, terms, k_any_price);
    if (!free.price || terms.threshold.contains(*free.price)) return free;
    return equilibrium_within(book, terms, terms.threshold);
}

}  // namespace damrak::auction
