#include <damrak/book/order_id_map.hpp>

namespace damrak {

void OrderIdMap::insert_beyond(Key key, std::uint32_t index) {
    std::uint32_t at = key.bucket;
    do {
        ++buckets_[at].passed_over();
        at = next(at);
    } while (!try_insert(buckets_[at], key.tag, index));
}

void OrderIdMap::erase_beyond(Key key, std::uint32_t index) {
    std::uint32_t at = key.bucket;
    do {
        DAMRAK_ASSERT(buckets_[at].passed_over() > 0);
        --buckets_[at].passed_over();
        at = next(at);
    } while (!try_erase(buckets_[at], index));
}

}  // namespace damrak
