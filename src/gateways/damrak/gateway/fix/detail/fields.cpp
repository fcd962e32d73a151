#include <damrak/gateway/fix/detail/fields.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::Tag;

constexpr std::size_t k_tags = 1'536;
constexpr Tag k_first_user_defined = 5'000;
using Uses = std::array<FieldUse, k_tags>;

struct Range {
    Tag first;
    Tag last;
};

constexpr void put(Uses& uses, FieldUse use, std::initializer_list<Tag> tags) {
    for (const Tag tag : tags) uses[tag] = use;
}
constexpr void put(Uses& uses, FieldUse use, std::initializer_list<Range> ranges) {
    for (const Range& range : ranges)
        for (Tag tag = range.first; tag <= range.last; ++tag) uses[tag] = use;
}

// Header and trailer: the session's.
constexpr void put_envelope(Uses& uses) {
    put(uses, FieldUse::ignored,
        std::initializer_list<Tag>{8,   9,   10,  34,  35,  43,  49,   52,   56,
                                   89,  90,  91,  93,  97,  122, 212,  213,  347,
                                   369, 370, 627, 628, 629, 630, 1128, 1129, 1156});
    put(uses, FieldUse::routing,
        std::initializer_list<Tag>{50, 57, 115, 116, 128, 129, 142, 143, 144, 145});
}

// What describes an instrument, its underlyings included, that Symbol or SecurityID names. What
// stands for another instrument (SymbolSfx) is not among them.
constexpr void put_description(Uses& uses) {
    put(uses, FieldUse::ignored,
        std::initializer_list<Range>{
            {106, 107},   {200, 202},   {205, 207},   {223, 228},   {239, 247},   {255, 256},
            {305, 318},   {348, 351},   {362, 365},   {435, 436},   {454, 463},   {470, 472},
            {541, 543},   {592, 595},   {762, 763},   {864, 868},   {873, 889},   {941, 941},
            {947, 947},   {965, 975},   {996, 998},   {1000, 1000}, {1018, 1019}, {1038, 1039},
            {1044, 1046}, {1049, 1054}, {1058, 1064}, {1079, 1079}, {1145, 1147}, {1151, 1151},
            {1184, 1186}, {1191, 1200}, {1213, 1213}, {1227, 1227}, {1242, 1242}, {1244, 1244},
            {1419, 1419}, {1423, 1425}, {1435, 1435}, {1437, 1437}, {1439, 1439}, {1441, 1441},
            {1449, 1460}, {1478, 1496}});
    put(uses, FieldUse::ignored, std::initializer_list<Tag>{167, 231, 667, 691, 711, 810});
}

// Who sends it, and what is to be done with it after the trade or in the client's own books.
constexpr void put_clerical(Uses& uses) {
    put(uses, FieldUse::ignored,
        std::initializer_list<Tag>{
            12,  13,  21,  23,   60,   63,   64,   66,   70,   75,   78,   79,   80,  81,
            100, 114, 117, 118,  120,  121,  140,  203,  204,  229,  354,  355,  376, 377,
            427, 439, 440, 467,  479,  480,  481,  494,  497,  513,  524,  525,  529, 538,
            539, 544, 545, 586,  589,  590,  591,  635,  661,  736,  768,  769,  770, 771,
            775, 804, 805, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035, 1091, 1133});
}

// What reports have as it was sent.
constexpr std::initializer_list<Tag> k_repeated{1,   15,  22,  47,  48,  58,  76,  77,
                                                109, 447, 448, 452, 453, 523, 526, 528,
                                                581, 582, 583, 660, 802, 803};

// The instrument, the order and its side.
constexpr std::initializer_list<Tag> k_names{11, 22, 37, 41, 48, 54, 55};

// What an order follows, and how far from it.
constexpr std::initializer_list<Tag> k_pegs{18, 211, 835, 836, 1094};

constexpr Uses order_uses(bool replaces) {
    Uses uses{};
    put_envelope(uses);
    put_description(uses);
    put_clerical(uses);
    put(uses, FieldUse::repeated, k_repeated);
    put(uses, FieldUse::honoured,
        std::initializer_list<Tag>{11, 38, 40, 44, 54, 55, 59, 99, 110, 111, 126, 423, 432, 465,
                                   854, 1084, 1138});
    put(uses, FieldUse::told, k_pegs);
    if (replaces) put(uses, FieldUse::honoured, std::initializer_list<Tag>{37, 41});
    return uses;
}

// Also nothing else has an effect on most orders.
constexpr Uses new_order_uses() {
    Uses uses = order_uses(false);
    put(uses, FieldUse::basic, std::initializer_list<Tag>{11, 38, 40, 44, 54, 55, 59});
    return uses;
}

// An order of a list, and the list. What would delay it or belongs to a bid is refused.
constexpr Uses list_uses() {
    Uses uses = order_uses(false);
    put(uses, FieldUse::repeated, std::initializer_list<Tag>{66});
    put(uses, FieldUse::ignored, std::initializer_list<Tag>{67, 69, 352, 353, 394, 414, 415});
    put(uses, FieldUse::honoured, std::initializer_list<Tag>{68, 73, 433, 893, 1385});
    return uses;
}

