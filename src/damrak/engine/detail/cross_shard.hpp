// Several engines together doing what one would: see cross_shard.hpp.
#pragma once

#include <damrak/engine/engine.hpp>

namespace damrak {

// For the length of the command, the pools are smaller by what others use of them, and the
// participant has open what it has others.
inline void Engine::lend(const OtherShards& others, ParticipantId participant) {
    store_.order_pool.withhold(others.used.orders);
    store_.extension_pool.withhold(others.used.extensions);
    store_.level_pool.withhold(others.used.levels);
    store_.nodes.withhold(others.used.nodes);
    accounts_.withhold(others.used.accounts);
    // Of a participant that does not exist nothing is open anywhere.
    if (accounts_.is_valid(participant)) accounts_.participant(participant).count_in(others.open);
    lent_ = {.others = others, .participant = participant};
}

inline void Engine::take_back() {
    const PoolPlaces& used = lent_->others.used;
    store_.order_pool.restore(used.orders);
    store_.extension_pool.restore(used.extensions);
    store_.level_pool.restore(used.levels);
    store_.nodes.restore(used.nodes);
    accounts_.restore(used.accounts);
    if (accounts_.is_valid(lent_->participant))
        accounts_.participant(lent_->participant).count_out(lent_->others.open);
    lent_.reset();
}

}  // namespace damrak
