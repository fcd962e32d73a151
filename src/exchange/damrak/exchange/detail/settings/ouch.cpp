#include <damrak/exchange/detail/settings/ouch.hpp>

#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

namespace {

std::optional<std::uint8_t> version_of(std::string_view text) {
    if (text == "4.2") return std::uint8_t{42};
    if (text == "5.0") return std::uint8_t{50};
    return {};
}

std::string version_text(std::uint8_t version) {
    return fmt::format("{}.{}", version / 10, version % 10);
}

bool is_printable(std::string_view text) {
    for (const char c : text)
        if (c <= ' ' || c > '~') return false;
    return true;
}

// "NAME:PASSWORD" or "NAME:PASSWORD:4.2".
std::optional<OuchUserSettings> user_of(std::string_view text) {
    const std::size_t first = text.find(':');
    if (first == std::string_view::npos) return {};
    std::string_view password = text.substr(first + 1);
    OuchUserSettings user;
    user.name = text.substr(0, first);
    if (const std::size_t last = password.rfind(':'); last != std::string_view::npos) {
        const auto version = version_of(password.substr(last + 1));
        if (!version) return {};
        user.version = *version;
        password = password.substr(0, last);
    }
    user.password = password;
    const bool fits = !user.name.empty() && user.name.size() <= 6 && password.size() <= 10;
    if (!fits || !is_printable(user.name) || !is_printable(password)) return {};
    return user;
}

}  // namespace

std::optional<SettingValue> ouch_users_of(const ParticipantSettings& one) {
    if (one.ouch_users.empty()) return {};
    std::vector<std::string> texts;
    for (const OuchUserSettings& user : one.ouch_users)
        texts.push_back(
            fmt::format("{}:{}:{}", user.name, user.password, version_text(user.version)));
    return texts;
}

std::string set_ouch_users(ParticipantSettings& one, const SettingValue& value) {
    one.ouch_users.clear();
    for (const std::string& text : std::get<std::vector<std::string>>(value)) {
        const auto user = user_of(text);
        if (!user)
            return fmt::format(R"(expected a name of 1 to 6 characters, a password of up to 10, )"
                               R"(and 4.2 or 5.0, such as "DAMR01:secret:5.0"; found "{}")",
                               text);
        one.ouch_users.push_back(*user);
    }
    return {};
}

void add_ouch(Rows<Settings>& rows) {
    rows.section("ouch");
    auto& row = rows.custom(
        SettingKind::word, "version",
        [](const Settings& owner) -> SettingValue { return version_text(owner.ouch_version); },
        [](Settings& owner, const SettingValue& value) {
            owner.ouch_version = version_of(std::get<std::string>(value)).value_or(50);
            return std::string{};
        },
        "version of OUCH of users that no participant names");
    row.words = {"4.2", "5.0"};
    constexpr std::uint32_t k_most_mib = 1U << 20U;
    rows.number(
        "messages_mib", &Settings::ouch_messages_mib, 16, k_most_mib,
        "MiB of memory for the messages of a day to all OUCH users; one user gets a quarter "
        "of it, or a sixteenth if the configuration does not name it");
}

}  // namespace damrak::exchange
