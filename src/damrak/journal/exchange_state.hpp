// The state of the exchange as it follows from a journal: the engine, the sessions, the names of
// open orders. It is told nothing but records. What a restart recovers, what a snapshot holds, and
// what verification, replay and the replica run.
//
// A class template over the observer that hears what happens, behind the exchange and on the thread
// of whoever applies the records (a feed is one, see also Replica):
//
//   observer.on_event(event, stamp)    each event, in order
//   observer.on_fix_event(event, origin, stamp, applied)   the same before that, if it has this
//   observer.on_batch_end(caught_up)   some records were applied; true: all that there were
//
// One thread; a record costs a copy of its command, the engine's work and that of the names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <damrak/base/archive.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/journal/attachment.hpp>
#include <damrak/journal/progress.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/views/fix_orders.hpp>
#include <damrak/views/order_names.hpp>
#include <damrak/views/udp_clients.hpp>

namespace damrak::journal {

/// A checkpoint of the journal with another hash than the replayed state has.
struct Divergence {
    std::uint64_t sequence = 0;
    std::uint64_t recorded = 0;
    std::uint64_t replayed = 0;
};

struct EventCounter {
    std::uint64_t events = 0;
    std::uint64_t trades = 0;
    std::uint64_t rejects = 0;
    void on_event(const Event& event, const CommandStamp& /*stamp*/) {
        ++events;
        trades += event.kind == EventKind::executed && !has_flag(event, EventFlags::k_aggressor);
        rejects += event.kind == EventKind::rejected;
    }
    void on_batch_end(bool /*caught_up*/) {}
};

template <class Observer = EventCounter>
class ExchangeState {
  public:
    explicit ExchangeState(const EngineConfig& config, Observer observer = {})
        : observer_(std::move(observer)),
          engine_{config},
          views_for_(config),
          names_(config),
          fix_orders_(config),
          udp_clients_(config) {}
    ExchangeState(const ExchangeState&) = delete;
    ExchangeState& operator=(const ExchangeState&) = delete;

    /// As new, with what a journal was begun with, which may be less; before anything else.
    void begin(const EngineConfig& config) {
        if (config != engine_.config()) engine_ = Engine{config};
        make_room();
    }

    /// In order, without gaps, any number at a time.
    void apply(std::span<const Record> records) {
        for (const Record& record : records) {
            if (is_engine_kind(record.head.kind)) [[likely]] {
                udp_clients_.note_record(record.command, origin_of(record.head));
                commands_[waiting_] = record.command;
                heads_[waiting_++] = &record.head;
                if (waiting_ == commands_.size() ||
                    record.command.kind == CommandKind::set_capacities)
                    flush();
                continue;
            }
            flush();
            if (record.head.kind == k_checkpoint_kind) {
                check(record);
            } else if (record.head.kind == k_attachment_kind) {
                attachment_ = record;
            } else if (record.head.kind < k_first_journal_kind) {
                progress_.note_session(record.command, {record.head.session});
                udp_clients_.note_record(record.command, origin_of(record.head));
            }
        }
        flush();
    }

    /// Before the first record, and again once all of a journal is applied: see views::FixOrders.
    void follow_all_orders(bool follows) { fix_orders_.follow_all(follows); }

    /// Tells the observer; for whoever follows a journal that grows.
    void end_batch(bool caught_up) { observer_.on_batch_end(caught_up); }

    [[nodiscard]] std::uint64_t state_hash() const { return engine_.state_hash(); }
    [[nodiscard]] static constexpr std::uint32_t state_layout() {
        constexpr std::uint32_t k_version = 11;
        return (Engine::state_layout() ^ k_version) * 16'777'619;
    }
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        Engine::transfer(self.engine_, archive);
        if constexpr (!std::is_const_v<Self>) self.make_room();
        Progress::transfer(self.progress_, archive);
        views::OrderNames::transfer(self.names_, archive);
        views::FixOrders::transfer(self.fix_orders_, archive);
        views::UdpClients::transfer(self.udp_clients_, archive);
        archive.value(self.attachment_);
    }

