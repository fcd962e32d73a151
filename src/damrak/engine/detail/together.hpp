// Several engines together doing what one would: see shares.hpp.
#pragma once

#include <damrak/engine/engine.hpp>

namespace damrak {

// For the length of the command, the pools are smaller by what others use of them, and the
// participant has open what it has elsewhere.
inline void Engine::lend(const Elsewhere& elsewhere, ParticipantId participant) {
    store_.order_pool.withhold(elsewhere.used.orders);
    store_.extension_pool.withhold(elsewhere.used.extensions);
    store_.level_pool.withhold(elsewhere.used.levels);
    store_.nodes.withhold(elsewhere.used.nodes);
    accounts_.withhold(elsewhere.used.accounts);
    // Of a participant that does not exist nothing is open anywhere.
    if (accounts_.is_valid(participant))
        accounts_.participant(participant).count_in(elsewhere.open);
    lent_ = {.elsewhere = elsewhere, .participant = participant};
}

inline void Engine::take_back() {
    const PoolPlaces& used = lent_->elsewhere.used;
    store_.order_pool.restore(used.orders);
    store_.extension_pool.restore(used.extensions);
    store_.level_pool.restore(used.levels);
    store_.nodes.restore(used.nodes);
    accounts_.restore(used.accounts);
    if (accounts_.is_valid(lent_->participant))
        accounts_.participant(lent_->participant).count_out(lent_->elsewhere.open);
    lent_.reset();
}

}  // namespace damrak
