// Divides a receive quota among several queues: each first gets an equal share, and unused shares
// go to the others. The first queue changes with each call, so that none starves behind a full one.
// XdpPath uses it in every receive; one or two calls of `take` per queue.
#pragma once

#include <algorithm>
#include <cstddef>

namespace damrak::net::detail {

class FairTurns {
  public:
    /// `take(i, at_most)` takes from queue `i` and returns how many. There is at least one queue.
    template <class Take>
    std::size_t share(std::size_t queues, std::size_t quota, Take&& take) {
        const std::size_t part = (quota + queues - 1) / queues;
        std::size_t done = pass(queues, quota, part, take);
        // Queues that used less than their share leave room for the others.
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
