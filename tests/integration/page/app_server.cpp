// A real a2hd with questions, messages and contacts in its database and nothing else around it, for
// tests of the application in a browser. Prints {"url", "link", "agent_id"}; then answers each line
// of stdin with one line of JSON:
//   link [PERSON]     a new one-time link, for the owner unless somebody is named
//   ask ID MINUTES    a new question, answerable for so long
//   table ID MINUTES  the same with tabs in its draft, for two of three people
//   approve ID        answers at the terminal, with the PIN; stored as given after one second
//   show ID           the approval as stored
//   fill COUNT        so many open questions more
//   offer ID MINUTES  a visitor offers 90.00 CNY for so long, and a2hd has decided about it
// The owner speaks the daemon's language, anna Chinese, bert English. Ends when stdin closes.
// Usage: a2h_app_server [en|zh]
#include <iostream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/ids.h"
#include "core/store/approval_store.h"
#include "core/store/assignment_store.h"
#include "core/store/contact_store.h"
#include "core/store/database.h"
#include "core/store/deal_store.h"
#include "core/store/demand_store.h"
#include "core/store/event_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/listing_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/outbox_store.h"
#include "core/store/profile_store.h"
#include "core/store/statement.h"
#include "core/wire/crypto.h"
#include "core/wire/demand_json.h"
#include "core/wire/payload.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/mandates.h"
#include "daemon/deals/book.h"
#include "daemon/effects/rows.h"
#include "tests/support/daemon.h"
#include "tests/support/permit.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr const char* kAgent = "ag_K3vSellerWangStudio";
constexpr const char* kBuyer = "ag_7Kq2mVxTbuyerLin";
constexpr const char* kResearcher = "ag_5researcherLi";
constexpr const char* kPrinter = "ag_4printerZhou8Qm";
constexpr const char* kVisitor = "ag_8visitorKim3Td";
constexpr const char* kStranger = "ag_9ZpStranger4Xw";

/// Text that would have an effect on a careless page.
constexpr const char* kHostile =
    "<img src=x onerror=alert(1)><script>document.title='owned'</script> "
    "javascript:alert(1) \xe2\x80\xae!desrever";

class Scene {
  public:
    explicit Scene(const std::string& language) {
        platform::Account account;
        account.api_base = "http://127.0.0.1:9";
        account.agent_id = kAgent;
        account.keys.agent_key = "test-agent-key";
        daemon_ = std::make_unique<test::Daemon>(
            dir_.path() / "home", std::vector{account}, "mqtt://127.0.0.1:9",
            test::DaemonOptions{"language = \"" + language +
                                    "\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n"
                                    "[[person]]\nname = \"human\"\n"
                                    "[[person]]\nname = \"anna\"\nlanguage = \"zh\"\n"
                                    "[[person]]\nname = \"bert\"\nlanguage = \"en\"\n",
                                {},
                                {"anna", "bert"}});
        database_ =
            store::Database::open(daemon_->home() / "a2hd.db", store::Database::Mode::ReadWrite)
                .value();
        fill_conversations();
        fill_agents();
        fill_questions();
        fill_deals();
        fill_mandates();
        fill_negotiation();
    }

