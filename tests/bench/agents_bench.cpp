// Measures a home with 1 000 agents: memory and time for each agent, a message from one agent to
// another over the durable path, and a look-up among 100 000 contacts.
//   agents_bench DATA_FOLDER [--quick]

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/contact_store.h"
#include "core/wire/crypto.h"
#include "daemon/agents/agent_mail.h"
#include "daemon/agents/local_agents.h"
#include "daemon/agents/resident_delivery.h"
#include "daemon/agents/tasks.h"
#include "daemon/effects/rows.h"
#include "daemon/mail/dispatcher.h"
#include "daemon/mail/way.h"
#include "tests/bench/subjects.h"
#include "tests/support/identity.h"
#include "tests/support/read_mail.h"

namespace {

using namespace a2h;
using bench::give_up;

struct HomeSizes {
    int agents = 1'000;
    int messages = 2'000;
    int contacts = 100'000;
    int look_ups = 20'000;
};

double microseconds(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
        .count();
}

void print_row(const char* what, std::vector<double> times, const char* unit, double target) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::printf("| %-44s | %8.2f %-3s | %8.2f %-3s | < %3.0f %-3s | %-3s |\n", what, at(0.5), unit,
                at(0.99), unit, target, unit, at(0.99) < target ? "yes" : "NO");
    std::fflush(stdout);
}

TaskBrief bench_brief() {
    TaskBrief brief;
    brief.objective = "Compare the offers of ten printers and name the best";
    brief.constraints = {"at most 200 CNY", "delivery within a week"};
    brief.inputs = "a list of printers";
    brief.outputs = "a table and one sentence";
    brief.completion_criteria = "each printer has a row";
    return brief;
}

/// The parts of a2hd that the agents of one home need, on a disk of the machine.
class BenchHome final : private agents::MailboxKeeper, private outcome::CommitListener {
  public:
    explicit BenchHome(const std::filesystem::path& file)
        : writer_(store::Database::open(file, store::Database::Mode::ReadWrite).value()),
          reader_(store::Database::open(file, store::Database::Mode::ReadOnly).value()),
          key_ring_(store::Database::open(file, store::Database::Mode::ReadOnly).value()) {
        auto known = test::identity_of("ag_root");
        known.account.keys = {"key", wire::new_key_pair()};
        agents_["ag_root"] = std::make_unique<Agent>(std::move(known), 0U);
        commits_.add(*this);
        thread_ = std::thread([this] { loop_.run(); });
        on_loop([this] {
            if (!local_agents_.load()) give_up("the agents cannot be loaded");
            way_.start();
        });
    }
    ~BenchHome() {
        loop_.stop();
        thread_.join();
    }

    std::string spawn() {
        std::promise<std::string> made;
        loop_.post([&] {
            local_agents_.spawn("ag_root", "researcher", brief_, "",
                                [&](const Result<agents::LocalAgents::Spawned>& spawned) {
                                    if (!spawned) give_up(spawned.error().message);
                                    made.set_value(spawned->agent.agent_id);
                                });
        });
        return made.get_future().get();
    }

    /// From the call until the message is in the other agent's inbox.
    void send(const std::string& from, const std::string& to) {
        std::promise<void> arrived;
        arrived_ = &arrived;
        loop_.post([&] {
            const auto message = std::make_shared<OutboxMessage>(
                effects::new_mail(from, to, "general", nlohmann::json{{"text", "How far are you?"}},
                                  "spawn:bench", clock_.now_ms()));
            dispatcher_.queue(
                *message,
                [message](store::Database& db) { return agents::queue_mail(db, *message); },
                [](const Result<void>& written) {
                    if (!written) give_up(written.error().message);
                });
        });
        arrived.get_future().wait();
    }

    void fill_contacts(int count) {
        auto filled = writer_.submit_urgent([count](store::Database& db) -> Result<void> {
            for (int i = 0; i < count; ++i) {
                Contact contact;
                contact.agent_id = "ag_root";
                contact.peer_id = "ag_" + std::to_string(i * 7919 % count);
                contact.role = "somebody";
                A2H_TRY(store::add_contact(db, contact));
            }
            return {};
        });
        if (!filled.get()) give_up("the contacts cannot be stored");
    }

    double look_up(int number) {
        const std::string peer = "ag_" + std::to_string(number);
        return microseconds([&] {
            const auto found = store::get_contact(*reader_, "ag_root", peer);
            if (!found || !*found) give_up("a contact is gone");
        });
    }

    void settle() {
        for (int i = 0; i < 10; ++i) {
            writer_.submit_urgent([](store::Database&) { return Result<void>(); }).wait();
            on_loop([] {});
        }
    }

