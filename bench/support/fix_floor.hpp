// The least that sending a FIX order can cost: the message lies ready, its changing digits are
// written over at fixed places, it is added up and copied once to memory that is present. It keeps
// nothing that could be found again. What the encoder and its store are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <damrak/base/assert.hpp>
#include <damrak/fix_codec/checksum.hpp>
#include <damrak/fix_codec/encode.hpp>

#include "support/fix_order.hpp"

namespace damrak::bench {

class FixFloor {
  public:
    /// `memory` is where messages are copied to, one behind the other, and around again.
    explicit FixFloor(std::span<char> memory) : memory_(memory) {
        fix_codec::TimestampCache times;
        std::string room(1'024, '\0');
        // All digits that may be needed: seven of the sequence, three of the quantity, eight of the
        // price with its point.
        FixOrder widest{1'000'000};
        widest.quantity = 100;
        widest.price_cents = 1'000'011;
        const auto made = encode(fix_order_template(), widest, room, times);
        message_.assign(made.begin(), made.end());
        sequence_ = place_of("34=");
        sending_time_ = place_of("52=") + k_before_nanoseconds;
        client_id_ = place_of("11=");
        quantity_ = place_of("38=");
        price_ = place_of("44=");
        transact_time_ = place_of("60=") + k_before_nanoseconds;
    }

    [[nodiscard]] std::span<const char> send(const FixOrder& order) {
        // The seconds stand still: the orders of a run are less than two seconds apart.
        write<7>(sequence_, order.sequence);
        write<7>(client_id_, order.sequence);
        write<3>(quantity_, order.quantity);
        const auto price = static_cast<std::uint64_t>(order.price_cents);
        write<5>(price_, price / 100);
        write<2>(price_ + 6, price % 100);
        write_nanoseconds(sending_time_, order.sending_time);
        write_nanoseconds(transact_time_, order.transact_time);
        const std::size_t summed = message_.size() - fix_codec::detail::k_check_sum_bytes;
        write<3>(summed + 3, fix_codec::checksum(std::span{message_}.first(summed)));
        if (memory_.size() - at_ < message_.size()) at_ = 0;
        std::memcpy(memory_.data() + at_, message_.data(), message_.size());
        at_ += message_.size();
        return memory_.subspan(at_ - message_.size(), message_.size());
    }

  private:
    static constexpr std::size_t k_before_nanoseconds = 18;  // "20251231-18:21:36."

    [[nodiscard]] std::size_t place_of(const char* tag) const {
        const std::size_t at = message_.find(std::string{fix_codec::k_field_end} + tag);
        DAMRAK_ASSERT(at != std::string::npos);
        return at + 1 + std::strlen(tag);
    }

    template <std::size_t digits>
    void write(std::size_t place, std::uint64_t value) {
        const std::uint64_t text = eight_digits(static_cast<std::uint32_t>(value)) | k_zeros_text;
        const std::uint64_t last = text >> 8 * (8 - digits);
        std::memcpy(message_.data() + place, &last, digits);
    }
    void write_nanoseconds(std::size_t place, Timestamp time) {
        const auto within = static_cast<std::uint64_t>(time.value) % 1'000'000'000;
        write<1>(place, within / 100'000'000);
        write<8>(place + 1, within % 100'000'000);
    }

    std::string message_;
    std::span<char> memory_;
    std::size_t at_ = 0;
    std::size_t sequence_;
    std::size_t sending_time_;
    std::size_t client_id_;
    std::size_t quantity_;
    std::size_t price_;
    std::size_t transact_time_;
};

}  // namespace damrak::bench
