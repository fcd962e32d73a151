#include <damrak/session/fix/session.hpp>

#include <utility>

namespace damrak::session::fix {

std::string_view text(MessageClass kind) {
    constexpr std::array<std::string_view, k_message_classes> k_texts{
        "session", "orders", "market_data", "instruments", "other"};
    return k_texts.at(static_cast<std::size_t>(kind));
}

std::string_view text(LogonRefusal why) {
    constexpr std::array<std::string_view, k_logon_refusals> k_texts{
        "invalid",  "unknown_session", "already_logged_on", "no_room",  "not_let_in",
        "password", "hours",           "numbers",           "settings", "storage"};
    return k_texts.at(static_cast<std::size_t>(why));
}

SessionTools::SessionTools(std::size_t maximum_fields, std::size_t maximum_message_bytes)
    : decoder(maximum_fields, maximum_message_bytes),
      scratch(2 * maximum_message_bytes),
      too_long(fmt::format("Message too long, at most {} bytes and {} fields are taken",
                           maximum_message_bytes, maximum_fields)) {}

std::string_view text(Ended reason) {
    switch (reason) {
        case Ended::no:
            return "not ended";
        case Ended::logged_out:
            return "logged out";
        case Ended::logon_refused:
            return "logon refused";
        case Ended::not_a_logon:
            return "the first message was not a valid Logon";
        case Ended::timed_out:
            return "no message in time";
        case Ended::bad_sequence:
            return "wrong message sequence number";
        case Ended::too_fast:
            return "message rate above the limit";
        case Ended::slow_reader:
            return "did not read its messages";
        case Ended::store_failed:
            return "messages cannot be stored";
    }
    std::unreachable();
}

}  // namespace damrak::session::fix
