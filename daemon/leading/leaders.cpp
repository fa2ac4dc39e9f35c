#include "daemon/leading/leaders.h"

#include <charconv>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/platform/client.h"
#include "core/store/event_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/outbox_store.h"
#include "core/store/setting_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "daemon/backup/folder.h"
#include "daemon/consent/approvals.h"
#include "daemon/effects/rows.h"
#include "daemon/leading/lease_answer.h"
#include "daemon/mail/other_instance.h"

namespace a2h::leading {
namespace {

using nlohmann::json;

/// The epoch of the last lease of this home.
constexpr std::string_view kEpochSetting = "lease.epoch";
/// The instance that had that lease: a copied or restored database has the epoch of another one.
constexpr std::string_view kInstanceSetting = "lease.instance";
/// "1" once another instance of the agent was seen.
constexpr std::string_view kOthersSetting = "lease.others";
constexpr std::chrono::seconds kCheckEvery{1};
constexpr int kLeaseThreads = 2;
constexpr std::size_t kDeviceBytesMax = 256;
constexpr std::size_t kInstanceDigits = 32;

Result<LeaseAnswer> ask_market(platform::Client& market, const std::string& instance,
                               std::optional<std::int64_t> epoch) {
    json body{{"instanceId", instance}};
    if (epoch) body["epoch"] = *epoch;
    if (!epoch) body["clientId"] = mqtt::listener_client_id(market.agent_id());
    const auto step = epoch ? platform::LeaseStep::Renew : platform::LeaseStep::Acquire;
    A2H_ASSIGN_OR_RETURN(const auto answer, market.request_lease(step, body));
    return read_lease(answer);
}

std::optional<std::int64_t> stored_number(store::Database& db, std::string_view agent_id,
                                          std::string_view key) {
    const auto text = store::get_setting(db, agent_id, key);
    if (!text || !*text) return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] =
        std::from_chars((*text)->data(), (*text)->data() + (*text)->size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// The epoch of the last lease of this instance. Older versions did not store whose it was.
std::optional<std::int64_t> own_epoch(store::Database& db, std::string_view agent_id,
                                      std::string_view instance) {
    const auto holder = store::get_setting(db, agent_id, kInstanceSetting);
    const bool is_anothers = !holder || (*holder && **holder != instance);
    return is_anothers ? std::nullopt : stored_number(db, agent_id, kEpochSetting);
}

/// Leaves to the human what another instance may have answered for an agent and the agents that it
/// created.
Result<void> leave_to_human(store::Database& db, const std::string& root_id, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto agents, store::active_agents_below(db, root_id));
    for (const std::string& id : agents) {
        A2H_TRY(mail::set_other_instance_before(db, id, now_ms));
        A2H_TRY(store::hold_rule_outbox(db, id, now_ms));
    }
    return {};
}

/// Runs in the writer's transaction.
Result<void> notify_of_role(store::Database& db, const std::string& agent_id, const char* kind,
                            const consent::Policy& policy, UnixMs now_ms) {
    Notification news;
    news.agent_id = agent_id;
    news.kind = kind;
    news.body_json = wire::canonical_json(
        json{{"text",
              i18n::text(policy.language, "daemon." + std::string(kind), {{"agent", agent_id}})}});
    A2H_TRY(store::insert_event(
        db, effects::new_event(agent_id, kind, agent_id, news.body_json, now_ms)));
    return consent::notify_human(db, news, policy, now_ms);
}

}  // namespace

struct Leaders::Watched {
    Agent& agent;
    Lease lease;
    std::shared_ptr<LeaseGate> gate;
    bool asking = false;
    bool is_ready = true;  ///< false: the changes of a takeover have not been written yet
    Lease::Time next_question{0};

