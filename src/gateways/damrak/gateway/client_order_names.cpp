#include <damrak/gateway/client_order_names.hpp>

#include <damrak/base/wide_integer.hpp>

namespace damrak::gateway {

namespace {

// Hash of the characters of a long name after its first 20.
std::uint64_t mixed(std::string_view rest) {
    std::uint64_t sum = 0;
    while (!rest.empty()) {
        std::uint64_t word = 0;
        const std::size_t bytes = std::min(rest.size(), sizeof word);
        std::memcpy(&word, rest.data(), bytes);
        sum = mix(sum ^ word ^ 0xE7037ED1A0B428DBU, 0x8EBC6AF09C88C6E3U);
        rest.remove_prefix(bytes);
    }
    return sum;
}

}  // namespace

// Names that differ only in their last character get adjacent table places: many clients count up.
std::uint32_t ClientOrderNames::tag_of(ParticipantId participant, const ShortName& name,
                                       std::uint64_t rest) {
    static_assert(ShortName::k_length == 20);
    std::uint64_t front = 0;
    std::uint64_t middle = 0;
    std::uint32_t end_of_name = 0;
    std::memcpy(&front, name.characters.data(), 8);
    std::memcpy(&middle, name.characters.data() + 8, 8);
    // Read in its own width: a read wider than the preceding store stalls the processor until the
    // store is done.
    std::memcpy(&end_of_name, name.characters.data() + 16, 4);
    std::uint64_t back = end_of_name;
    // Finds the last character, which zeros follow, and takes it out of the hash.
    std::uint64_t& end = back != 0 ? back : middle != 0 ? middle : front;
    const unsigned shift = (63U - static_cast<unsigned>(std::countl_zero(end | 1U))) & ~7U;
    const std::uint64_t last = end >> shift;
    end ^= last << shift;
    const std::uint64_t one = mix(front ^ 0x9E3779B97F4A7C15U, participant.value | 1ULL << 40U);
    const std::uint64_t two = mix(middle ^ 0xC2B2AE3D27D4EB4FU, back ^ 0x165667B19E3779F9U);
    const std::uint64_t place = mix(one ^ 0xD6E8FEB86659FD93U, two ^ rest ^ 0xA0761D6478BD642FU);
    // The lower four bits distinguish digits.
    constexpr std::uint64_t k_row = 15;
    return static_cast<std::uint32_t>((place & ~k_row) | (last & k_row));
}

std::uint32_t ClientOrderNames::tag_of(ParticipantId participant, std::string_view name) {
    const bool is_long = name.size() > ShortName::k_length;
    return tag_of(participant, ShortName::of(name),
                  is_long ? mixed(name.substr(ShortName::k_length)) : 0);
}

std::uint32_t ClientOrderNames::add(ParticipantId participant, std::string_view name,
                                    std::uint32_t order) {
    const std::uint32_t index = pool_.take();
    const bool is_long = name.size() > ShortName::k_length;
    names_[index] = {.begin = ShortName::of(name),
                     .participant = participant,
                     .order = order,
                     .length = is_long ? static_cast<std::uint32_t>(name.size()) : 0U};
    if (is_long) std::ranges::copy(name, long_names_[index].begin());
    map_.insert(tag_of(participant, name), index);
    return index;
}

std::uint32_t ClientOrderNames::find(ParticipantId participant, std::string_view name) const {
    if (pool_.used() == 0) return 0;
    const ShortName begin = ShortName::of(name);
    const bool is_long = name.size() > ShortName::k_length;
    const std::uint64_t rest = is_long ? mixed(name.substr(ShortName::k_length)) : 0;
    return map_.find(tag_of(participant, begin, rest), [&](std::uint32_t i) {
        const Name& one = names_[i];
        return one.participant == participant && one.begin == begin &&
               (is_long ? text(i) == name : !one.is_long());
    });
}

// A free index still holds its old name, but a look-up of that name does not return it.
std::uint32_t ClientOrderNames::forget_parted() {
    std::uint32_t forgotten = 0;
    for (std::uint32_t i = 1; i <= pool_.highest(); ++i) {
        if (names_[i].order != 0 || find(names_[i].participant, text(i)) != i) continue;
        forget(i);
        ++forgotten;
    }
    return forgotten;
}

}  // namespace damrak::gateway