    json link(const std::string& person) {
        const bool owner = person == "human";
        const std::string pin =
            owner ? std::string(test::Daemon::kPin) : test::Daemon::pin_of(person);
        const json result =
            daemon_->call_human("page.link", json{{"pin", pin}, {"person", person}}.dump());
        return {{"link", result["data"]["url"]}};
    }
    json hello() {
        json first = link("human");
        first["url"] = daemon_->status()["web"]["url"];
        first["agent_id"] = kAgent;
        return first;
    }
    json approve(const std::string& id) {
        json answered = daemon_->call_human(
            "approval.answer",
            json{{"approval_id", id}, {"decision", "approve"}, {"pin", test::Daemon::kPin}}.dump());
        // The duration must not depend on how busy the machine is.
        static constexpr const char* kSecondBefore =
            "update approval set created_at_ms = answered_at_ms - 1000 where id = ?";
        A2H_CHECK(database_->statement(kSecondBefore).run(id).has_value());
        return answered;
    }
    json show(const std::string& id) {
        return daemon_->call_human("approval.list", json{{"approval_id", id}}.dump());
    }
    json ask(const std::string& id, int minutes) {
        consent::Ask question = haggling();
        question.question = "Asked while you look: " + id;
        open(id, question, std::chrono::minutes(minutes));
        return {{"ok", true}};
    }
    json ask_table(const std::string& id, int minutes) {
        consent::Ask question = haggling();
        question.question = "A table: " + id;
        question.reply_text = "尺寸\t价格\r\n大\t300 元";
        consent::Policy several;
        several.rules = {{"reply.send", 0, "", 2, {"human", "anna", "bert"}}};
        open(id, question, std::chrono::minutes(minutes), several);
        return {{"ok", true}};
    }
    json fill(int count) {
        A2H_CHECK(database_->begin().has_value());
        for (int i = 0; i < count; ++i) {
            consent::Ask question = haggling();
            question.question = "Offer number " + std::to_string(i);
            auto approval = consent::new_approval(question, {}, now());
            A2H_CHECK(store::insert_approval(*database_, approval).has_value());
        }
        A2H_CHECK(database_->commit().has_value());
        return {{"ok", true}};
    }