  private:
    void on_loop(const std::function<void()>& work) {
        std::promise<void> done;
        loop_.post([&] {
            work();
            done.set_value();
        });
        done.get_future().wait();
    }

    void start_local(const LocalAgent& local) override {
        auto known = test::identity_of(local.agent_id);
        known.account.keys = {local.agent_key, {local.key_id, local.public_key, local.secret_key}};
        auto agent = std::make_unique<Agent>(std::move(known), local.parent_id);
        agent->is_registered = false;
        agents_[local.agent_id] = std::move(agent);
    }

    void written(const outcome::Effects&, const std::vector<store::OutboxPlace>&) override {
        if (arrived_ != nullptr) std::exchange(arrived_, nullptr)->set_value();
    }
    void stop_local(const std::string&) override {}
    std::function<Result<std::string>()> registration_of(const LocalAgent&) override { return {}; }

    const TaskBrief brief_ = bench_brief();
    SystemClock clock_;
    Loop loop_;
    store::Writer writer_;
    std::unique_ptr<store::Database> reader_;
    Workers workers_{1};
    const Current<Config> config_;
    decide::RuleSet rules_ = decide::RuleSet::load({}).value();
    kernel::Metrics metrics_;
    kernel::Kernel kernel_{clock_, loop_, writer_, *reader_, workers_};
    Agents agents_;
    outcome::Commits commits_{metrics_, true};
    mail::KeyRing key_ring_;
    mail::Authenticator authenticator_{kernel_, config_, key_ring_, commits_};
    mail::Deciding deciding_{kernel_, config_, rules_, agents_};
    stages::Exchange stages_{clock_,          loop_,     writer_, *reader_, config_,
                             config_->stages, deciding_, nullptr, commits_};
    agents::Residents residents_{agents_};
    agents::AgentMail mail_{kernel_, config_, residents_, commits_};
    const outcome::OwnMailTable own_mail_{{&stages_, &mail_}};
    agents::LocalAgents local_agents_{kernel_, config_,   agents_, residents_,
                                      *this,   own_mail_, commits_};
    const test::ReadMail read_mail_;
    const agents::ResidentDelivery delivery_{kernel_,    metrics_,  agents_,
                                             residents_, own_mail_, commits_};
    mail::Dispatcher dispatcher_{kernel_,   config_,    metrics_, agents_,
                                 delivery_, read_mail_, commits_};
    mail::Way way_{kernel_,   config_,    agents_, authenticator_, deciding_,
                   own_mail_, read_mail_, stages_, commits_};
    std::promise<void>* arrived_ = nullptr;
    std::thread thread_;
};

double heap_kib() {
    return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd) / 1024.0;
}

void run(const std::filesystem::path& folder, const HomeSizes& sizes) {
    std::printf("| %-44s | %12s | %12s | %9s | %-3s |\n", "A home of 1 000 agents", "p50", "p99",
                "p99 must", "met");
    std::printf("|%s|\n",
                "----------------------------------------------|--------------|--------------|"
                "-----------|-----");
    BenchHome home(folder / "home.db");
    home.spawn();  // what the first one allocates is everybody's
    home.settle();
    const double before = heap_kib();
    std::vector<std::string> ids;
    std::vector<double> spawns;
    for (int i = 0; i < sizes.agents; ++i)
        spawns.push_back(microseconds([&] { ids.push_back(home.spawn()); }) / 1'000.0);
    home.settle();
    const double each = (heap_kib() - before) / sizes.agents;
    print_row("an agent is spawned", spawns, "ms", 5);
    print_row("its memory", {each}, "KiB", 100);
    std::vector<double> messages;
    for (int i = 0; i < sizes.messages; ++i) {
        const auto from = static_cast<std::size_t>(i) % ids.size();
        const auto to = (from * 31 + 7) % ids.size();
        if (from == to) continue;
        messages.push_back(microseconds([&] { home.send(ids[from], ids[to]); }) / 1'000.0);
    }
    print_row("a message is in the other one's inbox", messages, "ms", 2);
    home.fill_contacts(sizes.contacts);
    std::vector<double> look_ups;
    for (int i = 0; i < sizes.look_ups; ++i)
        look_ups.push_back(home.look_up(static_cast<int>(i * 104'729LL % sizes.contacts)));
    print_row("one of 100 000 contacts is looked up", look_ups, "us", 50);
}

}  // namespace

int main(int argc, char** argv) {
    agents::register_actions();
    if (argc < 2) {
        std::fprintf(stderr, "usage: agents_bench DATA_FOLDER [--quick]\n");
        return 2;
    }
    HomeSizes sizes;
    if (argc > 2 && std::strcmp(argv[2], "--quick") == 0) sizes = {200, 300, 100'000, 2'000};
    run(argv[1], sizes);
    return 0;
}
