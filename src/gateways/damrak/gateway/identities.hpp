// Which credentials log in as which participant: one table for all gateways of an exchange. A
// credential is a key (of the binary and the extended datagram protocol), the comp id of a FIX
// client, an OUCH user, or the source address of datagrams. Built from the configuration, replaced
// by a reload; on the thread of the gateways. A login costs O(log credentials); only construction
// allocates.
//
// A look-up returns nothing (refused), a participant, or participant zero (admitted, as a
// participant of its own). Clients without a credential are anonymous, and are admitted or refused
// as a group.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/domain/identifiers.hpp>
#include <damrak/wire/binary/api_key.hpp>
#include <damrak/wire/binary/messages.hpp>

namespace damrak::gateway {

/// Whose places the exchange's own clients have, whatever strangers do. No participant has this
/// number.
inline constexpr ParticipantId k_own_clients{0xFFFF'FFFF};

class Identities {
  public:
    using Key = wire::binary::ApiKey;
    /// 32 hexadecimal digits are bytes; shorter input is text. Nothing for anything else.
    [[nodiscard]] static std::optional<Key> parse_key(std::string_view text) {
        return wire::binary::parse_api_key(text);
    }
    /// Port zero means any. IPv4 addresses are mapped to IPv6, see source_of().
    using Source = std::pair<std::array<std::uint8_t, 16>, std::uint16_t>;
    [[nodiscard]] static Source source_of(const std::array<std::uint8_t, 4>& address,
                                          std::uint16_t port) {
        Source source{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, port};
        std::ranges::copy(address, source.first.begin() + 12);
        return source;
    }

    // The participant of a key; zero: each bearer is a participant of its own.
    void add_key(const Key& key, ParticipantId participant) { keys_[key] = participant; }
    void add_comp_id(std::string comp_id, ParticipantId participant) {
        comp_ids_[std::move(comp_id)] = participant;
    }
    void add_source(const Source& source, ParticipantId participant) {
        sources_[source] = participant;
    }
    /// The version is that of OUCH times ten; zero means the gateway's.
    struct OuchUser {
        ParticipantId participant{};
        std::uint8_t version = 0;
        bool is_own = false;  ///< of the exchange itself
        /// Who has the places that it takes; zero: strangers.
        [[nodiscard]] ParticipantId holder() const { return is_own ? k_own_clients : participant; }
    };
    /// Case-insensitive. The first of a name stays.
    void add_ouch_user(std::string_view name, std::string_view password, const OuchUser& user) {
        ouch_users_.try_emplace(upper(name), upper(password), user);
    }
    /// Whether clients without a credential are admitted.
    void admit_anonymous(bool admitted) { admits_anonymous_ = admitted; }

    [[nodiscard]] bool admits_anonymous() const { return admits_anonymous_; }
    [[nodiscard]] bool has_keys() const { return !keys_.empty(); }
    [[nodiscard]] bool has_sources() const { return !sources_.empty(); }

    using Answer = std::optional<ParticipantId>;
    /// `bytes` come from the client; no key has another length.
    [[nodiscard]] Answer of_key(std::span<const std::byte> bytes) const {
        Key key{};
        if (bytes.size() != key.size()) return of_nobody();
        std::ranges::copy(bytes, key.begin());
        return found(keys_, key);
    }
    [[nodiscard]] Answer of_comp_id(std::string_view comp_id) const {
        return found(comp_ids_, comp_id);
    }
    [[nodiscard]] bool names_comp_id(std::string_view comp_id) const {
        return comp_ids_.contains(comp_id);
    }
    [[nodiscard]] Answer of_source(const Source& source) const {
        const auto known = sources_.find(source);
        return known != sources_.end() ? Answer{known->second}
                                       : found(sources_, Source{source.first, 0});
    }
    /// A known name needs its password.
    [[nodiscard]] std::optional<OuchUser> of_ouch_user(std::string_view name,
                                                       std::string_view password) const {
        const auto known = ouch_users_.find(upper(name));
        if (known == ouch_users_.end())
            return admits_anonymous_ ? std::optional{OuchUser{}} : std::nullopt;
        const auto& [secret, user] = known->second;
        return secret == upper(password) ? std::optional{user} : std::nullopt;
    }
    /// The answer to a client without any credential.
    [[nodiscard]] Answer of_nobody() const {
        return admits_anonymous_ ? Answer{ParticipantId{}} : std::nullopt;
    }

    /// Calls f(participant) for each one with a credential, perhaps more than once.
    template <class F>
    void for_each_participant(F&& f) const {
        const auto tell = [&f](const auto& table) {
            for (const auto& [credential, participant] : table)
                if (participant) f(participant);
        };
        tell(keys_);
        tell(comp_ids_);
        tell(sources_);
        for (const auto& [name, known] : ouch_users_)
            if (known.second.participant) f(known.second.participant);
    }

  private:
    [[nodiscard]] static std::string upper(std::string_view text) {
        std::string result{text};
        for (char& c : result)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
        return result;
    }
    template <class Table, class Credential>
    [[nodiscard]] Answer found(const Table& table, const Credential& credential) const {
        const auto known = table.find(credential);
        return known == table.end() ? of_nobody() : Answer{known->second};
    }

    std::map<Key, ParticipantId> keys_;
    std::map<std::string, ParticipantId, std::less<>> comp_ids_;
    std::map<Source, ParticipantId> sources_;
    std::map<std::string, std::pair<std::string, OuchUser>, std::less<>> ouch_users_;
    bool admits_anonymous_ = true;
};

}  // namespace damrak::gateway
