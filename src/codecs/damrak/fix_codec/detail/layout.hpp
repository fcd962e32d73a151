// The layout of a message: the positions of its tags and delimiters, and bounds for each byte of a
// value. If a message has fields of the same lengths as an earlier one, a comparison with these
// bounds shows that its fields are at the same positions. If a dictionary has set bounds for
// values, the same pass shows that all values are valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/fix_codec/detail/byte_bounds.hpp>
#include <damrak/fix_codec/detail/field.hpp>

namespace damrak::fix_codec::detail {

class Layout {
  public:
    /// What the last compared message shares with the learnt one.
    enum class Fit : std::uint8_t {
        none,
        places,  ///< positions of tags and delimiters
        values,  ///< also, each byte of a value is within its bounds
    };

    void forget() {
        size_ = 0;
        forget_values();
    }
    void forget_values() {
        knows_values_ = false;
        fit_ = Fit::none;
    }

    /// `fields` are those of `message`. MsgType, the third, is part of the fixed bytes.
    void learn(std::span<const char> message, std::span<const Field> fields) {
        forget();
        if (message.size() > ByteBounds::k_maximum || message.size() < ByteBounds::k_minimum)
            return;
        for (std::size_t i = 0; i < message.size(); ++i) places_.set(i, message[i], message[i]);
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (i != 2)
                for (std::uint32_t at = 0; at < fields[i].length; ++at)
                    places_.set(fields[i].offset + at, k_delimiter + 1, '\xFF');
        size_ = message.size();
    }

    /// Whether to learn bounds of values from the last compared message: the first one, and again
    /// after many messages that exceeded the bounds.
    [[nodiscard]] bool wants_values() {
        constexpr unsigned k_patience = 64;
        return fit_ == Fit::places && (!knows_values_ || ++other_values_ >= k_patience);
    }
    /// From now on any values are valid, except where narrow() is called.
    void learn_values() {
        values_ = places_;
        knows_values_ = true;
        other_values_ = 0;
    }
    void narrow(std::size_t at, char lowest, char highest) { values_.set(at, lowest, highest); }

    /// True if tags and delimiters are at the learnt positions, and nowhere else; `sum` is then the
    /// sum of all bytes.
    [[nodiscard]] bool matches(std::span<const char> message, std::uint64_t& sum) {
        fit_ = Fit::none;
        if (message.size() != size_) return false;
        if (knows_values_ && values_.hold(message, sum))
            fit_ = Fit::values;
        else if (places_.hold(message, sum))
            fit_ = Fit::places;
        return fit_ != Fit::none;
    }
    [[nodiscard]] Fit fit() const { return fit_; }

  private:
    static constexpr char k_delimiter = '\x01';

    std::size_t size_ = 0;  ///< zero: nothing is learnt
    bool knows_values_ = false;
    Fit fit_ = Fit::none;
    unsigned other_values_ = 0;  ///< messages that exceeded the bounds of values
    ByteBounds places_;          ///< values: anything but delimiters; other bytes: one letter
    ByteBounds values_;          ///< the same, with values that a dictionary allows
};

}  // namespace damrak::fix_codec::detail