    const std::string& id() const { return agent.identity.account.agent_id; }
};

Result<std::string> instance_of(const control::Home& home) {
    auto device = backup::read_whole(home.device_file(), kDeviceBytesMax);
    if (!device) {
        device = random_hex(16) + "\n";
        A2H_TRY(backup::write_durable(home.device_file(), *device));
    }
    const auto machine = backup::read_whole("/etc/machine-id", kDeviceBytesMax);
    return wire::sha256_hex(*device + (machine ? *machine : std::string()) + home.root.string())
        .substr(0, kInstanceDigits);
}

Leaders::Leaders(const kernel::Kernel& kernel, const Current<Config>& config, std::string instance,
                 const outcome::Commits& commits, bool serves)
    : kernel_(kernel),
      config_(config),
      instance_(std::move(instance)),
      commits_(commits),
      workers_(serves ? std::make_unique<Workers>(kLeaseThreads) : nullptr) {}

Leaders::~Leaders() = default;

std::shared_ptr<const LeaseGate> Leaders::gate_of(const std::string& agent_id) {
    auto& gate = gates_[agent_id];
    if (!gate) gate = std::make_shared<LeaseGate>();
    return gate;
}

void Leaders::watch(Agent& agent) {
    const std::string& id = agent.identity.account.agent_id;
    gate_of(id);
    const bool others = stored_number(kernel_.reader, id, kOthersSetting) == 1;
    auto watched = std::make_unique<Watched>(Watched{agent, Lease(others), gates_.at(id)});
    Watched& added = *watched;
    watched_[id] = std::move(watched);
    added.lease.checked(boot_time());
    ask(added);
    if (watched_.size() > 1) return;
    kernel_.loop.call_after(kCheckEvery, [this] { check(); });
}

std::optional<Leaders::View> Leaders::view(const std::string& agent_id) const {
    const auto found = watched_.find(agent_id);
    if (found == watched_.end()) return std::nullopt;
    const Lease& lease = found->second->lease;
    return View{lease.standing(), lease.leader(), lease.leader() == instance_};
}

bool Leaders::follows(const std::string& agent_id) const {
    const auto seen = view(agent_id);
    return seen && seen->standing == Standing::Following;
}

void Leaders::check() {
    const Lease::Time now = boot_time();
    for (auto& [id, watched] : watched_) {
        if (watched->agent.is_stopped) continue;
        const bool slept = watched->lease.checked(now);
        set_gate(*watched);
        if (slept || now >= watched->next_question) ask(*watched);
        // An instance that may not act any more disconnects, so that the acting one can connect.
        if (watched->agent.connected && watched->agent.connection && !watched->gate->may_act())
            watched->agent.connection->renew("the lease could not be renewed");
    }
    kernel_.loop.call_after(kCheckEvery, [this] { check(); });
}

void Leaders::ask(Watched& watched) {
    if (watched.asking || watched.lease.standing() == Standing::Alone) return;
    const Lease::Time asked_at = boot_time();
    watched.next_question = asked_at + Lease::kAskEvery;
    std::optional<std::int64_t> epoch;
    if (watched.lease.standing() == Standing::Leading) epoch = watched.lease.epoch();
    watched.asking =
        workers_->submit([this, &watched, asked_at, epoch, market = watched.agent.platform.get()] {
            auto answer = ask_market(*market, instance_, epoch);
            kernel_.loop.post([this, &watched, asked_at, answer = std::move(answer)] {
                watched.asking = false;
                answered(watched, answer, asked_at);
            });
        });
}

void Leaders::answered(Watched& watched, const Result<LeaseAnswer>& answer, Lease::Time asked_at) {
    const Standing before = watched.lease.standing();
    const Lease::Change change = watched.lease.answered(answer, asked_at);
    if (change == Lease::Change::Acquired) acquired(watched);
    if (change == Lease::Change::Lost) lost(watched);
    set_gate(watched);
    const Standing now = watched.lease.standing();
    if (before == now) return;
    log::info("The role of this instance has changed",
              {{"agent", watched.id()}, {"role", to_string(now)}});
    // This instance learns here for the first time that others exist, and must know it after a
    // restart.
    if (now == Standing::Following && before == Standing::Asking) begin(watched, false);
}

/// If the lease directly follows our last one, or is the first of all, no other instance has led in
/// between.
void Leaders::acquired(Watched& watched) {
    const std::int64_t epoch = watched.lease.epoch();
    const auto before = own_epoch(kernel_.reader, watched.id(), instance_);
    if (before == epoch) return;
    const bool others_led = epoch > before.value_or(0) + 1;
    if (others_led) watched.lease.saw_others();
    begin(watched, others_led);
}

/// After a takeover the gate opens with the commit, so that nothing that the other instance
/// answered is answered again.
void Leaders::begin(Watched& watched, bool others_led) {
    watched.is_ready = !others_led;
    const UnixMs now_ms = kernel_.clock.now_ms();
    kernel_.write(
        store::Writer::Priority::Grouped,
        [id = watched.id(), instance = instance_, others = watched.lease.others_seen(), others_led,
         now_ms, leads = watched.lease.standing() == Standing::Leading,
         epoch = watched.lease.epoch(),
         policy = policy_of(config_)](store::Database& db) -> Result<void> {
            if (leads) {
                A2H_TRY(store::put_setting(db, id, kEpochSetting, std::to_string(epoch)));
                A2H_TRY(store::put_setting(db, id, kInstanceSetting, instance));
            }
            if (others) A2H_TRY(store::put_setting(db, id, kOthersSetting, "1"));
            if (!others_led) return {};
            A2H_TRY(leave_to_human(db, id, now_ms));
            return notify_of_role(db, id, "lease.taken", *policy, now_ms);
        },
        [this, &watched, others_led](const Result<void>& written) {
            if (!written) {
                kernel_.loop.call_after(
                    kCheckEvery, [this, &watched, others_led] { begin(watched, others_led); });
                return;
            }
            watched.is_ready = true;
            set_gate(watched);
            commits_.rows_written();
        });
}

void Leaders::lost(Watched& watched) {
    set_gate(watched);
    if (!watched.agent.connection) return;  // it was removed from the home
    watched.agent.connection->renew("another instance acts for this agent");
    kernel_.write(
        store::Writer::Priority::Grouped,
        [id = watched.id(), now_ms = kernel_.clock.now_ms(),
         policy = policy_of(config_)](store::Database& db) -> Result<void> {
            A2H_TRY(store::put_setting(db, id, kOthersSetting, "1"));
            return notify_of_role(db, id, "lease.lost", *policy, now_ms);
        },
        [this](const Result<void>&) { commits_.rows_written(); });
}

void Leaders::set_gate(Watched& watched) {
    watched.agent.stays_offline = watched.lease.standing() == Standing::Following;
    watched.gate->open_until(watched.is_ready ? watched.lease.acts_until() : Lease::Time{0});
}

}  // namespace a2h::leading
