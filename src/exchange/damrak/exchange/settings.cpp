#include <damrak/exchange/settings.hpp>

#include <algorithm>
#include <cstdint>

#include <damrak/base/affinity.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/standard_exchange/gateway_settings.hpp>
#include <damrak/standard_exchange/gateway_table.hpp>

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

Settings::Settings() {
    for (const standard_exchange::GatewayRow& gateway : standard_exchange::k_gateways)
        ports[std::string{gateway.name}] = gateway.port;
    capacity = usual_capacity();
}

namespace {

std::int64_t count_keys(const Settings& settings) {
    return std::ranges::count_if(settings.participants, [](const ParticipantSettings& one) {
        return one.api_key.has_value();
    });
}

}  // namespace

bool Settings::has_identities() const {
    return count_keys(*this) > 0 ||
           std::ranges::any_of(standard_exchange::k_credentials,
                               [this](const auto* kind) { return kind->count(*this) > 0; });
}

std::string Settings::credentials() const {
    std::string text = counted(count_keys(*this), "API key");
    for (const auto* const kind : standard_exchange::k_credentials)
        if (const std::int64_t count = kind->count(*this); count > 0)
            text += ", " + counted(count, kind->name);
    return text;
}

gateway::Identities Settings::identities() const {
    gateway::Identities table;
    for (const ParticipantSettings& one : participants)
        if (one.api_key) table.add_key(*one.api_key, one.id);
    for (const auto* const kind : standard_exchange::k_credentials) kind->add_to(table, *this);
    table.admit_anonymous(!identified_only);
    if (identified_only) table.add_key(own_key, {});
    return table;
}

std::expected<std::vector<unsigned>, std::string> pinned_cores(const std::string& pin) {
    if (pin.empty()) return {};
    return parse_cores(pin);
}

}  // namespace damrak::exchange
