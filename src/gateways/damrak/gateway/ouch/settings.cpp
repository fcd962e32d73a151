#include <damrak/gateway/ouch/settings.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/gateway/ouch/detail/ouch_tag.hpp>
#include <damrak/gateway/ouch/ouch_orders.hpp>

namespace damrak::gateway::ouch {

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

std::optional<SettingValue> users_of(const ParticipantSettings& one) {
    const auto& users = one.of<OuchUsers>().all;
    if (users.empty()) return {};
    std::vector<std::string> texts;
    texts.reserve(users.size());
    for (const OuchUserSettings& user : users)
        texts.push_back(
            fmt::format("{}:{}:{}", user.name, user.password, version_text(user.version)));
    return texts;
}

std::string set_users(ParticipantSettings& one, const SettingValue& value) {
    auto& users = one.of<OuchUsers>().all;
    users.clear();
    for (const std::string& text : std::get<std::vector<std::string>>(value)) {
        const auto user = user_of(text);
        if (!user)
            return fmt::format(R"(expected a name of 1 to 6 characters, a password of up to 10, )"
                               R"(and 4.2 or 5.0, such as "DAMR01:secret:5.0"; user {} is not so)",
                               users.size() + 1);
        users.push_back(*user);
    }
    return {};
}

void add_user_rows(Rows<ParticipantSettings>& rows) {
    rows.custom(SettingKind::texts, "ouch_users", users_of, set_users,
                "users over OUCH: name of up to 6 characters, password of up to 10, and version, "
                "such as DAMR01:secret:5.0")
        .is_secret()
        .by_reload();
}

std::int64_t count_users(const Settings& settings) {
    std::int64_t count = 0;
    for (const ParticipantSettings& one : settings.participants)
        count += std::ssize(one.of<OuchUsers>().all);
    return count;
}

void add_users_to(Identities& identities, const Settings& settings) {
    for (const ParticipantSettings& one : settings.participants)
        for (const OuchUserSettings& user : one.of<OuchUsers>().all)
            identities.add_ouch_user(user.name, user.password,
                                     {.participant = one.id, .version = user.version});
    const OuchSettings& own = settings.of<OuchSettings>();
    if (!own.own_user.empty())
        identities.add_ouch_user(own.own_user, own.own_password, {.is_own = true});
}

std::optional<Misfit> users_clash(const ParticipantSettings& one,
                                  const ParticipantSettings& other) {
    const auto name = [](const OuchUserSettings& user) { return ouch_session(user.name); };
    const auto& others = other.of<OuchUsers>().all;
    for (const OuchUserSettings& user : one.of<OuchUsers>().all)
        if (std::ranges::find(others, name(user), name) != others.end())
            return Misfit{"ouch_users", "another participant has one of these names already"};
    return {};
}

}  // namespace

const CredentialKind k_ouch_users{.name = "OUCH user",
                                  .add_rows = add_user_rows,
                                  .count = count_users,
                                  .add_to = add_users_to,
                                  .clash = users_clash};

void add_ouch_rows(Rows<Settings>& rows) {
    rows.section("ouch");
    auto& row = rows.custom(
        SettingKind::word, "version",
        [](const Settings& owner) -> SettingValue {
            return version_text(owner.of<OuchSettings>().version);
        },
        [](Settings& owner, const SettingValue& value) {
            owner.of<OuchSettings>().version =
                version_of(std::get<std::string>(value)).value_or(50);
            return std::string{};
        },
        "version of OUCH of users that no participant names");
    row.words = {"4.2", "5.0"};
    static constexpr std::array<std::string_view, 5> k_prevention{
        "none", "cancel_newest", "cancel_oldest", "cancel_both", "decrement_and_cancel"};
    rows.word("self_trade_prevention",
              at(k_own<OuchSettings>, &OuchSettings::self_trade_prevention), k_prevention,
              "what an order does when it meets one of its own participant; reported by AIQ "
              "Canceled (D)");
    constexpr std::uint32_t k_most_mib = 1U << 20U;
    rows.number(
        "messages_mib", at(k_own<OuchSettings>, &OuchSettings::messages_mib), 16, k_most_mib,
        "MiB of memory for the messages of a day to all OUCH users; one user gets a quarter "
        "of it, or a sixteenth if the configuration does not name it");
}

void OuchOrders::configure(const Settings& settings) {
    limit_bytes(settings.of<OuchSettings>().message_bytes());
    if (settings.port("ouch")) reserve();
}

}  // namespace damrak::gateway::ouch
