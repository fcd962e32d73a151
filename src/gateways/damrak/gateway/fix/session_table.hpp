// The sessions of the FIX gateway: who is let in, which sessions there are, on the disk too, and
// what an administrator does to them. A client's session continues from one connection to the next,
// and its reports are kept while it is away.
//
// On the thread of the gateways. A client costs its session and its store when it comes for the
// first time. Who makes the store waits for the disk, on a thread that may (FixRegistry); the Logon
// waits with it, and nobody else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/budget/row.hpp>
#include <damrak/gateway/fix/admin.hpp>
#include <damrak/gateway/fix/detail/fix_application_config.hpp>
#include <damrak/gateway/fix/detail/fix_client.hpp>
#include <damrak/gateway/fix/detail/registry.hpp>
#include <damrak/gateway/fix/detail/roster.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/session/fix/directory.hpp>

namespace damrak::gateway::fix {

/// The FIX sessions by name, connected or not.
template <class Exchange, class Store>
class FixSessionTable {
  public:
    using Context = FixContext<Exchange, Store>;
    using Client = ConnectedClient<Exchange, Store>;
    using Storing = FixStoring<Store>;

    FixSessionTable(FixApplicationConfig config, Context& context, Participants& participants,
                    Storing storing);

    /// Everybody who was here before, with what was kept. Before anything else.
    [[nodiscard]] std::expected<void, std::string> open(journal::FileSystem& files, Timestamp now);
    /// Makes the sessions that watch the orders of others, also those that never logged on. Before
    /// anybody trades; may wait for the disk.
    void add_copied();
    /// A request that is in the journal was taken, whether or not the session could note that.
    void note_record(const journal::Record& record);

    /// Whose connection begins with certain bytes. If nothing of it is set, more are needed.
    struct Admitted {
        Client* client = nullptr;  ///< it must leave() when the connection ends
        std::string_view why{};    ///< it is nobody's; what there is to say to it is in its output
        bool awaited = false;      ///< take_arrived() will tell, unless it gives up(place) before
        std::size_t place = 0;
    };
    /// Who sent them. `settle(identity)` says whether that one, or a stranger for zero, may have
    /// the connection.
    struct Comer {
        ConnectionNumber connection{};
        net::ClientAddress host{};
        Timestamp now{};
    };
    template <class Settle>
    [[nodiscard]] Admitted admit(std::span<const std::byte> bytes, session::OutputBuffer& out,
                                 const Comer& comer, const Settle& settle);
    /// Calls f(connection, client, why) for each whose session has begun to exist, or cannot.
    template <class F>
    void take_arrived(F&& f);
    void give_up(std::size_t place);
    /// Somebody waits for what the disk is needed for.
    [[nodiscard]] bool awaits_disk() const { return errands_ > 0; }
    /// Where another thread does that: some of it; how much.
    std::size_t work_aside() { return registry_ ? registry_->work() : 0; }
    /// The answer to a client whose session cannot be made; the operator learns why.
    static constexpr std::string_view k_cannot_be_kept =
        "this session cannot be kept: its messages cannot be stored at present";
    /// Sessions cannot be kept now. Any thread.
    [[nodiscard]] bool cannot_keep() const { return registry_ && registry_->is_failing(); }
    /// Sessions that nobody named. Any thread.
    [[nodiscard]] budget::Row::Figures places() const { return unnamed_.figures(); }
    /// A Logout to who has no session, with these first bytes of the connection.
    void say_farewell(std::span<const std::byte> bytes, session::OutputBuffer& out,
                      std::string_view text);
    /// Who they say they are, for people: "FIX.4.4:DAMRAK->CLIENT1 (MsgType A) ".
    [[nodiscard]] std::string describe_sender(std::span<const std::byte> bytes);
    void connect(Client& client, session::OutputBuffer& out, const Comer& comer);
    void leave(Client& client, Timestamp now);
    /// Once a turn: heartbeats, timeouts, schedules.
    void on_time(Timestamp now);
    /// Tells the journal who is here, so that a restart knows whom to end.
    void open_session(Client& client);
    void close_session(Client& client);
    /// For another thread to ask; administer() answers, now and then.
    [[nodiscard]] FixAdmin& admin() { return admin_; }
    void administer(Timestamp now);

    [[nodiscard]] Client* client_at(std::uint32_t number) {
        return number - 1U < clients_.size() ? clients_[number - 1U].get() : nullptr;
    }
    /// How many numbers of sessions were given out.
    [[nodiscard]] std::size_t numbers() const { return clients_.size(); }
    [[nodiscard]] std::span<Client* const> known() const { return known_; }
    /// Those that watch the orders of others.
    [[nodiscard]] std::span<Client* const> copied_to() const { return copied_to_; }