    json offer(const std::string& id, int minutes) {
        receive(kVisitor, id, wire::text_payload("90 yuan, and <b>I keep the source</b>"), now(),
                Provenance::Unverified);
        deals::Named named{kAgent, kVisitor};
        named.works_id = "w_slides";
        Act act = offer_act("test:" + id, ActBy::Peer, 9'000, {"<b>I keep the source</b>"});
        act.valid_until_ms = now() + minutes * 60'000LL;
        A2H_CHECK(database_->begin().has_value());
        A2H_CHECK(deals::record(*database_, named, {act}, now()).has_value());
        A2H_CHECK(store::insert_event(
                      *database_, effects::new_event(kAgent, "message.decided", id, "{}", now()))
                      .has_value());
        A2H_CHECK(database_->commit().has_value());
        return {{"ok", true}};
    }

  private:
    UnixMs now() const { return SystemClock().now_ms(); }

    void receive(const char* peer, const std::string& id, const std::string& payload_json,
                 UnixMs at_ms, Provenance provenance) {
        InboxMessage message;
        message.agent_id = kAgent;
        message.sender_id = peer;
        message.message_id = id;
        message.message_type = "chat.request";
        message.trace_id = "trace_1";
        message.payload_json = payload_json;
        message.payload_hash = id;
        message.envelope_json = "{}";
        message.provenance = provenance;
        message.received_at_ms = at_ms;
        A2H_CHECK(database_->begin().has_value());
        const auto inserted = store::insert_inbox(*database_, message);
        A2H_CHECK(inserted.has_value());
        settle(inserted->inbox_id);
        A2H_CHECK(database_->commit().has_value());
    }

    /// Marked as decided, so that a2hd does not decide the message as well.
    void settle(std::int64_t inbox_id) {
        Job job = store::get_job_of_inbox(*database_, inbox_id).value().value();
        job.state = JobState::Done;
        job.decision = "ask";
        A2H_CHECK(store::update_job(*database_, job).has_value());
    }

    void send(const char* peer, const std::string& id, const std::string& text, UnixMs at_ms) {
        OutboxMessage message;
        message.agent_id = kAgent;
        message.target_id = peer;
        message.message_id = id;
        message.message_type = "chat.request";
        message.trace_id = "trace_1";
        message.payload_json = wire::text_payload(text);
        message.cause = "test";
        message.state = OutboxState::Sent;
        message.created_at_ms = at_ms;
        message.updated_at_ms = at_ms;
        message.expires_at_ms = at_ms + 1'000'000;
        A2H_CHECK(test::insert_outbox(*database_, message).has_value());
    }

    void know(const char* peer, ContactSource source, bool with_key) {
        Contact contact;
        contact.agent_id = kAgent;
        contact.peer_id = peer;
        contact.source = source;
        contact.role = with_key ? "" : kHostile;
        contact.added_at_ms = now() - 86'400'000;
        A2H_CHECK(store::add_contact(*database_, contact).has_value());
        if (!with_key) return;
        const auto keys = wire::new_key_pair();
        A2H_CHECK(
            store::pin_key(*database_, kAgent, peer, keys.key_id, keys.public_key).has_value());
    }

    void fill_agents() {
        LocalAgent agent;
        agent.agent_id = kResearcher;
        agent.parent_id = kAgent;
        agent.role_id = "researcher";
        agent.created_at_ms = now() - 3'600'000;
        A2H_CHECK(store::insert_local_agent(*database_, agent).has_value());
        agent.agent_id = "ag_6translatorAn";
        agent.parent_id = kResearcher;
        agent.role_id = "translator";
        A2H_CHECK(store::insert_local_agent(*database_, agent).has_value());
        Assignment task;
        task.task_id = "5b6f9f2e-4a51-4a53-9f7c-0d6f0a1b2c3d";
        task.agent_id = kResearcher;
        task.peer_id = kAgent;
        task.brief_json =
            R"({"objective":"比较三家打印店的报价","constraints":["只看上海","周五前"],)"
            R"("inputs":"店名清单","outputs":"一张表","completion_criteria":"三家都有价格"})";
        task.created_at_ms = task.updated_at_ms = agent.created_at_ms;
        A2H_CHECK(store::insert_assignment(*database_, task).has_value());
        const auto tell = [&](const char* kind, const json& detail) {
            AssignmentEntry entry;
            entry.agent_id = kResearcher;
            entry.task_id = task.task_id;
            entry.peer_id = task.peer_id;
            entry.kind = kind;
            entry.detail_json = detail.dump();
            entry.at_ms = now() - 60'000;
            A2H_CHECK(store::add_assignment_entry(*database_, entry).has_value());
        };
        tell("assigned", {{"peer_id", kAgent}});
        tell("report", {{"status", "in_progress"}, {"summary", kHostile}});
    }

    void fill_conversations() {
        know(kBuyer, ContactSource::FirstMessage, true);
        know(kStranger, ContactSource::Introduction, false);
        const UnixMs start = now() - 600'000;
        receive(kBuyer, "msg_1", wire::text_payload("你好，20 页的 PPT 设计多少钱？"), start,
                Provenance::Verified);
        send(kBuyer, "msg_2", "您好，标价 450 元，三天内交付。", start + 30'000);
        receive(kBuyer, "msg_3", wire::text_payload("300 可以吗？急用。"), start + 60'000,
                Provenance::Verified);
        receive(kStranger, "msg_4",
                json{{"text", kHostile},
                     {"attachment", {{"url", "javascript:alert(1)"}, {"name", "<b>bill</b>.pdf"}}}}
                    .dump(),
                start + 90'000, Provenance::Unverified);
    }

    consent::Ask haggling() const {
        consent::Ask ask;
        ask.agent_id = kAgent;
        ask.peer_id = kBuyer;
        ask.action = "reply.send";
        ask.reply_text = "好的，300 元可以，三天内交付。";
        ask.reject_text = "抱歉，450 元已是最低价。";
        ask.amount_minor = 30'000;
        ask.currency = "CNY";
        ask.question = "对方还价 300 元（标价 450 元）做一套 PPT，是否接受？";
        ask.options = {"还价到 400"};
        ask.provenance = "verified";
        ask.requested_by = "rule:counter-offer";
        return ask;
    }

    void open(const std::string& id, const consent::Ask& ask, std::chrono::milliseconds within,
              consent::Policy policy = {}) {
        policy.answer_within = within;
        auto approval = consent::new_approval(ask, policy, now());
        approval.id = id;
        const auto opened = consent::open_approval(*database_, approval, policy, now());
        A2H_CHECK(opened.has_value());
    }

    Act offer_act(const std::string& source, ActBy by, std::int64_t minor,
                  std::vector<std::string> conditions = {}) const {
        Act act;
        act.source = source;
        act.kind = ActKind::Offers;
        act.by = by;
        act.terms = {Money{minor, "CNY"}, std::move(conditions)};
        act.message_id = source;
        act.at_ms = act.sent_at_ms = now();
        return act;
    }

    void record(const char* peer, const std::string& works_id, const std::vector<Act>& acts) {
        deals::Named named{kAgent, peer};
        named.works_id = works_id;
        A2H_CHECK(database_->begin().has_value());
        A2H_CHECK(deals::record(*database_, named, acts, now()).has_value());
        A2H_CHECK(database_->commit().has_value());
    }

    void list_and_name() {
        Listing listing;
        listing.works_id = "w_slides";
        listing.agent_id = kAgent;
        listing.title = "PPT 设计 20 页";
        listing.expected_price = "450 CNY";
        store::KeyedProfile lin;
        lin.profile.agent_id = kBuyer;
        lin.profile.source = "market";
        lin.profile.user_name = "林小雨";
        store::KeyedProfile stranger;
        stranger.profile.agent_id = kStranger;
        stranger.profile.source = "market";
        stranger.profile.user_name = kHostile;
        const std::vector profiles{lin, stranger};
        A2H_CHECK(database_->begin().has_value());
        A2H_CHECK(store::replace_listings(*database_, kAgent, {listing}, now()).has_value());
        A2H_CHECK(store::save_profiles(*database_, profiles).has_value());
        A2H_CHECK(database_->commit().has_value());
    }

    /// One in which both sides stand to an offer, one that is agreed, one that has ended, and one
    /// of a stranger about something that nobody has named.
    void fill_deals() {
        list_and_name();
        Act theirs = offer_act("test:theirs", ActBy::Peer, 30'000, {"急用，明天就要"});
        theirs.valid_until_ms = now() + 3 * 3'600'000;
        record(kBuyer, "w_slides",
               {theirs, offer_act("test:ours", ActBy::Us, 40'000, {"三天内交付，改稿两次"})});
        Act yes = offer_act("test:yes", ActBy::Us, 12'000);
        yes.kind = ActKind::Accepts;
        record(kPrinter, "w_printing", {offer_act("test:prints", ActBy::Peer, 12'000), yes});
        Act no = offer_act("test:no", ActBy::Us, 0);
        no.kind = ActKind::Declines;
        no.terms = {};
        record(kPrinter, "w_flyers", {offer_act("test:flyers", ActBy::Peer, 99'000), no});
        record(kStranger, "", {offer_act("test:stranger", ActBy::Peer, 8'000, {kHostile})});
    }

    void fill_questions() {
        using std::chrono::hours;
        using std::chrono::minutes;
        open("apr_haggle", haggling(), minutes(90));
        consent::Ask hostile = haggling();
        hostile.peer_id = kStranger;
        hostile.question = std::string("A stranger asks: ") + kHostile;
        hostile.reply_text = std::string("Thank you. ") + kHostile;
        hostile.provenance = "unverified";
        hostile.amount_minor.reset();
        hostile.options = {"<b>bold</b>"};
        open("apr_hostile", hostile, hours(5));
        consent::Ask order = haggling();
        order.action = "order.create";
        order.reply_text.clear();
        order.reject_text.clear();
        order.request_json =
            R"({"customer_id":"ag_7Kq2mVxTbuyerLin","title":"PPT 设计 20 页","price":30000,"order_type":3})";
        order.question = "Create an order “PPT 设计 20 页” for 300.00 CNY?";
        order.options = {};
        order.requested_by = "tool:order.create";
        open("apr_order", order, hours(20));
        for (int i = 1; i <= 6; ++i) {
            consent::Ask more = haggling();
            more.question = "第 " + std::to_string(i) + " 位客人还价 " + std::to_string(200 + i) +
                            " 元，是否接受？";
            more.amount_minor = 20'000 + 100 * i;
            if (i == 6) more.reply_text.clear();  // its yes sends nothing
            open("apr_more" + std::to_string(i), more, hours(21 + i));
        }
        order.amount_minor = 300'000;
        order.question = "Create an order “Annual report, 200 pages” for 3000.00 CNY?";
        consent::Policy several;
        several.high_from_minor = 100'000;
        several.rules = {{"order.create", 0, "", 2, {"human", "anna", "bert"}}};
        open("apr_votes", order, hours(40), several);
        consent::Ask words = haggling();
        words.question = "Who may change these words?";
        words.context = "They wrote: Offer 43.00 CNY\n  Terms: " + std::string(2'000, 'x') +
                        "\n  and the seller pays all flights";
        several.rules.front().action = "reply.send";
        open("apr_words", words, hours(41), several);
        know_outcomes();
    }

    /// A negotiation that ended with a compromise, and another one for the missing part.
    void fill_negotiation() {
        wire::Understanding demand;
        demand.surface_demand = "AI 主题聚会，北京，50 人";
        demand.capability_tags = {"场地提供", "演讲嘉宾", "摄影"};
        demand.confidence = "high";
        Negotiation negotiation;
        negotiation.negotiation_id = "collab-party";
        negotiation.demand_id = "d-party";
        negotiation.agent_id = kAgent;
        negotiation.raw_input = "我想在北京办一场 AI 主题聚会，需要场地和嘉宾，预算 3000 元";
        negotiation.understanding_json = wire::to_json(demand).dump();
        negotiation.state = NegotiationState::Finalized;
        negotiation.outcome = NegotiationOutcome::Partial;
        negotiation.round = 2;
        negotiation.gaps_json =
            wire::to_json(std::vector<Gap>{{"摄影", 70, "nobody offered it", {"摄影"}}}).dump();
        negotiation.compromise_json =
            R"({"summary":"The party without pictures","unresolved":["摄影"]})";
        negotiation.created_at_ms = negotiation.updated_at_ms = now();
        A2H_CHECK(store::insert_negotiation(*database_, negotiation).has_value());
        Negotiation below = negotiation;
        below.negotiation_id = "collab-photo";
        below.demand_id = "d-photo";
        below.parent_negotiation_id = negotiation.negotiation_id;
        demand.surface_demand = "A photographer for one evening";
        below.understanding_json = wire::to_json(demand).dump();
        below.state = NegotiationState::Failed;
        below.outcome = NegotiationOutcome::Failed;
        below.reason = "no_candidates";
        below.gaps_json = below.compromise_json = "";
        A2H_CHECK(store::insert_negotiation(*database_, below).has_value());
        fill_parties(negotiation);
        fill_plans(negotiation);
        tell(negotiation, "demand.understood",
             {{"surface_demand", "AI 主题聚会"}, {"capability_tags", demand.capability_tags}});
        tell(
            negotiation, "offer.submitted",
            {{"agent_id", kBuyer}, {"decision", "conditional"}, {"contribution", "a room for 50"}});
        tell(negotiation, "proposal.feedback",
             {{"agent_id", kBuyer},
              {"feedback_type", "negotiate"},
              {"reasoning", "it is smaller"},
              {"adjustment_request", "my room takes 50"}});
        tell(negotiation, "proposal.finalized",
             {{"final_proposal", {{"summary", "Lin's room, Li speaks"}}},
              {"participants_count", 2},
              {"rounds_taken", 2}});
    }

    void tell(const Negotiation& negotiation, const std::string& type, const json& payload) {
        A2H_CHECK(
            store::insert_negotiation_event(
                *database_, {0, negotiation.demand_id, "towow." + type, payload.dump(), now()})
                .has_value());
    }

    void fill_parties(const Negotiation& negotiation) {
        int place = 0;
        const auto add = [&](const char* id, const std::string& name, PartyState state,
                             const std::optional<Offer>& offer) {
            Party party;
            party.negotiation_id = negotiation.negotiation_id;
            party.agent_id = id;
            party.place = ++place;
            party.display_name = name;
            party.tags = {"场地提供"};
            party.reason = "has what is wanted";
            party.match_score = 90;
            A2H_CHECK(store::insert_party(*database_, party).has_value());
            party.state = state;
            party.offer = offer;
            A2H_CHECK(store::update_party(*database_, party).has_value());
        };
        Offer room;
        room.decision = OfferDecision::Conditional;
        room.contribution = "a room for 50 with a projector";
        room.conditions = {"not on a Sunday"};
        room.price = Price{150'000, "CNY"};
        add(kBuyer, "Lin", PartyState::Participating, room);
        Offer talk;
        talk.decision = OfferDecision::Participate;
        talk.contribution = kHostile;
        add(kResearcher, "Li", PartyState::Participating, talk);
        add(kStranger, "", PartyState::Silent, std::nullopt);
    }

    void fill_plans(const Negotiation& negotiation) {
        Proposal plan;
        plan.demand_id = negotiation.demand_id;
        plan.summary = "Lin's room, Li speaks";
        plan.confidence = "medium";
        plan.milestones = {{"rehearsal", "2026-12-01", "slides"}};
        for (int version = 1; version <= 2; ++version) {
            plan.version = version;
            plan.proposal_id = "prop_" + std::to_string(version);
            plan.parts = {{kBuyer,
                           "Lin",
                           "host",
                           version == 1 ? "a room for 80" : "a room for 50",
                           {},
                           {},
                           Price{150'000, "CNY"}},
                          {kResearcher, "Li", "speaker", "a talk of half an hour", {}, {}, {}}};
            if (version == 2) plan.changes = {"the room is smaller"};
            A2H_CHECK(store::insert_proposal(*database_, negotiation.negotiation_id, version,
                                             wire::to_json(plan).dump())
                          .has_value());
            Feedback said;
            said.negotiation_id = negotiation.negotiation_id;
            said.round = version;
            said.agent_id = kBuyer;
            said.type = version == 1 ? FeedbackType::Negotiate : FeedbackType::Accept;
            if (version == 1) said.adjustment_request = "my room takes 50";
            A2H_CHECK(store::insert_feedback(*database_, said).has_value());
        }
        Feedback silent;
        silent.negotiation_id = negotiation.negotiation_id;
        silent.round = 2;
        silent.agent_id = kResearcher;
        silent.type = FeedbackType::Accept;
        silent.is_presumed = true;
        A2H_CHECK(store::insert_feedback(*database_, silent).has_value());
    }

    void fill_mandates() {
        const mandates::Giver owner{"human", AnswerSurface::Terminal};
        MandateTerms terms;
        terms.agent_id = kAgent;
        terms.action = "reply.send";
        terms.currency = "CNY";
        terms.amount_from_minor = 43'000;
        terms.count_per_day = 3;
        terms.sum_per_week_minor = 500'000;
        terms.starts_ms = now() - 3'600'000;
        terms.ends_ms = now() + 30 * 86'400'000LL;
        A2H_CHECK(mandates::give(*database_, terms, owner, now()).has_value());
        terms.peer_id = kBuyer;
        terms.works_id = "<script>alert(1)</script>";
        A2H_CHECK(mandates::give(*database_, terms, {"anna", AnswerSurface::Page}, now()));
        const auto over = mandates::give(*database_, terms, owner, now());
        A2H_CHECK(mandates::revoke(*database_, kAgent, over->id, owner, now()).has_value());
    }

    void know_outcomes() {
        consent::Ask ask = haggling();
        ask.question = "Send the invoice of 120.00 EUR?";
        ask.reply_text = "Here is the invoice.";
        open("apr_done", ask, std::chrono::hours(1));
        A2H_CHECK(approve("apr_done")["ok"] == true);
    }

    test::TempDir dir_;
    std::unique_ptr<test::Daemon> daemon_;
    std::unique_ptr<store::Database> database_;
};

json obey(Scene& scene, const std::string& line) {
    std::istringstream in(line);
    std::string word;
    std::string id;
    int number = 0;
    in >> word;
    if (word == "link") {
        in >> id;
        return scene.link(id.empty() ? "human" : id);
    }
    if (word == "fill" && in >> number) return scene.fill(number);
    in >> id;
    if (word == "approve") return scene.approve(id);
    if (word == "show") return scene.show(id);
    if (word == "ask" && in >> number) return scene.ask(id, number);
    if (word == "offer" && in >> number) return scene.offer(id, number);
    if (word == "table" && in >> number) return scene.ask_table(id, number);
    return {{"ok", false}};
}

}  // namespace

int main(int argc, char** argv) {
    Scene scene(argc > 1 ? argv[1] : "en");
    std::cout << scene.hello().dump() << "\n" << std::flush;
    std::string line;
    while (std::getline(std::cin, line))
        std::cout << obey(scene, line).dump() << "\n" << std::flush;
    return 0;
}
