#include "serve_settings.hpp"

#include <algorithm>
#include <iterator>

namespace damrak::app {

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

bool ServeSettings::needs_api_key() const {
    return std::ranges::any_of(participants,
                               [](const auto& one) { return one.api_key.has_value(); });
}

std::map<wire::binary::ApiKey, ParticipantId> ServeSettings::api_keys() const {
    std::map<wire::binary::ApiKey, ParticipantId> keys;
    for (const ParticipantSettings& participant : participants)
        if (participant.api_key) keys[*participant.api_key] = participant.id;
    return keys;
}

std::map<wire::binary::ApiKey, ParticipantId> ServeSettings::keys_of_door() const {
    auto keys = api_keys();
    if (keys_only) keys[own_key] = {};
    return keys;
}

bool door_exists(std::string_view door) { return ServeSettings{}.port(door).has_value(); }

std::vector<std::string_view> existing_doors() {
    std::vector<std::string_view> doors;
    std::ranges::copy_if(k_doors, std::back_inserter(doors), door_exists);
    return doors;
}

}  // namespace damrak::app
