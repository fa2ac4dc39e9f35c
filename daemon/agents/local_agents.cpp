#include "daemon/agents/local_agents.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/store/assignment_store.h"
#include "core/store/contact_store.h"
#include "core/store/event_store.h"
#include "core/store/job_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/envelope.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "core/wire/task_messages.h"
#include "daemon/agents/home_delivery.h"
#include "daemon/agents/stops.h"
#include "daemon/agents/tasks.h"
#include "daemon/consent/door.h"
#include "daemon/consent/mandates.h"
#include "daemon/effects/rows.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

constexpr std::size_t kRoleLengthMax = 32;
constexpr std::size_t kAgentKeyBytes = 32;

/// One word of up to 32 characters of any script.
bool is_role(std::string_view role) {
    const auto is_gap = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= ' ' || byte == 0x7f;
    };
    return !role.empty() && is_utf8(role) && code_point_count(role) <= kRoleLengthMax &&
           printable(role) == role && std::none_of(role.begin(), role.end(), is_gap);
}

Contact new_contact(std::string_view agent_id, std::string_view peer_id, ContactSource source,
                    std::string_view role, UnixMs now_ms) {
    Contact contact;
    contact.agent_id = agent_id;
    contact.peer_id = peer_id;
    contact.source = source;
    contact.role = role;
    contact.added_at_ms = now_ms;
    return contact;
}

/// Everything that is created together with an agent.
struct Birth {
    LocalAgent agent;
    bool parent_is_local = false;
    std::vector<Contact> contacts;
    std::string mandate_json;
    Assignment given;
    HomeDelivery assignment;
    std::function<void()> after;  ///< run on the loop after the commit
};

/// The parent's task that this one is a part of, if it is unambiguous.
Result<std::string> whole_of(store::Database& db, const std::string& parent_id) {
    A2H_ASSIGN_OR_RETURN(const auto live,
                         store::live_assignments(db, parent_id, AssignmentSide::Taken));
    std::string whole;
    for (const Assignment& each : live) {
        if (each.state != AssignmentState::Open) continue;
        if (!whole.empty()) return std::string();
        whole = each.task_id;
    }
    return whole;
}

Result<void> write_task(store::Database& db, Birth& birth) {
    A2H_ASSIGN_OR_RETURN(auto whole, whole_of(db, birth.agent.parent_id));
    birth.given.parent_task_id = std::move(whole);
    const UnixMs now_ms = birth.agent.created_at_ms;
    const std::string& message_id = birth.assignment.message.message_id;
    A2H_TRY(store::insert_assignment(db, birth.given));
    A2H_TRY(add_to_history(db, birth.given, "assigned", message_id,
                           json{{"to", birth.given.peer_id}}, now_ms));
    Assignment taken = birth.given;
    std::swap(taken.agent_id, taken.peer_id);
    taken.side = AssignmentSide::Taken;
    taken.parent_task_id.clear();
    A2H_TRY(store::insert_assignment(db, taken));
    A2H_TRY(
        add_to_history(db, taken, "assigned", message_id, json{{"from", taken.peer_id}}, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto place, consent::put_in_outbox(db, birth.assignment.message));
    birth.assignment.message.id = place.id;
    A2H_ASSIGN_OR_RETURN(const auto delivered, deliver_at_home(db, birth.assignment, now_ms));
    return delivered ? Result<void>()
                     : fail(ErrorCode::Internal, "the message with the task was already delivered");
}

Result<void> write_birth(store::Database& db, Birth& birth) {
    if (birth.parent_is_local) {
        A2H_ASSIGN_OR_RETURN(const auto parent, store::get_local_agent(db, birth.agent.parent_id));
        if (!parent || parent->state != LocalAgentState::Active) {
            return fail(ErrorCode::Conflict, birth.agent.parent_id + " is stopped");
        }
    }
    A2H_TRY(store::insert_local_agent(db, birth.agent));
    for (const Contact& contact : birth.contacts)
        A2H_TRY(store::add_contact(db, contact));
    if (!birth.mandate_json.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto share,
                             mandates::cut_share(db, birth.agent.parent_id, birth.agent.agent_id,
                                                 birth.mandate_json, birth.agent.created_at_ms));
        birth.given.mandate_id = share.id;
    }
    A2H_TRY(write_task(db, birth));
    return record(db, birth.agent, "agent.spawned", birth.agent.created_at_ms);
}

