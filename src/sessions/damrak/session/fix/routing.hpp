// Header fields that route a message beyond the two sides of the session (third parties, desks,
// locations), and their reversal in an answer. FIX requires it: the answer to a message on behalf
// of a party is delivered to that party. Views into the request; an application that answers later
// copies them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <damrak/fix_codec/message.hpp>

namespace damrak::session::fix {

class Routing {
  public:
    /// A field of the answer, and the one of the request that gives its value.
    struct Pair {
        fix_codec::Tag ours;    ///< in the answer
        fix_codec::Tag theirs;  ///< in the request
    };
    /// By `ours`; those from k_first_located on were introduced by FIX.4.1.
    static constexpr std::array k_pairs{
        Pair{fix_codec::tag::sender_sub_id, fix_codec::tag::target_sub_id},
        Pair{fix_codec::tag::target_sub_id, fix_codec::tag::sender_sub_id},
        Pair{fix_codec::tag::on_behalf_of_comp_id, fix_codec::tag::deliver_to_comp_id},
        Pair{fix_codec::tag::on_behalf_of_sub_id, fix_codec::tag::deliver_to_sub_id},
        Pair{fix_codec::tag::deliver_to_comp_id, fix_codec::tag::on_behalf_of_comp_id},
        Pair{fix_codec::tag::deliver_to_sub_id, fix_codec::tag::on_behalf_of_sub_id},
        Pair{fix_codec::tag::sender_location_id, fix_codec::tag::target_location_id},
        Pair{fix_codec::tag::target_location_id, fix_codec::tag::sender_location_id},
        Pair{fix_codec::tag::on_behalf_of_location_id, fix_codec::tag::deliver_to_location_id},
        Pair{fix_codec::tag::deliver_to_location_id, fix_codec::tag::on_behalf_of_location_id}};
    static constexpr std::size_t k_sender_sub_id = 0;
    static constexpr std::size_t k_target_sub_id = 1;
    static constexpr std::size_t k_first_after_ids = 2;
    static constexpr std::size_t k_on_behalf_of_comp_id = 2;
    static constexpr std::size_t k_first_deliver = 4;  ///< tags above OrigSendingTime
    static constexpr std::size_t k_first_located = 6;

    Routing() = default;
    /// Routing of an answer to `message`.
    [[nodiscard]] static Routing reversed(const fix_codec::Message& message) {
        Routing routing;
        const std::size_t count = message.begin_string() == fix_codec::BeginString::fix40
                                      ? k_first_located
                                      : k_pairs.size();
        for (std::size_t i = 0; i < count; ++i)
            routing.set(i, message.text_or_empty(k_pairs[i].theirs));
        return routing;
    }

    void set(std::size_t i, std::string_view value) {
        values_[i] = value;
        any_ = any_ || !value.empty();
    }
    [[nodiscard]] std::string_view operator[](std::size_t i) const { return values_[i]; }
    [[nodiscard]] bool empty() const { return !any_; }

  private:
    std::array<std::string_view, k_pairs.size()> values_{};
    bool any_ = false;
};

}  // namespace damrak::session::fix