    [[nodiscard]] const Engine& engine() const { return engine_; }
    [[nodiscard]] const Progress& progress() const { return progress_; }
    [[nodiscard]] const views::OrderNames& names() const { return names_; }
    [[nodiscard]] const views::FixOrders& fix_orders() const { return fix_orders_; }
    [[nodiscard]] const views::UdpClients& udp_clients() const { return udp_clients_; }
    [[nodiscard]] Observer& observer() { return observer_; }
    [[nodiscard]] const Observer& observer() const { return observer_; }
    [[nodiscard]] std::uint64_t checkpoints() const { return checkpoints_; }
    /// The first checkpoint that did not agree.
    [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }

  private:
    static constexpr std::size_t k_batch = 64;

    void on_event(const Event& event, std::size_t command) {
        const RecordHead& head = *heads_[command];
        const CommandStamp stamp{{head.sequence}, commands_[command].timestamp};
        const Origin origin = origin_of(head);
        names_.on_event(event, origin);
        [[maybe_unused]] const views::FixOrders::Applied applied =
            fix_orders_.apply(event, origin, request_of(commands_[command], head));
        std::ignore = udp_clients_.apply(event, origin);
        if constexpr (requires { observer_.on_fix_event(event, origin, stamp, applied); })
            observer_.on_fix_event(event, origin, stamp, applied);
        observer_.on_event(event, stamp);
        if (event.kind == EventKind::capacities_set) make_room();
    }

    /// For all that the engine has room for.
    void make_room() {
        if (views_for_.has_room_of(engine_.config())) return;
        views_for_ = engine_.config();
        enlarge(names_);
        enlarge(fix_orders_);
        enlarge(udp_clients_);
    }
    template <class View>
    void enlarge(View& view) {
        const auto bytes =
            saved_bytes([&view](auto& archive) { View::transfer(std::as_const(view), archive); });
        view = View{views_for_};
        LoadArchive loaded{bytes};
        View::transfer(view, loaded);
        DAMRAK_ASSERT(loaded.complete());
    }

    /// What a door left with a command beyond its tag; the text is good until the next one's.
    [[nodiscard]] views::FixRequest request_of(const Command& command, const RecordHead& head) {
        views::FixRequest request{.terms = views::FixTerms::of(command)};
        if (door_of({head.session}) == Door::fix && is_attached(attachment_.head, head)) {
            text_ = attachment_of(attachment_);
            request.attachment = text_.view();
        }
        return request;
    }
    void flush() {
        const auto queued = std::span{commands_}.first(waiting_);
        engine_.apply_queued(queued, [this](std::size_t i, const Slice& slice) {
            for (const Event& event : slice) on_event(event, i);
            if (!slice.more) progress_.note_applied(commands_[i], engine_.left_work());
        });
        waiting_ = 0;
    }
    void check(const Record& record) {
        ++checkpoints_;
        const std::uint64_t hash = engine_.state_hash();
        if (hash != checkpoint_hash(record) && !divergence_)
            divergence_ = {.sequence = record.head.sequence,
                           .recorded = checkpoint_hash(record),
                           .replayed = hash};
    }

    Observer observer_;
    Engine engine_;
    EngineConfig views_for_;  ///< at least what the engine has
    Progress progress_;
    views::OrderNames names_;
    views::FixOrders fix_orders_;
    views::UdpClients udp_clients_;
    Record attachment_{};  ///< the last one
    Attachment text_;
    // Commands that wait to be applied together. Their heads stay where they are: nothing waits
    // beyond the call that brought it.
    std::array<Command, k_batch> commands_{};
    std::array<const RecordHead*, k_batch> heads_{};
    std::size_t waiting_ = 0;
    std::uint64_t checkpoints_ = 0;
    std::optional<Divergence> divergence_;
};

}  // namespace damrak::journal
