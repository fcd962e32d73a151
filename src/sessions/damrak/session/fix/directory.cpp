#include <damrak/session/fix/directory.hpp>

#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>

namespace damrak::session::fix {
namespace {

using fix_codec::BeginString;
using fix_codec::Message;
namespace tag = fix_codec::tag;

[[nodiscard]] bool is_template(const SessionSettings& settings) {
    return settings.name.target_comp_id == k_any_comp_id ||
           settings.name.begin_string == BeginString::unknown;
}

// A sub id that is not configured matches any. Returns the quality of the match, from 1; 0: no
// match.
[[nodiscard]] int fit_of_sub_id(const std::string& configured, std::string_view told) {
    if (configured.empty()) return 1;
    return configured == told ? 2 : 0;
}

[[nodiscard]] int fit(const SessionName& name, const Message& first) {
    if (name.begin_string != BeginString::unknown && name.begin_string != first.begin_string())
        return 0;
    if (name.sender_comp_id != first.text_or_empty(tag::target_comp_id)) return 0;
    const std::string_view client = first.text_or_empty(tag::sender_comp_id);
    if (client.empty()) return 0;
    if (name.target_comp_id != k_any_comp_id && name.target_comp_id != client) return 0;
    const int exact = name.target_comp_id == client ? 2 : 1;
    const int version = name.begin_string == BeginString::unknown ? 1 : 2;
    return exact * version *
           fit_of_sub_id(name.sender_sub_id, first.text_or_empty(tag::target_sub_id)) *
           fit_of_sub_id(name.target_sub_id, first.text_or_empty(tag::sender_sub_id));
}

}  // namespace

std::string_view text(NotAdmitted why) {
    switch (why) {
        case NotAdmitted::not_a_logon:
            return "the first message is not a Logon";
        case NotAdmitted::unknown_session:
            return "no session has these comp ids in this version";
        case NotAdmitted::already_logged_on:
            return "the session is already logged on";
        case NotAdmitted::too_many_sessions:
            return "there are as many sessions as maximum_sessions allows";
    }
    std::unreachable();
}

std::expected<SessionDirectory, std::string> SessionDirectory::make(
    const std::vector<SessionSettings>& configured, std::size_t maximum_sessions) {
    SessionDirectory directory;
    directory.maximum_sessions_ = maximum_sessions;
    for (const SessionSettings& settings : configured) {
        SessionSettings tried = settings;
        if (tried.name.begin_string == BeginString::unknown)
            tried.name.begin_string = BeginString::fixt11;
        auto made = checked(std::move(tried));
        if (!made) return std::unexpected(made.error());
        if (is_template(settings)) {
            directory.templates_.push_back(settings);
            continue;
        }
        for (const Entry& other : directory.sessions_)
            if (other.settings->name == made->name)
                return std::unexpected(
                    fmt::format("FIX session {} is configured twice", text(made->name)));
        static_cast<void>(directory.add(*std::move(made), false));
    }
    return directory;
}

std::size_t SessionDirectory::add(SessionSettings settings, bool by_template) {
    for (std::size_t i = 0; i < sessions_.size(); ++i)
        if (is_known(i) && sessions_[i].settings->name == settings.name) {
            sessions_[i].by_template &= by_template;
            return i;
        }
    std::size_t place = sessions_.size();
    if (free_.empty()) {
        sessions_.emplace_back();
    } else {
        place = free_.back();
        free_.pop_back();
    }
    sessions_[place] = {.settings = std::make_shared<const SessionSettings>(std::move(settings)),
                        .live = false,
                        .by_template = by_template};
    return place;
}

void SessionDirectory::forget(std::size_t session) {
    DAMRAK_ASSERT(is_known(session) && !sessions_[session].live);
    sessions_[session] = {};
    free_.push_back(session);
}

std::expected<std::size_t, NotAdmitted> SessionDirectory::admit(const Message& first) {
    if (first.msg_type() != "A") return std::unexpected(NotAdmitted::not_a_logon);
    int best_fit = 0;
    std::size_t best = 0;
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
        if (!is_known(i)) continue;
        const int here = fit(sessions_[i].settings->name, first);
        if (here > best_fit) {
            best_fit = here;
            best = i;
        }
    }
    if (best_fit > 0) {
        if (std::exchange(sessions_[best].live, true))
            return std::unexpected(NotAdmitted::already_logged_on);
        return best;
    }
    const SessionSettings* pattern = nullptr;
    for (const SessionSettings& candidate : templates_) {
        const int here = fit(candidate.name, first);
        if (here > best_fit) {
            best_fit = here;
            pattern = &candidate;
        }
    }
    if (pattern == nullptr) return std::unexpected(NotAdmitted::unknown_session);
    if (is_full()) return std::unexpected(NotAdmitted::too_many_sessions);
    SessionSettings settings = *pattern;
    settings.name.begin_string = first.begin_string();
    settings.name.target_comp_id = first.text_or_empty(tag::sender_comp_id);
    auto made = checked(std::move(settings));
    if (!made) return std::unexpected(NotAdmitted::unknown_session);
    const std::size_t place = add(*std::move(made), true);
    sessions_[place].live = true;
    return place;
}

Admission SessionDirectory::admit(std::span<const std::byte> bytes, fix_codec::Decoder& decoder) {
    Message first;
    const auto scan =
        decoder.scan({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, first);
    if (scan.status == fix_codec::Scan::Status::need_more) return {};
    Admission admission{.status = Admission::Status::refused};
    if (scan.status != fix_codec::Scan::Status::message) return admission;
    const auto session = admit(first);
    if (!session) {
        admission.why = session.error();
        return admission;
    }
    return {.status = Admission::Status::admitted, .session = *session};
}

void SessionDirectory::leave(std::size_t session) {
    DAMRAK_ASSERT(sessions_[session].live);
    sessions_[session].live = false;
}

std::string folder_name(const SessionName& name) {
    std::string folder{fix_codec::text(name.begin_string)};
    for (const std::string* part :
         {&name.sender_comp_id, &name.sender_sub_id, &name.target_comp_id, &name.target_sub_id}) {
        folder += '+';
        for (const char c : *part) {
            const bool harmless = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                                  (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
            if (harmless) {
                folder += c;
            } else {
                folder += fmt::format("%{:02X}", static_cast<unsigned char>(c));
            }
        }
    }
    return folder;
}

}  // namespace damrak::session::fix
