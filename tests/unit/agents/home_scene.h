#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/assignment_store.h"
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/introduction_store.h"
#include "core/store/job_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/outbox_store.h"
#include "daemon/agents/agent_mail.h"
#include "daemon/agents/local_agents.h"
#include "daemon/agents/resident_delivery.h"
#include "daemon/agents/tasks.h"
#include "daemon/collab/demand_mail.h"
#include "daemon/mail/dispatcher.h"
#include "daemon/mail/way.h"
#include "tests/support/manual_clock.h"
#include "tests/support/read_mail.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

constexpr UnixMs kHomeAt = 1'760'000'000'000;

TaskBrief sample_brief(const std::string& objective = "Count the words");
nlohmann::json brief_json(const std::string& objective = "Count the words");

/// A home on a real database with loop, decider and dispatcher, and no connection to the outside:
/// two agents of the owner, `ag_root` and `ag_root2`.
class HomeScene final : public agents::MailboxKeeper {
  public:
    explicit HomeScene(std::filesystem::path folder, Config given = {});
    ~HomeScene();

    /// Runs `work` on the loop and waits for it.
    void on_loop(const std::function<void()>& work);
    /// Waits until everything that loop and writer have begun is done.
    void settle();
    /// In a transaction of the writer.
    Result<void> write(const store::Writer::Work& work);

    Result<agents::LocalAgents::Spawned> try_spawn(const std::string& parent,
                                                   const TaskBrief& brief = sample_brief(),
                                                   const std::string& role = "researcher",
                                                   const std::string& mandate_json = "");
    /// The id of the new agent.
    std::string spawn(const std::string& parent, const TaskBrief& brief = sample_brief(),
                      const std::string& role = "researcher");
    Result<int> stop(const std::string& agent_id);
    /// Queues a message as an operation does and lets it arrive. Errors: of `queue_mail`.
    Result<std::string> send(const std::string& from, const std::string& to,
                             const std::string& type, const nlohmann::json& payload);
    /// Lets a message of an agent of another home arrive, as the receiver does.
    InboxMessage receive(const std::string& from, const std::string& to, const std::string& type,
                         const nlohmann::json& payload,
                         Provenance provenance = Provenance::Verified);
    /// The same in two steps, for a message that is not like all others.
    InboxMessage arrival(const std::string& from, const std::string& to, const std::string& type,
                         const nlohmann::json& payload, Provenance provenance) const;
    InboxMessage receive(InboxMessage message, const store::SenderProof& proof);

    std::vector<HistoryEntry> mail(const std::string& agent_id, const std::string& peer_id);
    Job job_of(const InboxMessage& message);
    Assignment assignment(const std::string& agent_id, const std::string& task_id);
    std::vector<std::string> story(const std::string& agent_id, const std::string& task_id);
    std::optional<Contact> contact(const std::string& agent_id, const std::string& peer_id);
    std::vector<Approval> open_approvals(const std::string& agent_id);
    std::vector<Event> events(const std::string& kind);
    /// Answers an approval as the human.
    void answer(const Approval& approval, AnswerKind kind);

    const std::filesystem::path folder;
    ManualClock clock{kHomeAt};
    Loop loop;
    std::unique_ptr<store::Writer> writer;
    std::unique_ptr<store::Database> reader;
    Workers workers{1};
    const Current<Config> config;
    consent::HumanSecrets secrets;
    decide::RuleSet rules = decide::RuleSet::load({}).value();
    kernel::Metrics metrics;
    kernel::Kernel kernel{clock, loop, *writer, *reader, workers};
    Agents agents;
    outcome::Commits commits{metrics, true};
    mail::KeyRing key_ring;
    mail::Authenticator authenticator{kernel, config, key_ring, commits};
    mail::Deciding deciding{kernel, config, rules, agents};
    stages::Exchange stages{clock,          loop,     *writer, *reader, config,
                            config->stages, deciding, nullptr, commits};
    NoWords no_words;
    collab::ProfileSync profiles{kernel, no_words};
    ReadMail read_mail;
    collab::Coordinator coordinator{kernel, config, agents, profiles, read_mail, nullptr, commits};
    collab::Advisor advisor{kernel, config, agents, profiles, read_mail, nullptr, commits};
    collab::DemandMail demand_mail{kernel, config, coordinator, advisor, read_mail, false, commits};
    std::vector<std::string> started;
    std::vector<std::string> stopped;
    Result<std::string> registration = std::string("market's key");
    agents::Residents residents{agents};
    agents::AgentMail mail_room{kernel, config, residents, commits};
    const outcome::OwnMailTable own_mail{{&stages, &demand_mail, &mail_room}};
    const agents::ResidentDelivery delivery{kernel, metrics, agents, residents, own_mail, commits};
    std::unique_ptr<agents::LocalAgents> local_agents;
    std::unique_ptr<mail::Dispatcher> dispatcher;
    std::unique_ptr<mail::Way> way;

  private:
    void add_own(const std::string& agent_id);
    void start_local(const LocalAgent& local) override;
    void stop_local(const std::string& agent_id) override;
    std::function<Result<std::string>()> registration_of(const LocalAgent&) override {
        return [this] { return registration; };
    }

    std::thread thread_;
};

}  // namespace a2h::test