// The order is named; what else is said of it is not needed.
constexpr Uses cancel_uses() {
    Uses uses{};
    uses.fill(FieldUse::ignored);
    put_envelope(uses);
    put(uses, FieldUse::honoured, k_names);
    put(uses, FieldUse::honoured, std::initializer_list<Tag>{125});
    return uses;
}
constexpr Uses status_uses() {
    Uses uses{};
    uses.fill(FieldUse::ignored);
    put_envelope(uses);
    put(uses, FieldUse::honoured, k_names);
    put(uses, FieldUse::honoured, std::initializer_list<Tag>{790});
    return uses;
}

// Of many orders: what would narrow the choice further is refused.
constexpr Uses mass_uses(std::initializer_list<Tag> honoured) {
    Uses uses{};
    put_envelope(uses);
    put_description(uses);
    put(uses, FieldUse::ignored, std::initializer_list<Tag>{58, 60, 354, 355, 526});
    put(uses, FieldUse::honoured, std::initializer_list<Tag>{22, 48, 54, 55});
    put(uses, FieldUse::honoured, honoured);
    // Underlyings choose here.
    put(uses, FieldUse::refused,
        std::initializer_list<Range>{{305, 318}, {457, 459}, {462, 463}, {711, 711}});
    return uses;
}

// An entry is one instrument; what would limit its life or change its meaning is refused.
constexpr Uses quote_uses(std::initializer_list<Tag> honoured) {
    Uses uses{};
    put_envelope(uses);
    put_description(uses);
    put_clerical(uses);
    put(uses, FieldUse::ignored, k_repeated);
    put(uses, FieldUse::ignored,
        std::initializer_list<Tag>{131, 301, 304, 311, 336, 581, 625, 893});
    put(uses, FieldUse::honoured, std::initializer_list<Tag>{22, 48, 55, 117, 295});
    put(uses, FieldUse::honoured, honoured);
    return uses;
}

constexpr Uses k_new_order = new_order_uses();
constexpr Uses k_order_list = list_uses();
constexpr Uses k_replace = order_uses(true);
constexpr Uses k_cancel = cancel_uses();
constexpr Uses k_status = status_uses();
constexpr Uses k_mass_cancel = mass_uses({11, 530});
constexpr Uses k_mass_status = mass_uses({584, 585});
constexpr Uses k_mass_quote = quote_uses({132, 133, 134, 135, 293, 294, 296, 299, 302, 537});
constexpr Uses k_quote_cancel = quote_uses({298});

constexpr const Uses& uses_of(char request) {
    switch (request) {
        case 'D':
            return k_new_order;
        case 'E':
            return k_order_list;
        case 'G':
            return k_replace;
        case 'F':
            return k_cancel;
        case 'H':
            return k_status;
        case 'q':
            return k_mass_cancel;
        case 'i':
            return k_mass_quote;
        case 'Z':
            return k_quote_cancel;
        default:
            return k_mass_status;
    }
}

FieldUse use_in(const Uses& uses, Tag tag) {
    if (tag < k_tags) [[likely]]
        return uses[tag];
    return tag < k_first_user_defined ? FieldUse::refused : FieldUse::ignored;
}

}  // namespace

FieldUse use_of(char request, Tag tag) { return use_in(uses_of(request), tag); }

bool is_told(char request, Tag tag, std::string_view value) {
    constexpr Tag k_exec_inst = 18;
    constexpr std::string_view k_followers = "MPRa";
    const FieldUse use = use_of(request, tag);
    if (use != FieldUse::told) return use == FieldUse::repeated;
    return tag != k_exec_inst || value.find_first_of(k_followers) != std::string_view::npos;
}

FieldsFound look_at_fields(const fix_codec::Message& message, char request) {
    const Uses& uses = uses_of(request);
    const auto bit = [](FieldUse use) { return 1U << static_cast<unsigned>(use); };
    unsigned seen = 0;
    for (const fix_codec::Field& field : message.fields()) seen |= bit(use_in(uses, field.tag));
    FieldsFound found{.refused = {},
                      .to_keep = (seen & (bit(FieldUse::repeated) | bit(FieldUse::routing))) != 0,
                      .is_basic = (seen & (bit(FieldUse::honoured) | bit(FieldUse::told))) == 0};
    if ((seen & (bit(FieldUse::refused) | bit(FieldUse::told))) == 0) [[likely]]
        return found;
    for (const fix_codec::Field& field : message.fields()) {
        const FieldUse use = use_in(uses, field.tag);
        if (use == FieldUse::told)
            found.to_keep |= is_told(request, field.tag, message.value(field));
        if (use == FieldUse::refused && !found.refused) found.refused = field.tag;
    }
    return found;
}

}  // namespace damrak::gateway::fix::detail
