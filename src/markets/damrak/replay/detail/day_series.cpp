#include <damrak/replay/detail/day_series.hpp>

#include <algorithm>

namespace damrak::replay {
namespace {

void join(Bucket& bucket, const Bucket& later) {
    bucket.bid.add(later.bid);
    bucket.ask.add(later.ask);
    bucket.spread.add(later.spread);
    bucket.bid_depth.add(later.bid_depth);
    bucket.ask_depth.add(later.ask_depth);
    bucket.bought.add(later.bought);
    bucket.sold.add(later.sold);
    bucket.has_bid = later.has_bid;
    bucket.has_ask = later.has_ask;
}

}  // namespace

void Extent::add(const Extent& later) {
    if (!later.seen) return;
    low = seen ? std::min(low, later.low) : later.low;
    high = seen ? std::max(high, later.high) : later.high;
    last = later.last;
    seen = true;
}

void DaySeries::on_top(std::int64_t time_ns, std::optional<Price> bid, std::optional<Price> ask) {
    Bucket& bucket = bucket_at(time_ns);
    if (bid) bucket.bid.add(bid->value);
    if (ask) bucket.ask.add(ask->value);
    if (bid && ask) bucket.spread.add((*ask - *bid).value);
    bucket.has_bid = bid.has_value();
    bucket.has_ask = ask.has_value();
}

bool DaySeries::wants_depth(std::int64_t time_ns) const { return time_ns >= depth_due_ns_; }

void DaySeries::on_depth(std::int64_t time_ns, Quantity bid, Quantity ask) {
    Bucket& bucket = bucket_at(time_ns);
    bucket.bid_depth.add(bid.value);
    bucket.ask_depth.add(ask.value);
    depth_due_ns_ = bucket.begin_ns + width_ns_;
}

void DaySeries::on_trade(std::int64_t time_ns, Price price, Side aggressor) {
    Bucket& bucket = bucket_at(time_ns);
    (aggressor == Side::buy ? bucket.bought : bucket.sold).add(price.value);
}

Bucket& DaySeries::bucket_at(std::int64_t time_ns) {
    if (buckets_.empty()) begin_ns_ = time_ns;
    end_ns_ = std::max(end_ns_, time_ns);
    if (!buckets_.empty() && time_ns < buckets_.back().begin_ns + width_ns_) return buckets_.back();
    while (buckets_.size() >= k_most_buckets) double_width();
    if (!buckets_.empty() && time_ns < buckets_.back().begin_ns + width_ns_) return buckets_.back();

    Bucket bucket;
    bucket.begin_ns = time_ns - time_ns % width_ns_;
    if (!buckets_.empty()) {
        bucket.has_bid = buckets_.back().has_bid;
        bucket.has_ask = buckets_.back().has_ask;
    }
    return buckets_.emplace_back(bucket);
}

void DaySeries::double_width() {
    width_ns_ *= 2;
    std::size_t kept = 0;
    for (const Bucket& bucket : buckets_) {
        const std::int64_t begin_ns = bucket.begin_ns - bucket.begin_ns % width_ns_;
        if (kept > 0 && buckets_[kept - 1].begin_ns == begin_ns) {
            join(buckets_[kept - 1], bucket);
        } else {
            buckets_[kept] = bucket;
            buckets_[kept++].begin_ns = begin_ns;
        }
    }
    buckets_.resize(kept);
}

}  // namespace damrak::replay