  private:
    using Message = fix_codec::Message;
    using Settings = session::fix::SessionSettings;
    using SharedSettings = std::shared_ptr<const Settings>;
    using Errand = FixErrand<Store>;

    /// In one turn.
    static constexpr std::uint32_t k_most_forgotten = 2;

    void tell_damage(const std::filesystem::path& folder, const Store& store) const;
    [[nodiscard]] std::optional<Settings> settings_for(const session::fix::SessionName& name) const;
    [[nodiscard]] std::expected<void, std::string> open_known(const FixRoster& roster);
    [[nodiscard]] ParticipantId identified(const Settings& settings) const;
    [[nodiscard]] ParticipantId identity_of(std::size_t at) const;
    /// The orders of its participant; one with copies has none that depend on it.
    [[nodiscard]] bool cancels_at_end(const Client& client) const {
        return config_.cancel_on_disconnect && !client.settings.drop_copy;
    }

    // detail/arrivals.hpp
    Client& add_client(SharedSettings settings, std::unique_ptr<Store> store, std::uint32_t number,
                       ParticipantId participant);
    void note_sharing(ParticipantId participant);
    [[nodiscard]] bool is_named(const session::fix::SessionName& name) const;
    [[nodiscard]] std::string_view obstacle_to_arrival(const Settings& settings,
                                                       std::span<const std::byte> bytes,
                                                       session::OutputBuffer& out);
    [[nodiscard]] bool knows_password(const Settings& settings, std::span<const std::byte> bytes);
    [[nodiscard]] bool begin_arrival(std::size_t place, net::ClientAddress host);
    void hand_over(Errand errand);
    void on_done(Errand& errand);
    [[nodiscard]] bool may_be_forgotten(const Client& client) const;
    [[nodiscard]] bool make_room();
    [[nodiscard]] std::string_view obstacle_to_place(std::size_t at, net::ClientAddress host);
    void forget(Client& client, bool by_administrator = false);
    [[nodiscard]] bool is_old(Client& client);

    // detail/administration.hpp
    [[nodiscard]] FixSessionState state_of(const Client& client) const;
    [[nodiscard]] bool administer_one(const FixAdminRequest& request, FixAdminAnswer& answer);
    [[nodiscard]] bool change_one(const FixAdminRequest& request, FixAdminAnswer& answer);
    [[nodiscard]] bool add_one(const FixAdminRequest& request, FixAdminAnswer& answer);
    [[nodiscard]] bool remove_one(const FixAdminRequest& request, FixAdminAnswer& answer);
    [[nodiscard]] std::size_t place_of(const session::fix::SessionName& name) const;
    [[nodiscard]] Client* client_named(const session::fix::SessionName& name) const;
    void cancel_orders_of(Client& client);
    [[nodiscard]] std::string obstacle_to(const FixAdminRequest& request,
                                          const Client& client) const;

    std::unique_ptr<journal::FolderLock> lock_;  ///< one for the folders of all sessions
    FixApplicationConfig config_;
    Context* context_;
    Participants* participants_;
    Storing storing_;
    std::optional<FixRegistry<Store>> registry_;
    std::optional<session::fix::SessionDirectory> directory_;
    budget::Row unnamed_;                           ///< sessions that nobody named
    std::vector<std::unique_ptr<Client>> clients_;  ///< by number; null: it was forgotten
    std::vector<Client*> known_;                    ///< the others
    std::vector<Client*> copied_to_;                ///< those of sessions with drop_copy
    /// What there is of a session of the directory.
    struct Place {
        Client* client = nullptr;     ///< null: it never came
        bool arriving = false;        ///< its store is being made
        budget::Row::Place place{};   ///< until there is a client that has it
        ConnectionNumber awaiting{};  ///< that; zero: nobody
        std::string trouble{};        ///< why it was not made
    };
    std::deque<Place> places_;
    std::size_t errands_ = 0;     ///< pending
    FixRoster::Names added_;      ///< by an administrator
    FixRoster::Names removed_;    ///< by an administrator
    struct Administration {       ///< of the request that is done
        bool begun = false;       ///< what makes it last
        std::size_t errands = 0;  ///< of it that are pending
        std::string trouble{};
    };
    Administration administration_;
    std::string no_room_;  ///< for another unknown session
    FixAdmin admin_;
};

}  // namespace damrak::gateway::fix

#include <damrak/gateway/fix/detail/administration.hpp>
#include <damrak/gateway/fix/detail/arrivals.hpp>
#include <damrak/gateway/fix/detail/session_table.hpp>
