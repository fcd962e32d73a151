// The pending requests of one user: their bytes, from which reports are made, and the tokens that
// they affect. In order of arrival, which is also the order of the journal's answers. One thread;
// allocates once, at the first request.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/domain/attachment.hpp>
#include <damrak/session/ouch/request.hpp>

namespace damrak::gateway::ouch::detail {

class OuchRequests {
  public:
    using Token = session::ouch::Token;
    /// At a time; further requests wait.
    static constexpr std::size_t k_most = 32;

    struct Asked {
        std::uint64_t number = 0;
        Token token{};
        Token replaces{};
        bool concerns_all = false;  ///< all requests of the user wait for its answer
        Attachment bytes;
    };

    [[nodiscard]] bool full() const { return count_ == k_most; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] Asked& add() {
        DAMRAK_ASSERT(!full());
        if (ring_.empty()) ring_.resize(k_most);
        Asked& asked = ring_[(first_ + count_++) % k_most];
        asked = {};
        return asked;
    }
    /// Null if it was answered or is not among these.
    [[nodiscard]] const Asked* find(std::uint64_t number) const {
        for (std::size_t i = 0; i < count_; ++i)
            if (const Asked& asked = ring_[(first_ + i) % k_most]; asked.number == number)
                return &asked;
        return nullptr;
    }
    /// Removes all up to this one: they were answered.
    void end(std::uint64_t number) {
        while (count_ > 0 && ring_[first_].number <= number) {
            first_ = (first_ + 1) % k_most;
            --count_;
        }
    }
    /// A pending request concerns the order with this token.
    [[nodiscard]] bool concerns(const Token& token) const {
        for (std::size_t i = 0; i < count_; ++i) {
            const Asked& asked = ring_[(first_ + i) % k_most];
            if (asked.concerns_all) return true;
            if (token == Token{}) continue;  // no token
            if (asked.token == token || asked.replaces == token) return true;
        }
        return false;
    }
    /// The highest reference of a pending 5.0 request; zero: none.
    [[nodiscard]] std::uint32_t highest_ref() const {
        std::uint32_t highest = 0;
        for (std::size_t i = 0; i < count_; ++i)
            highest = std::max(highest, session::ouch::ref_of(ring_[(first_ + i) % k_most].token));
        return highest;
    }

  private:
    std::vector<Asked> ring_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
};

}  // namespace damrak::gateway::ouch::detail
