// What the gateways of an exchange know of its settings, and a bag in which each keeps its own, by
// type, so that nobody else has to name them. Plain values with defaults, given at the start and at
// each reload; part of exchange::Settings. gateway/setting.hpp has the rows that describe them.
#pragma once

#include <algorithm>
#include <any>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/identities.hpp>
#include <damrak/gateway/notices.hpp>

namespace damrak::recorded_market {
class ReplayedDay;
}
namespace damrak::venue {
struct Venue;
}

namespace damrak::gateway {

/// Settings by their type; those that nobody has set have their defaults.
class OwnSettings {
  public:
    template <class T>
    [[nodiscard]] T& of() {
        std::any& place = all_[typeid(T)];
        if (!place.has_value()) place.emplace<T>();
        return *std::any_cast<T>(&place);
    }
    template <class T>
    [[nodiscard]] const T& of() const {
        static const T usual{};
        const auto found = all_.find(typeid(T));
        return found == all_.end() ? usual : *std::any_cast<T>(&found->second);
    }

  private:
    std::map<std::type_index, std::any> all_;
};

/// Accessor of such settings, for rows: at(k_own<T>, &T::member).
template <class T>
inline constexpr auto k_own = [](auto& owner) -> auto& { return owner.template of<T>(); };

/// Published tick tables (docs/rule-book/tick-tables.md).
enum class TickTableChoice : std::uint8_t {
    own,      ///< that of the definition
    rts11_1,  ///< the liquidity bands of RTS 11
    rts11_2,
    rts11_3,
    rts11_4,
    rts11_5,
    rts11_6,
    rule_612,
};

/// The trading day of an exchange: its zone, its begin and its end.
struct DaySettings {
    std::string zone = "UTC";   ///< IANA name
    std::int64_t begin_ns = 0;  ///< after midnight
    /// After midnight. If not later than the begin, the day begins on the evening before its date.
    std::int64_t end_ns = k_day_ns;
    friend bool operator==(const DaySettings&, const DaySettings&) = default;
};

/// An instrument of the configuration, and the state in which it begins.
struct InstrumentSettings {
    InstrumentDefinition definition;
    TickTableChoice tick_table{};
    bool halted = false;
    Phase phase{};
    AuctionRule auction{};
    std::string isin;  ///< clients may use it as a name; empty: none
    friend bool operator==(const InstrumentSettings&, const InstrumentSettings&) = default;
};

/// With the credentials that gateways know the participant by.
struct ParticipantSettings : OwnSettings {
    ParticipantId id{};
    std::string name;  ///< for readers of the file
    std::optional<Identities::Key> api_key;
    std::string mpid;  ///< attribution on the order-by-order feed; empty: none
    LimitDetails limits{};
    bool blocked = false;
};

struct Settings : OwnSettings {
    /// Takes the operator's notices; may be empty.
    OnNotice on_notice;
    std::string address = "127.0.0.1";          ///< IPv4, IPv6 or a name
    std::string numeric_address = "127.0.0.1";  ///< `address` as resolved at the start
    /// By gateway; a missing gateway is closed. Zero: any free port.
    std::map<std::string, std::uint16_t, std::less<>> ports;
    std::filesystem::path data = "damrak-data";
    std::uint32_t connections = 20'000;
    /// Of the gateways that the limit of open files leaves fewer.
    std::map<std::string, std::uint32_t, std::less<>> fewer_connections;
    std::uint32_t session_timeout_s = 1'000;
    bool cancel_on_disconnect = false;
    bool cancel_on_logout = false;
    std::uint32_t messages_per_second = 0;  ///< per session; zero: no limit
    std::uint32_t burst_messages = 0;       ///< zero: as many as in a second
    DaySettings day;
    EngineConfig capacity;
    /// Percentage of each pool: while more is in use, anonymous participants can enter nothing new.
    std::uint32_t anonymous_share = 50;
    /// Nothing: the instruments of the journal or, for a new journal, the usual ones.
    std::optional<std::vector<InstrumentSettings>> instruments;
    std::vector<ParticipantSettings> participants;
    /// The recorded day that is the market; null: there is none.
    std::shared_ptr<recorded_market::ReplayedDay> replayed;
    /// The venue whose rules hold; null: none.
    std::shared_ptr<const venue::Venue> venue;

    [[nodiscard]] std::optional<std::uint16_t> port(std::string_view gateway) const {
        const auto found = ports.find(gateway);
        return found == ports.end() ? std::nullopt : std::optional{found->second};
    }
    /// How many connections this gateway may have, of as many as that.
    [[nodiscard]] std::uint32_t connections_of(std::string_view gateway, std::uint32_t most) const {
        const auto found = fewer_connections.find(gateway);
        return found == fewer_connections.end() ? most : std::min(most, found->second);
    }
    [[nodiscard]] std::uint32_t burst() const {
        return burst_messages == 0 ? messages_per_second : burst_messages;
    }
    /// Folder of the feed sessions.
    [[nodiscard]] std::filesystem::path feed_folder() const { return data / "feed"; }
    [[nodiscard]] std::filesystem::path archive_folder() const { return data / "archive"; }
    /// Symbols by ISIN.
    [[nodiscard]] std::map<std::string, std::string, std::less<>> isins() const {
        std::map<std::string, std::string, std::less<>> symbols;
        if (!instruments) return symbols;
        for (const InstrumentSettings& one : *instruments)
            if (!one.isin.empty()) symbols[one.isin] = one.definition.symbol.view();
        return symbols;
    }
};

}  // namespace damrak::gateway
