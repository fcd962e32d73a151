#include <damrak/exchange/settings.hpp>

#include <algorithm>
#include <iterator>

#include <damrak/base/affinity.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/exchange/detail/feeds.hpp>

namespace damrak::exchange {

std::vector<InstrumentSettings> usual_instruments() {
    std::vector<InstrumentSettings> instruments;
    for (const std::string_view symbol : {"AAPL", "MSFT", "SPY", "TEST"}) {
        InstrumentSettings usual;
        usual.definition.id = InstrumentId{static_cast<std::uint32_t>(instruments.size() + 1)};
        usual.definition.symbol = Symbol::of(symbol);
        instruments.push_back(usual);
    }
    return instruments;
}

namespace {

struct Credentials {
    std::int64_t keys = 0;
    std::int64_t comp_ids = 0;
    std::int64_t sources = 0;
    std::int64_t ouch_users = 0;
};

Credentials count_credentials(const Settings& settings) {
    Credentials count;
    for (const ParticipantSettings& one : settings.participants) {
        count.keys += one.api_key ? 1 : 0;
        count.comp_ids += std::ssize(one.fix_comp_ids);
        count.sources += std::ssize(one.udp_sources);
        count.ouch_users += std::ssize(one.ouch_users);
    }
    for (const FixSessionSettings& one : settings.fix.sessions)
        count.comp_ids += one.is_identity() ? 1 : 0;
    return count;
}

}  // namespace

bool Settings::has_identities() const {
    const auto [keys, comp_ids, sources, ouch_users] = count_credentials(*this);
    return keys + comp_ids + sources + ouch_users > 0;
}

std::string Settings::credentials() const {
    const auto [keys, comp_ids, sources, ouch_users] = count_credentials(*this);
    std::string text = counted(keys, "API key");
    if (comp_ids > 0) text += ", " + counted(comp_ids, "FIX comp id");
    if (sources > 0) text += ", " + counted(sources, "UDP source");
    if (ouch_users > 0) text += ", " + counted(ouch_users, "OUCH user");
    return text;
}

gateway::Identities Settings::identities() const {
    gateway::Identities table;
    for (const ParticipantSettings& one : participants) {
        if (one.api_key) table.add_key(*one.api_key, one.id);
        for (const std::string& comp_id : one.fix_comp_ids) table.add_comp_id(comp_id, one.id);
        for (const auto& source : one.udp_sources) table.add_source(source, one.id);
        for (const OuchUserSettings& user : one.ouch_users)
            table.add_ouch_user(user.name, user.password,
                                {.participant = one.id, .version = user.version});
    }
    for (const FixSessionSettings& one : fix.sessions)
        if (one.is_identity()) table.add_comp_id(one.session.name.target_comp_id, one.participant);
    table.admit_anonymous(!identified_only);
    if (identified_only) table.add_key(own_key, {});
    return table;
}

std::map<std::string, std::string, std::less<>> Settings::isins() const {
    std::map<std::string, std::string, std::less<>> symbols;
    if (!instruments) return symbols;
    for (const InstrumentSettings& one : *instruments)
        if (!one.isin.empty()) symbols[one.isin] = one.definition.symbol.view();
    return symbols;
}

std::expected<std::vector<unsigned>, std::string> pinned_cores(const std::string& pin) {
    if (pin.empty()) return {};
    return parse_cores(pin);
}

bool gateway_exists(std::string_view gateway) {
    return Settings{}.port(gateway).has_value() ||
           std::ranges::any_of(feed_gateways(), [&](const FeedGateway& one) {
               return std::ranges::find(one.gateways, gateway) != one.gateways.end();
           });
}

std::vector<std::string_view> existing_gateways() {
    std::vector<std::string_view> gateways;
    std::ranges::copy_if(k_gateways, std::back_inserter(gateways), gateway_exists);
    return gateways;
}

}  // namespace damrak::exchange