Unexpected no_agent(const std::string& agent_id) {
    return fail(ErrorCode::NotFound, "there is no agent " + agent_id + " in this home");
}

}  // namespace

struct LocalAgents::Impl {
    const kernel::Kernel& kernel;
    const Current<Config>& config;
    Agents& agents;
    Residents& residents;
    MailboxKeeper& mailboxes;
    const outcome::OwnMailTable& own_mail;
    const outcome::Commits& commits;
    std::size_t coming = 0;  ///< agents that are being written

    const wire::SigningKeys& keys_of(const std::string& agent_id) const {
        return agents.at(agent_id)->identity.account.keys;
    }

    int depth_of(const std::string& agent_id);
    Result<void> check_parent(const std::string& parent_id);
    Contact contact_at_home(std::string_view agent_id, const std::string& peer_id,
                            ContactSource source, UnixMs now_ms);
    std::vector<Contact> contacts_of(const LocalAgent& agent, const TaskBrief& brief);
    Result<Birth> new_birth(const std::string& parent_id, const std::string& role_id,
                            const TaskBrief& brief);
    void stopped(const std::vector<std::string>& ids);
    void registered(const std::string& agent_id, const std::string& agent_key);
};

int LocalAgents::Impl::depth_of(const std::string& agent_id) {
    int depth = 0;
    for (const LocalAgent* each = residents.find(agent_id); each != nullptr;
         each = residents.find(each->parent_id))
        ++depth;
    return depth;
}

Result<void> LocalAgents::Impl::check_parent(const std::string& parent_id) {
    const LocalAgent* local = residents.find(parent_id);
    if (local == nullptr && !residents.is_own(parent_id)) return no_agent(parent_id);
    if (local != nullptr && local->state == LocalAgentState::Stopped) {
        return fail(ErrorCode::Conflict, parent_id + " is stopped");
    }
    if (residents.active() + coming >= kAgentsMax) {
        return fail(ErrorCode::ResourceExhausted,
                    "this home has " + std::to_string(kAgentsMax) + " agents; stop some first");
    }
    if (depth_of(parent_id) >= kDepthMax) {
        return fail(ErrorCode::ResourceExhausted, "agents can be created at most " +
                                                      std::to_string(kDepthMax) +
                                                      " levels below the owner's own agents");
    }
    return {};
}

/// The contact with the key that signs the agent's messages, and with its role.
Contact LocalAgents::Impl::contact_at_home(std::string_view agent_id, const std::string& peer_id,
                                           ContactSource source, UnixMs now_ms) {
    Contact contact = new_contact(agent_id, peer_id, source, residents.role_of(peer_id), now_ms);
    const auto peer = agents.find(peer_id);
    if (peer == agents.end()) return contact;
    const wire::KeyPair& keys = peer->second->identity.account.keys.key_pair;
    contact.key_id = keys.key_id;
    contact.public_key = keys.public_key;
    return contact;
}

std::vector<Contact> LocalAgents::Impl::contacts_of(const LocalAgent& agent,
                                                    const TaskBrief& brief) {
    const UnixMs now_ms = agent.created_at_ms;
    std::vector<Contact> contacts{
        contact_at_home(agent.agent_id, agent.parent_id, ContactSource::Parent, now_ms)};
    Contact child =
        new_contact(agent.parent_id, agent.agent_id, ContactSource::Parent, agent.role_id, now_ms);
    child.key_id = agent.key_id;
    child.public_key = agent.public_key;
    contacts.push_back(std::move(child));
    for (const Collaborator& each : brief.collaborators) {
        if (each.agent_id.empty() || each.agent_id == agent.agent_id) continue;
        Contact contact =
            contact_at_home(agent.agent_id, each.agent_id, ContactSource::Preset, now_ms);
        if (!each.role.empty()) contact.role = each.role;
        contact.interface_spec = each.interface_spec;
        contacts.push_back(std::move(contact));
    }
    return contacts;
}

