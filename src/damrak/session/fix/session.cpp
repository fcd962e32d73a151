#include <damrak/session/fix/session.hpp>

#include <utility>

namespace damrak::session::fix {

std::string_view text(Ended reason) {
    switch (reason) {
        case Ended::no:
            return "not ended";
        case Ended::logged_out:
            return "logged out";
        case Ended::logon_refused:
            return "logon refused";
        case Ended::not_a_logon:
            return "the first message was no valid logon";
        case Ended::timed_out:
            return "no message in time";
        case Ended::bad_sequence:
            return "wrong message sequence number";
        case Ended::too_fast:
            return "more messages than agreed";
        case Ended::slow_reader:
            return "did not read what was sent";
        case Ended::store_failed:
            return "messages cannot be kept";
    }
    std::unreachable();
}

}  // namespace damrak::session::fix
