// How several queues share what is taken at once: each first has an equal part, what some leave is
// for the others, and another queue begins each time, so that none starves behind a full one. Used
// by XdpPath in every receive; a call to `take` a queue, or two.
#pragma once

#include <algorithm>
#include <cstddef>

namespace damrak::net::detail {

class FairTurns {
  public:
    /// `take(i, at_most)` takes from queue `i` and returns how many there were. There is a queue.
    template <class Take>
    std::size_t share(std::size_t queues, std::size_t quota, Take&& take) {
        const std::size_t part = (quota + queues - 1) / queues;
        std::size_t done = pass(queues, quota, part, take);
        // Whoever had less than its part leaves room for those who have more.
        if (done > 0 && done < quota && part < quota)
            done += pass(queues, quota - done, quota - done, take);
        first_ = (first_ + 1) % queues;
        return done;
    }

  private:
    template <class Take>
    std::size_t pass(std::size_t queues, std::size_t quota, std::size_t part, Take&& take) const {
        std::size_t done = 0;
        for (std::size_t i = 0; i < queues && done < quota; ++i)
            done += take((first_ + i) % queues, std::min(part, quota - done));
        return done;
    }

    std::size_t first_ = 0;
};

}  // namespace damrak::net::detail