Result<Birth> LocalAgents::Impl::new_birth(const std::string& parent_id, const std::string& role_id,
                                           const TaskBrief& brief) {
    const UnixMs now_ms = kernel.clock.now_ms();
    wire::KeyPair keys = wire::new_key_pair();
    Birth birth;
    birth.agent.agent_id = new_agent_id();
    birth.agent.parent_id = parent_id;
    birth.agent.role_id = role_id;
    birth.agent.agent_key = random_hex(kAgentKeyBytes);
    birth.agent.key_id = std::move(keys.key_id);
    birth.agent.public_key = std::move(keys.public_key);
    birth.agent.secret_key = std::move(keys.secret_key);
    birth.agent.created_at_ms = now_ms;
    birth.parent_is_local = residents.find(parent_id) != nullptr;
    birth.contacts = contacts_of(birth.agent, brief);
    const json brief_json = wire::write_task_brief(brief);
    birth.given.task_id = wire::new_uuid();
    birth.given.agent_id = parent_id;
    birth.given.peer_id = birth.agent.agent_id;
    birth.given.side = AssignmentSide::Given;
    birth.given.brief_json = wire::canonical_json(brief_json);
    birth.given.created_at_ms = now_ms;
    birth.given.updated_at_ms = now_ms;
    const OutboxMessage message =
        effects::new_mail(parent_id, birth.agent.agent_id, "task_assignment",
                          json{{"task_id", birth.given.task_id}, {"task_brief", brief_json}},
                          "spawn:" + birth.agent.agent_id, now_ms);
    A2H_ASSIGN_OR_RETURN(const auto envelope,
                         wire::sign_envelope(message, keys_of(parent_id), now_ms));
    A2H_ASSIGN_OR_RETURN(auto delivery, new_home_delivery(message, envelope, now_ms));
    birth.assignment = std::move(delivery);
    return birth;
}

void LocalAgents::Impl::stopped(const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
        residents.stop(id, kernel.clock.now_ms());
        mailboxes.stop_local(id);
    }
}

LocalAgents::LocalAgents(const kernel::Kernel& kernel, const Current<Config>& config,
                         Agents& agents, Residents& residents, MailboxKeeper& mailboxes,
                         const outcome::OwnMailTable& own_mail, const outcome::Commits& commits)
    : impl_(std::make_unique<Impl>(
          Impl{kernel, config, agents, residents, mailboxes, own_mail, commits})) {}
LocalAgents::~LocalAgents() = default;

Result<void> LocalAgents::load() {
    A2H_ASSIGN_OR_RETURN(auto stored, store::list_local_agents(impl_->kernel.reader));
    for (const auto& [id, agent] : impl_->agents)
        greet(id);
    for (LocalAgent& agent : stored) {
        if (agent.state == LocalAgentState::Active) impl_->mailboxes.start_local(agent);
        impl_->residents.add(std::move(agent));
    }
    return {};
}

void LocalAgents::greet(const std::string& agent_id) {
    const kernel::Kernel& kernel = impl_->kernel;
    const auto known = store::get_contact(kernel.reader, agent_id, kUser);
    if (!known || *known) return;
    kernel.write(
        store::Writer::Priority::Background,
        [agent_id, now_ms = kernel.clock.now_ms()](store::Database& db) -> Result<void> {
            const auto system = ContactSource::System;
            A2H_TRY(store::add_contact(db, new_contact(agent_id, kUser, system, kUser, now_ms)));
            return store::add_contact(db, new_contact(kUser, agent_id, system, kRoot, now_ms));
        },
        [](const Result<void>&) {});  // if it fails, the agent is greeted again at the next start
}

Result<void> LocalAgents::check_spawn(const std::string& parent_id,
                                      const std::string& role_id) const {
    if (!is_role(role_id)) {
        return fail(ErrorCode::InvalidArgument,
                    "role_id must be one word of at most 32 characters");
    }
    return impl_->check_parent(parent_id);
}

void LocalAgents::spawn(const std::string& parent_id, const std::string& role_id,
                        const TaskBrief& brief, const std::string& mandate_json,
                        std::function<void(Result<Spawned>)> done, Along along) {
    if (const auto fits = check_spawn(parent_id, role_id); !fits) return done(fail(fits.error()));
    auto made = impl_->new_birth(parent_id, role_id, brief);
    if (!made) return done(fail(made.error()));
    auto birth = std::make_shared<Birth>(std::move(*made));
    birth->mandate_json = mandate_json;
    // Before the commit, so that a reader of the database finds its mailbox ready.
    impl_->mailboxes.start_local(birth->agent);
    ++impl_->coming;
    impl_->kernel.write(
        store::Writer::Priority::Urgent,
        [birth, &own_mail = impl_->own_mail,
         along = std::move(along)](store::Database& db) -> Result<void> {
            A2H_TRY(write_birth(db, *birth));
            if (along) A2H_TRY(along(db, Spawned{birth->agent, birth->given.task_id}));
            A2H_ASSIGN_OR_RETURN(auto after, own_mail.take_at_home(db, birth->assignment.arrival));
            birth->after = std::move(after);
            return {};
        },
        [this, birth, done = std::move(done)](const Result<void>& written) {
            --impl_->coming;
            if (!written) {
                impl_->mailboxes.stop_local(birth->agent.agent_id);
                return done(fail(written.error()));
            }
            impl_->residents.add(birth->agent);
            birth->after();
            done(Spawned{birth->agent, birth->given.task_id});
        });
}

