// A message byte by byte: where its tags and delimiters stand, and between what bounds each byte of
// a value lies. A message whose fields are all as long as those of one before it is compared with
// these bounds, and has its fields where that one had them. With the bounds that a dictionary has
// set for values, the same pass tells that all of them are right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/fix_codec/detail/byte_bounds.hpp>
#include <damrak/fix_codec/field.hpp>

namespace damrak::fix_codec::detail {

class Layout {
  public:
    /// What the message that was compared last has in common with the one that was learnt.
    enum class Fit : std::uint8_t {
        none,
        places,  ///< of tags and delimiters
        values,  ///< and each byte of a value lies within its bounds
    };

    void forget() {
        size_ = 0;
        forget_values();
    }
    void forget_values() {
        knows_values_ = false;
        fit_ = Fit::none;
    }

    /// `fields` are those of `message`. MsgType, the third, belongs to what stands fast.
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

    /// The message that was compared last is one to learn bounds of values from: the first one, and
    /// another one after many that did not keep within them.
    [[nodiscard]] bool wants_values() {
        constexpr unsigned k_patience = 64;
        return fit_ == Fit::places && (!knows_values_ || ++other_values_ >= k_patience);
    }
    /// Any values are right from here on, but for those that are narrowed down.
    void learn_values() {
        values_ = places_;
        knows_values_ = true;
        other_values_ = 0;
    }
    void narrow(std::size_t at, char lowest, char highest) { values_.set(at, lowest, highest); }

    /// True if tags and delimiters stand where they stood, and nowhere else; `sum` is then that of
    /// all bytes.
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

    std::size_t size_ = 0;  ///< none: nothing is remembered
    bool knows_values_ = false;
    Fit fit_ = Fit::none;
    unsigned other_values_ = 0;  ///< messages that did not keep within the bounds of values
    ByteBounds places_;          ///< anything but delimiters where values are, and else one letter
    ByteBounds values_;          ///< of these, what a dictionary finds right
};

}  // namespace damrak::fix_codec::detail
