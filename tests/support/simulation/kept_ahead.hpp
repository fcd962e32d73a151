// The sequencer of a simulated process, which is the journal's thread as well: the next segment is
// there before a command wants it.
#pragma once

#include <functional>

#include <damrak/sequencer/sequencer.hpp>

namespace damrak::simulation {

template <class Listener>
class KeptAhead : public sequencer::Sequencer<Listener> {
  public:
    using Base = sequencer::Sequencer<Listener>;
    using Base::Base;

    [[nodiscard]] bool submit(const Command& command, const Origin& origin, Timestamp now) {
        keep_ahead();
        return Base::submit(command, origin, now);
    }
    [[nodiscard]] bool do_work(Timestamp now) {
        keep_ahead();
        return Base::do_work(now);
    }
    std::function<void()> keep_ahead{};
};

}  // namespace damrak::simulation