void LocalAgents::stop(const std::string& agent_id, StoppedBy by,
                       std::function<void(Result<int>)> done) {
    if (impl_->residents.is_own(agent_id)) {
        return done(fail(ErrorCode::InvalidArgument,
                         agent_id + " is one of the owner's own agents; the owner can take it out "
                                    "of the home with `a2h agent remove`"));
    }
    if (impl_->residents.find(agent_id) == nullptr) return done(no_agent(agent_id));
    const kernel::Kernel& kernel = impl_->kernel;
    auto ids = std::make_shared<std::vector<std::string>>();
    kernel.write(
        store::Writer::Priority::Urgent,
        [ids, agent_id, by, policy = policy_of(impl_->config),
         now_ms = kernel.clock.now_ms()](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto stopped, write_stops(db, agent_id, by, *policy, now_ms));
            *ids = std::move(stopped);
            return {};
        },
        [this, ids, done = std::move(done)](const Result<void>& written) {
            if (!written) return done(fail(written.error()));
            impl_->stopped(*ids);
            impl_->commits.rows_written();
            done(static_cast<int>(ids->size()));
        });
}

void LocalAgents::Impl::registered(const std::string& agent_id, const std::string& agent_key) {
    if (residents.is_stopped(agent_id)) return;
    residents.set_registered(agent_id, agent_key);
    mailboxes.start_local(*residents.find(agent_id));
}

void LocalAgents::register_at_market(const std::string& agent_id,
                                     std::function<void(Result<void>)> done) {
    const LocalAgent* agent = impl_->residents.find(agent_id);
    if (agent == nullptr || agent->state == LocalAgentState::Stopped)
        return done(no_agent(agent_id));
    if (agent->is_registered) return done({});
    const kernel::Kernel& kernel = impl_->kernel;
    kernel.run_blocking<Result<std::string>>(
        impl_->mailboxes.registration_of(*agent),
        [this, &kernel, agent_id, done](const Result<std::string>& agent_key) {
            if (!agent_key) return done(fail(agent_key.error()));
            kernel.write(
                store::Writer::Priority::Urgent,
                [agent_id, key = *agent_key](store::Database& db) {
                    return store::set_local_agent_registered(db, agent_id, key);
                },
                [this, agent_id, key = *agent_key, done](const Result<void>& written) {
                    if (written) impl_->registered(agent_id, key);
                    done(written);
                });
        },
        [] { return fail(ErrorCode::ResourceExhausted, "too many requests are waiting"); });
}

consent::Carrier carrier_by(LocalAgents& agents) {
    return [&agents](const Approval& approval, const nlohmann::json& arguments, consent::UseYes use,
                     std::function<void(const Result<void>&)> done) {
        const auto brief = wire::read_task_brief(wire::member(arguments, "task_brief"));
        if (!brief) return done(fail(brief.error()));
        const auto spawned = [&agents, done, wants_market = arguments.value("register", false)](
                                 const Result<LocalAgents::Spawned>& made) {
            if (!made) return done(fail(made.error()));
            done({});
            // A refusal of the market is logged, and a person can request the registration again.
            if (wants_market)
                agents.register_at_market(made->agent.agent_id, [](const Result<void>&) {});
        };
        agents.spawn(
            approval.agent_id, wire::text_member(arguments, "role_id"), *brief,
            wire::canonical_json(wire::member(arguments, "mandate")), spawned,
            [use = std::move(use)](store::Database& db, const LocalAgents::Spawned& made) {
                return use(db, {{"agent_id", made.agent.agent_id}, {"task_id", made.task_id}});
            });
    };
}

}  // namespace a2h::agents
