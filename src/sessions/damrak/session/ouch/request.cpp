#include <damrak/session/ouch/request.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <variant>

#include <damrak/wire/ouch/encode.hpp>

namespace damrak::session::ouch {

namespace {

namespace v42 = wire::ouch::v42;
namespace v50 = wire::ouch::v50;
using wire::ouch::Option;

constexpr std::uint32_t k_largest_quantity = 999'999;
constexpr std::uint64_t k_market_price = 0x7FFF'FFFF;
constexpr std::uint64_t k_first_market_price_v50 = 2'000'000'000;
constexpr std::uint32_t k_market_hours = 99'998;
constexpr std::uint32_t k_system_hours = 99'999;
constexpr std::uint32_t k_day_seconds = 86'400;

// The first fault counts.
void refuse(Request& request, bool refused, Refusal why) {
    if (refused && request.refusal == Refusal::none) request.refusal = why;
}

bool is_one_of(char letter, std::string_view letters) { return letters.contains(letter); }

void check_common(Request& request) {
    refuse(request, request.quantity == 0 || request.quantity > k_largest_quantity,
           Refusal::quantity);
    refuse(request, !request.market && request.price_e4 == 0, Refusal::price);
    refuse(request, request.minimum_quantity > request.quantity, Refusal::minimum_quantity);
    refuse(request, request.iso != 'N', Refusal::iso);
}

// An order for an auction ends with it, whatever its lifetime.
void check_auction(Request& request) {
    const bool waits = request.cross_type != 'N';
    refuse(request, waits && request.life == Life::seconds, Refusal::time_in_force);
    refuse(request, request.imbalance_only && !waits, Refusal::cross);
}

void check_new(Request& request) {
    refuse(request, !is_one_of(request.side, "BSTE"), Refusal::side);
    refuse(request, !is_one_of(request.capacity, "APRO"), Refusal::capacity);
    refuse(request, !is_one_of(request.cross_type, "NOCH"), Refusal::cross);
    refuse(request, request.symbol.text().empty(), Refusal::symbol);
}

void set_terms_v42(Request& request, std::uint32_t price, std::uint32_t time_in_force,
                   char display) {
    request.price_e4 = price;
    request.market = price == k_market_price;
    refuse(request, !request.market && price >= k_first_market_price_v50, Refusal::price);
    request.display = display;
    request.hidden = display == 'N' || display == 'M';
    request.post_only = display == 'P' || display == 'L';
    request.imbalance_only = display == 'I';
    if (display == 'M') request.peg = PegReference::midpoint;
    refuse(request, !is_one_of(display, "YANPLIM"), Refusal::display);
    request.time_in_force = time_in_force;
    if (time_in_force == 0) {
        request.life = Life::immediate;
    } else if (time_in_force != k_market_hours && time_in_force != k_system_hours) {
        request.life = Life::seconds;
        request.seconds = time_in_force;
        refuse(request, time_in_force >= k_day_seconds, Refusal::time_in_force);
    }
}

Request request_of(const v42::EnterOrder& message) {
    Request request{.kind = RequestKind::enter,
                    .side = message.side,
                    .capacity = message.capacity,
                    .iso = message.iso,
                    .cross_type = message.cross_type,
                    .customer_type = message.customer_type,
                    .quantity = message.shares,
                    .minimum_quantity = message.minimum_quantity,
                    .token = message.order_token,
                    .symbol = message.symbol,
                    .firm = message.firm};
    check_new(request);
    set_terms_v42(request, message.price_e4, message.time_in_force, message.display);
    check_auction(request);
    check_common(request);
    return request;
}

Request request_of(const v42::ReplaceOrder& message) {
    Request request{.kind = RequestKind::replace,
                    .iso = message.iso,
                    .quantity = message.shares,
                    .minimum_quantity = message.minimum_quantity,
                    .token = message.replacement_token,
                    .replaces = message.existing_token};
    set_terms_v42(request, message.price_e4, message.time_in_force, message.display);
    check_common(request);
    return request;
}

Request request_of(const v42::CancelOrder& message) {
    return {.kind = RequestKind::cancel, .quantity = message.shares, .token = message.order_token};
}

Request request_of(const v42::ModifyOrder& message) {
    return {.kind = RequestKind::modify,
            .side = message.side,
            .quantity = message.shares,
            .token = message.order_token};
}

Request request_of(const v42::TradeNow& message) {
    return {.kind = RequestKind::trade_now, .token = message.order_token};
}

// A separate channel would count its own references, but there is only one channel.
void check_channel(Request& request, const wire::ouch::Appendage& options) {
    refuse(request, options.get<std::uint8_t>(Option::user_ref_index).value_or(0) != 0,
           Refusal::other);
}

void check_offered(Request& request, const wire::ouch::Appendage& options) {
    const auto letter = [&options](Option option, char usual) {
        return options.get<char>(option).value_or(usual);
    };
    refuse(request, options.get<std::uint64_t>(Option::discretion_price).value_or(0) != 0,
           Refusal::pegging);
    refuse(request, options.get<std::uint32_t>(Option::discretion_peg_offset).value_or(0) != 0,
           Refusal::pegging);
    refuse(request, options.get<std::uint32_t>(Option::random_reserves).value_or(0) != 0,
           Refusal::displayed_quantity);
    refuse(request,
           !options.get<Firm>(Option::route).value_or(Firm{}).text().empty() &&
               options.has(Option::route),
           Refusal::routing);
    refuse(request, letter(Option::trade_now, ' ') == 'Y', Refusal::other);
    request.imbalance_only = letter(Option::handling, ' ') == 'I';
    refuse(request, !is_one_of(letter(Option::handling, ' '), " I"), Refusal::handling);
    check_channel(request, options);
}

void set_peg(Request& request, const wire::ouch::Appendage& options) {
    const char type = options.get<char>(Option::price_type).value_or('L');
    refuse(request, !is_one_of(type, "LPRM "), Refusal::pegging);
    if (type == 'P') request.peg = PegReference::market;
    if (type == 'R') request.peg = PegReference::primary;
    if (type == 'M') request.peg = PegReference::midpoint;
    request.peg_offset_e4 =
        static_cast<std::int32_t>(options.get<std::uint32_t>(Option::peg_offset).value_or(0));
    const bool pegged = request.peg != PegReference::none;
    refuse(request, !pegged && request.peg_offset_e4 != 0, Refusal::pegging);
    refuse(request, pegged && request.display != 'N', Refusal::display);
}

template <class M>
void set_terms_v50(Request& request, const M& message) {
    const wire::ouch::Appendage& options = message.appendage;
    request.user_ref = message.user_ref;
    request.token = token_of(message.user_ref);
    request.cl_ord_id = message.cl_ord_id;
    request.price_e4 = message.price_e4;
    request.market = message.price_e4 >= k_first_market_price_v50;
    request.display = message.display;
    request.hidden = message.display == 'N';
    refuse(request, !is_one_of(message.display, "YNA"), Refusal::display);
    request.post_only = options.get<char>(Option::post_only).value_or('N') == 'P';
    request.minimum_quantity = options.get<std::uint32_t>(Option::minimum_quantity).value_or(0);
    request.displayed_quantity = options.get<std::uint32_t>(Option::displayed_quantity).value_or(0);
    request.customer_type = options.get<char>(Option::customer_type).value_or(' ');
    request.firm = options.get<Firm>(Option::firm).value_or(*Firm::from(""));
    request.time_in_force = static_cast<unsigned char>(message.time_in_force);
    refuse(request, !is_one_of(message.time_in_force, "0356"), Refusal::time_in_force);
    if (message.time_in_force == '3') request.life = Life::immediate;
    if (message.time_in_force == '6') {
        request.life = Life::seconds;
        request.seconds = options.get<std::uint32_t>(Option::expire_time).value_or(0);
        refuse(request, request.seconds == 0 || request.seconds >= k_day_seconds,
               Refusal::time_in_force);
    }
    if (const auto group = options.get<std::uint16_t>(Option::group)) {
        request.group = *group;
        request.has_group = true;
    }
    set_peg(request, options);
    check_offered(request, options);
    check_common(request);
}

Request request_of(const v50::EnterOrder& message) {
    Request request{.kind = RequestKind::enter,
                    .side = message.side,
                    .capacity = message.capacity,
                    .iso = message.iso,
                    .cross_type = message.cross_type,
                    .quantity = message.quantity,
                    .symbol = message.symbol};
    check_new(request);
    set_terms_v50(request, message);
    check_auction(request);
    return request;
}

Request request_of(const v50::ReplaceOrder& message) {
    Request request{.kind = RequestKind::replace,
                    .iso = message.iso,
                    .quantity = message.quantity,
                    .replaces = token_of(message.orig_user_ref)};
    set_terms_v50(request, message);
    return request;
}

Request request_of(const v50::CancelOrder& message) {
    Request request{.kind = RequestKind::cancel,
                    .quantity = message.quantity,
                    .user_ref = message.user_ref,
                    .token = token_of(message.user_ref)};
    check_channel(request, message.appendage);
    return request;
}

Request request_of(const v50::ModifyOrder& message) {
    Request request{.kind = RequestKind::modify,
                    .side = message.side,
                    .quantity = message.quantity,
                    .user_ref = message.user_ref,
                    .token = token_of(message.user_ref)};
    check_channel(request, message.appendage);
    return request;
}

Request request_of(const v50::MassCancel& message) {
    Request request{.kind = RequestKind::mass_cancel,
                    .side = message.appendage.get<char>(Option::side).value_or(' '),
                    .user_ref = message.user_ref,
                    .token = token_of(message.user_ref),
                    .symbol = message.symbol,
                    .firm = message.firm};
    refuse(request, !is_one_of(request.side, " BSTE"), Refusal::side);
    // Orders are cancelled by participant, instrument and side; a firm or a group would need more.
    refuse(request, !message.firm.text().empty(), Refusal::firm);
    refuse(request, message.appendage.has(Option::group), Refusal::other);
    check_channel(request, message.appendage);
    return request;
}

template <RequestKind kind, class M>
Request entry_request(const M& message) {
    Request request{.kind = kind,
                    .user_ref = message.user_ref,
                    .token = token_of(message.user_ref),
                    .firm = message.firm};
    check_channel(request, message.appendage);
    return request;
}
Request request_of(const v50::DisableOrderEntry& message) {
    return entry_request<RequestKind::disable>(message);
}
Request request_of(const v50::EnableOrderEntry& message) {
    return entry_request<RequestKind::enable>(message);
}
Request request_of(const v50::AccountQuery& /*message*/) { return {.kind = RequestKind::query}; }

template <class Messages>
std::expected<Request, wire::ouch::DecodeError> read_as(Version version,
                                                        std::span<const std::byte> bytes) {
    auto decoded = wire::ouch::decode<Messages>(bytes);
    const bool has_wrong_options =
        !decoded.has_value() && wire::ouch::is_of_options(decoded.error().fault);
    if (has_wrong_options) decoded = wire::ouch::decode_fields<Messages>(bytes);
    if (!decoded) return std::unexpected{decoded.error()};
    Request request = std::visit([](const auto& message) { return request_of(message); }, *decoded);
    refuse(request, has_wrong_options, Refusal::other);
    request.version = version;
    return request;
}

}  // namespace

std::string_view name(Version version) {
    return version == Version::v42 ? "4.2" : version == Version::v50 ? "5.0" : "none";
}

Request replaced_terms(const Request& before, const Request& replace) {
    Request terms = replace;
    terms.side = before.side;
    terms.symbol = before.symbol;
    terms.capacity = before.capacity;
    terms.cross_type = before.cross_type;
    terms.firm = before.firm;
    if (replace.version == Version::v42) terms.customer_type = before.customer_type;
    check_auction(terms);
    return terms;
}

bool may_become(char before, char after, Version version) {
    if (before == after) return true;
    constexpr std::string_view k_sells = "SET";
    const auto from = k_sells.find(before);
    const auto to = k_sells.find(after);
    if (from == std::string_view::npos || to == std::string_view::npos) return false;
    return version == Version::v42 || from < to;
}

Token token_of(std::uint32_t user_ref) {
    Token token;
    token.chars.fill(' ');
    std::to_chars(token.chars.data(), token.chars.data() + token.chars.size(), user_ref);
    return token;
}

std::uint32_t ref_of(const Token& token) {
    std::uint32_t ref = 0;
    std::from_chars(token.chars.data(), token.chars.data() + token.chars.size(), ref);
    return ref;
}

std::size_t shorten(std::span<std::byte> message) {
    const auto decoded = wire::ouch::decode_fields<v50::Inbound>(message);
    if (!decoded) return message.size();
    return std::visit(
        [message](const auto& shorter) { return wire::ouch::encode(shorter, message); }, *decoded);
}

std::expected<Request, wire::ouch::DecodeError> read_request(Version version,
                                                             std::span<const std::byte> bytes) {
    return version == Version::v42 ? read_as<v42::Inbound>(version, bytes)
                                   : read_as<v50::Inbound>(version, bytes);
}

}  // namespace damrak::session::ouch
