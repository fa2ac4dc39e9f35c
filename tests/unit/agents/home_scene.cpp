#include "tests/unit/agents/home_scene.h"

#include <doctest/doctest.h>

#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/envelope.h"
#include "core/wire/task_brief.h"
#include "daemon/app/features.h"
#include "daemon/consent/actions.h"
#include "daemon/effects/rows.h"
#include "tests/support/identity.h"

namespace a2h::test {

using nlohmann::json;

TaskBrief sample_brief(const std::string& objective) {
    TaskBrief brief;
    brief.objective = objective;
    brief.constraints = {"no network"};
    brief.inputs = "a file";
    brief.outputs = "a number";
    brief.completion_criteria = "the number is right";
    return brief;
}

json brief_json(const std::string& objective) {
    return wire::write_task_brief(sample_brief(objective));
}

namespace {

std::unique_ptr<store::Database> open_scene_db(const std::filesystem::path& folder,
                                               store::Database::Mode mode) {
    return store::Database::open(folder / "a2hd.db", mode).value();
}

constexpr auto kReadWrite = store::Database::Mode::ReadWrite;
constexpr auto kReadOnly = store::Database::Mode::ReadOnly;

}  // namespace

HomeScene::HomeScene(std::filesystem::path given_folder, Config given)
    : folder(std::move(given_folder)),
      writer(std::make_unique<store::Writer>(open_scene_db(folder, kReadWrite))),
      reader(open_scene_db(folder, kReadOnly)),
      config(std::move(given)),
      key_ring(open_scene_db(folder, kReadOnly)) {
    register_features();
    add_own("ag_root");
    add_own("ag_root2");
    local_agents = std::make_unique<agents::LocalAgents>(kernel, config, agents, residents, *this,
                                                         own_mail, commits);
    dispatcher = std::make_unique<mail::Dispatcher>(kernel, config, metrics, agents, delivery,
                                                    read_mail, commits);
    way = std::make_unique<mail::Way>(kernel, config, agents, authenticator, deciding, own_mail,
                                      read_mail, stages, commits);
    thread_ = std::thread([this] { loop.run(); });
    on_loop([this] {
        REQUIRE(local_agents->load());
        way->start();
        dispatcher->search_due();
    });
    settle();
}

HomeScene::~HomeScene() {
    loop.stop();
    thread_.join();
    writer.reset();
}

void HomeScene::add_own(const std::string& agent_id) {
    auto known = test::identity_of(agent_id);
    known.account.keys = {"key of " + agent_id, wire::new_key_pair()};
    agents[agent_id] = std::make_unique<Agent>(std::move(known), 0U);
}

void HomeScene::start_local(const LocalAgent& local) {
    auto& agent = agents[local.agent_id];
    if (!agent) {
        agent = std::make_unique<Agent>(test::identity_of(local.agent_id), local.parent_id);
    }
    agent->is_registered = local.is_registered;
    agent->identity.account.keys = {local.agent_key,
                                    {local.key_id, local.public_key, local.secret_key}};
    started.push_back(local.agent_id);
}

void HomeScene::stop_local(const std::string& agent_id) {
    agents.at(agent_id)->is_stopped = true;
    stopped.push_back(agent_id);
}

void HomeScene::on_loop(const std::function<void()>& work) {
    std::promise<void> done;
    loop.post([&] {
        work();
        done.set_value();
    });
    done.get_future().wait();
}

void HomeScene::settle() {
    for (int i = 0; i < 8; ++i) {
        REQUIRE(write([](store::Database&) { return Result<void>(); }));
        on_loop([] {});
    }
}

Result<void> HomeScene::write(const store::Writer::Work& work) {
    return writer->submit_urgent(work).get();
}

Result<agents::LocalAgents::Spawned> HomeScene::try_spawn(const std::string& parent,
                                                          const TaskBrief& brief,
                                                          const std::string& role,
                                                          const std::string& mandate_json) {
    std::promise<Result<agents::LocalAgents::Spawned>> spawned;
    on_loop([&] {
        local_agents->spawn(parent, role, brief, mandate_json,
                            [&](Result<agents::LocalAgents::Spawned> result) {
                                spawned.set_value(std::move(result));
                            });
    });
    auto result = spawned.get_future().get();
    settle();
    return result;
}

std::string HomeScene::spawn(const std::string& parent, const TaskBrief& brief,
                             const std::string& role) {
    const auto spawned = try_spawn(parent, brief, role);
    REQUIRE_MESSAGE(spawned.has_value(), (spawned ? "" : spawned.error().message));
    return spawned->agent.agent_id;
}

Result<int> HomeScene::stop(const std::string& agent_id) {
    std::promise<Result<int>> count;
    on_loop([&] {
        local_agents->stop(agent_id, agents::StoppedBy::Human,
                           [&](Result<int> result) { count.set_value(std::move(result)); });
    });
    auto result = count.get_future().get();
    settle();
    return result;
}

Result<std::string> HomeScene::send(const std::string& from, const std::string& to,
                                    const std::string& type, const json& payload) {
    const OutboxMessage message =
        effects::new_mail(from, to, type, payload, "rule:test", clock.now_ms());
    std::promise<Result<void>> queued;
    on_loop([&] {
        dispatcher->queue(
            message, [&](store::Database& db) { return agents::queue_mail(db, message); },
            [&](const Result<void>& result) { queued.set_value(result); });
    });
    // Before settle(), whose own writes would else join the message's commit and its failure.
    const auto written = queued.get_future().get();
    settle();
    if (!written) return fail(written.error());
    return message.message_id;
}

InboxMessage HomeScene::arrival(const std::string& from, const std::string& to,
                                const std::string& type, const json& payload,
                                Provenance provenance) const {
    const OutboxMessage sent =
        effects::new_mail(from, to, type, payload, "task:test", clock.now_ms());
    InboxMessage message;
    message.agent_id = to;
    message.sender_id = from;
    message.message_id = sent.message_id;
    message.message_type = type;
    message.trace_id = sent.trace_id;
    message.payload_json = sent.payload_json;
    message.payload_hash = wire::sha256_hex(sent.payload_json);
    message.envelope_json = sent.payload_json;
    message.provenance = provenance;
    message.received_at_ms = clock.now_ms();
    return message;
}

InboxMessage HomeScene::receive(const std::string& from, const std::string& to,
                                const std::string& type, const json& payload,
                                Provenance provenance) {
    return receive(arrival(from, to, type, payload, provenance), {});
}

InboxMessage HomeScene::receive(InboxMessage message, const store::SenderProof& proof) {
    REQUIRE(write([&](store::Database& db) -> Result<void> {
        A2H_ASSIGN_OR_RETURN(const auto inserted, store::insert_inbox(db, message, proof));
        message.id = inserted.inbox_id;
        Contact contact;
        contact.agent_id = message.agent_id;
        contact.peer_id = message.sender_id;
        contact.added_at_ms = message.received_at_ms;
        return store::add_contact(db, contact);
    }));
    on_loop([&] { way->accept(message); });
    settle();
    return message;
}

std::vector<HistoryEntry> HomeScene::mail(const std::string& agent_id, const std::string& peer_id) {
    return store::history(*reader, agent_id, peer_id, 1, 100).value();
}

Job HomeScene::job_of(const InboxMessage& message) {
    return store::get_job(*reader, message.id).value().value();
}

Assignment HomeScene::assignment(const std::string& agent_id, const std::string& task_id) {
    const auto found = store::get_assignment(*reader, agent_id, task_id).value();
    REQUIRE_MESSAGE(found.has_value(), agent_id << " has no task " << task_id);
    return *found;
}

std::vector<std::string> HomeScene::story(const std::string& agent_id, const std::string& task_id) {
    std::vector<std::string> kinds;
    const auto entries = store::assignment_story(*reader, assignment(agent_id, task_id), 0, 100);
    for (const AssignmentEntry& entry : *entries)
        kinds.push_back(entry.kind);
    return kinds;
}

std::optional<Contact> HomeScene::contact(const std::string& agent_id, const std::string& peer_id) {
    return store::get_contact(*reader, agent_id, peer_id).value();
}

std::vector<Approval> HomeScene::open_approvals(const std::string& agent_id) {
    return store::list_approvals(*reader, agent_id, ApprovalStatus::Pending, 100).value();
}

std::vector<Event> HomeScene::events(const std::string& kind) {
    std::vector<Event> found;
    for (const auto& [id, agent] : agents) {
        const auto all = store::events_after(*reader, id, 0, 10'000);
        for (const Event& event : *all) {
            if (event.kind == kind) found.push_back(event);
        }
    }
    return found;
}

void HomeScene::answer(const Approval& approval, AnswerKind kind) {
    consent::Answer given;
    given.approval_id = approval.id;
    given.kind = kind;
    given.surface = AnswerSurface::Terminal;
    given.pin = consent::ProofState::Valid;
    Approval after;
    REQUIRE(write([&](store::Database& db) -> Result<void> {
        A2H_ASSIGN_OR_RETURN(
            const auto outcome,
            consent::apply_answer(db, given, secrets, config->approval, clock.now_ms()));
        REQUIRE(outcome.answered);
        after = outcome.answered->approval;
        if (!outcome.answered->needs_execution) return {};
        const auto job =
            consent::row_of(after.action).carry_out(db, after, config->approval, clock.now_ms());
        return job ? Result<void>() : fail(job.error());
    }));
    on_loop([this] { dispatcher->search_due(); });
    settle();
}

}  // namespace a2h::test
