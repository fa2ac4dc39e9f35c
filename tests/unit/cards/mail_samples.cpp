// Questions about answers, messages, tasks, agents and logins. Their asks are those of
// daemon/mail/deciding.cpp, daemon/agents and daemon/operations.
#include <utility>

#include "core/store/login_store.h"
#include "core/wire/agent_messages.h"
#include "core/wire/canonical.h"
#include "daemon/agents/logins.h"
#include "daemon/agents/mail_words.h"
#include "daemon/card/assistants_words.h"
#include "daemon/card/card.h"
#include "daemon/mail/conversation_text.h"
#include "tests/unit/cards/sample.h"

namespace a2h::test {
namespace {

using nlohmann::json;

class Mail {
  public:
    explicit Mail(i18n::Language language) : words{language} {}

    void add(std::string name, const consent::Ask& ask) {
        asked.push_back(sample_of(std::move(name), ask, words.language));
    }
    consent::Ask ask(std::string_view action) const {
        consent::Ask made;
        made.agent_id = kOurAgent;
        made.peer_id = kPeer;
        made.action = action;
        return made;
    }
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return i18n::text(words.language, key, arguments);
    }
    /// As `a2h_send` asks.
    consent::Ask to_send(const json& payload, std::string_view type = "chat.request") const {
        consent::Ask made = ask("message.send");
        made.request_json = wire::canonical_json(
            {{"message_type", type}, {"payload", payload}, {"target_agent_id", kPeer}});
        made.reply_text = card::in_text(card::lines_of(payload, words.language), words.language);
        made.reply_text.pop_back();
        made.requested_by = "tool:send";
        return made;
    }
    /// As tasks, reports and introductions are asked about.
    consent::Ask to_tell(AgentMessageType type, const json& payload) const {
        consent::Ask made = to_send(payload, to_string(type));
        made.reply_text = agents::mail_in_words(payload, words.language);
        made.question = agents::question_about_mail(type, kPeer, payload, words.language);
        return made;
    }
    json brief() const {
        return {
            {"objective", words("Find a venue for 30 people", "找一个能容纳三十人的场地")},
            {"constraints",
             {words("Not above 3000.00 CNY", "不超过 3000.00 元"), words("In Xuhui", "在徐汇区")}},
            {"inputs", words("The date: 20 December 2026", "日期：2026年12月20日")},
            {"outputs", long_text(words)},
            {"completion_criteria", words("A confirmed reservation", "预订已确认")},
            {"priority", words("high", "高")},
            {"collaborators",
             {{{"agent_id", kOtherPeer},
               {"role", words("caterer", "餐饮")},
               {"description", words("Knows the venues", "熟悉各场地")}}}}};
    }
    json share() const {
        return {
            {"action", "order.confirm"},      {"currency", "CNY"},  {"amount_to_minor", 300'000},
            {"sum_per_week_minor", 300'000},  {"count_per_day", 1}, {"peer_id", kOtherPeer},
            {"until", "2026-12-20T18:00:00Z"}};
    }

    Words words;
    std::vector<Sample> asked;
};

std::string conversation(const Words& words) {
    HistoryEntry ours;
    ours.incoming = false;
    ours.sender_id = kOurAgent;
    ours.target_id = kPeer;
    ours.payload_json =
        json{{"text", words("The session costs 280.00 CNY.", "拍摄价格为 280.00 元。")}}.dump();
    ours.at_ms = kAskedAt - 60'000;
    HistoryEntry theirs;
    theirs.sender_id = kPeer;
    theirs.target_id = kOurAgent;
    theirs.payload_json = json{
        {"text",
         words("Would 250 be possible, with two more pictures?", "250 元可以吗？再多给两张照片。")},
        {"orderId", "WKS-20"}}.dump();
    theirs.provenance = Provenance::Verified;
    theirs.at_ms = kAskedAt - 30'000;
    return mail::conversation_text({theirs, ours}, nullptr, words.language);
}

/// As `consent::accept_by_yes` makes it of `reply`: the peer's offer is a message of its own type.
void ask_to_accept(Mail& mail, consent::Ask reply) {
    reply.reply_text = mail.text("decide.offer.reply", {{"amount", "250.00 CNY"}, {"listing", ""}});
    reply.reject_text = mail.text("decide.offer.reject", {{"amount", "250.00 CNY"}});
    const auto answer = [](const char* type) {
        return json{{"type", type},
                    {"offer_message_id", "msg-5f2a"},
                    {"worksId", "WRK-71"},
                    {"orderId", "WKS-20"}};
    };
    json accept = answer("accept");
    accept["offer_payload_hash"] = std::string(64, 'c');
    accept["replaces"] = "msg-3c07";
    accept["text"] = reply.reply_text;
    reply.request_json = wire::canonical_json(json{{"payload", accept},
                                                   {"refusal", answer("reject")},
                                                   {"act_before_ms", kAskedAt + 3'600'000}});
    mail.add("reply.send.accept", reply);
}

void ask_replies(Mail& mail) {
    const Words& words = mail.words;
    consent::Ask reply = mail.ask("reply.send");
    reply.job_id = 7;
    reply.order_id = "WKS-20";
    reply.works_id = "WRK-71";
    reply.amount_minor = 25'000;
    reply.currency = "CNY";
    reply.question = words("ag_mei7x2 offers 250.00 CNY instead of 280.00 CNY. Agree?",
                           "ag_mei7x2 出价 250.00 元，而不是 280.00 元。要同意吗？");
    reply.reply_text = words(
        "250.00 CNY is fine, with 20 pictures.\nSee you on Sunday at the "
        "north gate of the park, ten minutes before we begin.",
        "250.00 元可以，精修二十张。\n周日在公园北门见，请提前十分钟到，"
        "雨天改在影棚拍摄，时间和价格都不变。");
    reply.reject_text = words("The price stays at 280.00 CNY.", "价格仍为 280.00 元。");
    reply.context = conversation(words);
    reply.provenance = "verified";
    reply.requested_by = "rule:offer.below_price";
    mail.add("reply.send", reply);
    mail.asked.back().approval.since_text = words("Are you still there?", "您还在吗？");
    mail.asked.back().approval.also_text =
        words("Do you bring a second lamp?", "您会带第二盏灯吗？");
    ask_to_accept(mail, reply);
    consent::Ask open = mail.ask("reply.send");
    open.job_id = 8;
    open.question = mail.text("daemon.question_unclear", {{"peer", kPeer}});
    open.context = conversation(words);
    open.provenance = "unverified";
    open.requested_by = "rule:default.ask";
    mail.add("reply.send.unwritten", open);
    consent::Ask asked = mail.ask("reply.send");
    asked.question = card::asked_by_assistant(
        words("Which of the two days suits you?", "这两天哪天合适？"), words.language);
    asked.context = card::written_by_assistant(
        words("Both days are free in your calendar.\nThe peer prefers the first.",
              "这两天日程都有空。\n对方更想选第一天。"),
        words.language);
    asked.reply_text = words("Sunday suits us.", "周日可以。");
    asked.options = {words("Saturday", "周六"), words("Sunday", "周日")};
    asked.requested_by = card::kAssistantAsks;
    mail.add("reply.send.options", asked);
}

void ask_messages(Mail& mail) {
    const Words& words = mail.words;
    const json said{{"text", long_text(words)},
                    {"orderId", "WKS-20"},
                    {"worksId", "WRK-71"},
                    {"payment_qr", "https://files.example/alipay.png"},
                    {"payment_qr_type", "alipay"},
                    {"attachment",
                     {{"url", "https://files.example/contract.pdf"},
                      {"source", "external"},
                      {"name", words("contract.pdf", "合同.pdf")},
                      {"mime_type", "application/pdf"}}}};
    consent::Ask ask = mail.to_send(said);
    ask.order_id = "WKS-20";
    ask.works_id = "WRK-71";
    ask.question =
        mail.text("daemon.question_send",
                  {{"peer", kPeer}, {"text", words("Portrait session …", "上海人像 …")}});
    mail.add("message.send", ask);
    const json offer{{"type", "offer"},
                     {"price", {{"amount", "250"}, {"currency", "CNY"}}},
                     {"summary", words("Two hours, 30 pictures", "两小时，精修三十张")},
                     {"conditions",
                      {words("Half of it before the session", "拍摄前付一半"),
                       words("Rain: in the studio", "雨天改在影棚")}},
                     {"terms", long_text(words)},
                     {"valid_until", "2026-11-25T10:00:00Z"},
                     {"worksId", "WRK-71"}};
    ask = mail.to_send(offer);
    ask.works_id = "WRK-71";
    ask.amount_minor = 25'000;
    ask.currency = "CNY";
    ask.question = mail.text(
        "trade.ask_offer",
        {{"peer", kPeer},
         {"price", "250.00 CNY"},
         {"title", card::in_quotes(words("Two hours, 30 pictures", "两小时，精修三十张"))}});
    mail.add("message.send.offer", ask);
    json accepted{{"type", "accept"}, {"offer_message_id", "msg-5f2a"}, {"worksId", "WRK-71"}};
    consent::Ask accept = mail.to_send(accepted);
    json request = json::parse(accept.request_json);
    request["act_before_ms"] = kAskedAt + 3'600'000;
    accept.request_json = wire::canonical_json(request);
    accept.works_id = "WRK-71";
    accept.amount_minor = 25'000;
    accept.currency = "CNY";
    accept.provenance = "verified";
    accept.question = mail.text(
        "trade.ask_accept",
        {{"peer", kPeer},
         {"price", "250.00 CNY"},
         {"title", card::in_quotes(words("Two hours, 30 pictures", "两小时，精修三十张"))}});
    accept.context = card::in_text(card::lines_of(offer, words.language), words.language);
    mail.add("message.send.accept", accept);
}

void ask_agents(Mail& mail) {
    const Words& words = mail.words;
    const json task{{"task_id", "task-17"}, {"task_brief", mail.brief()}};
    consent::Ask ask = mail.to_tell(AgentMessageType::TaskAssignment, task);
    json request = json::parse(ask.request_json);
    request["mandate"] = mail.share();
    ask.request_json = wire::canonical_json(request);
    ask.question += "\n" + mail.text("daemon.question_share");
    mail.add("message.send.task", ask);
    mail.add("message.send.report",
             mail.to_tell(AgentMessageType::StatusReport, {{"task_id", "task-17"},
                                                           {"status", "in_progress"},
                                                           {"summary", long_text(words)}}));
    mail.add("message.send.introduction_request",
             mail.to_tell(AgentMessageType::IntroductionRequest,
                          {{"reason", words("We need a caterer", "我们需要餐饮")},
                           {"required_capability", words("catering", "餐饮")}}));
    ask =
        mail.to_tell(AgentMessageType::IntroductionResponse,
                     {{"request_id", "msg-77"},
                      {"introduced", true},
                      {"contact",
                       {{"id", kOtherPeer},
                        {"role", words("caterer", "餐饮")},
                        {"interface_spec",
                         {{"services", words("Dinner for up to 50 people", "五十人以内的晚餐")},
                          {"input_format", words("Date and number of people", "日期和人数")},
                          {"output_format", words("An offer", "报价")},
                          {"examples", {words("20 December, 30 people", "12月20日，三十人")}}}}}}});
    ask.context = card::in_text(card::lines_of({{"reason", words("A birthday", "生日聚会")},
                                                {"required_capability", words("catering", "餐饮")}},
                                               words.language),
                                words.language);
    mail.add("message.send.introduction", ask);
    mail.add("message.send.collaboration",
             mail.to_tell(AgentMessageType::CollaborationResponse,
                          {{"request_id", "msg-78"},
                           {"accepted", false},
                           {"response", words("Not this month.", "本月不行。")}}));
    ask = mail.ask("task.accept");
    ask.request_json = wire::canonical_json({{"task_id", "task-18"}, {"task_brief", mail.brief()}});
    ask.question =
        mail.text("daemon.question_task_offered",
                  {{"peer", kPeer}, {"objective", mail.brief()["objective"].get<std::string>()}});
    ask.reply_text = mail.text("daemon.task_offer_accepted");
    ask.reject_text = mail.text("daemon.task_offer_declined");
    ask.provenance = "verified";
    mail.add("task.accept", ask);
    ask = mail.ask("agent.spawn");
    ask.peer_id.clear();
    ask.request_json = wire::canonical_json({{"role_id", words("buyer", "采购员")},
                                             {"task_brief", mail.brief()},
                                             {"mandate", mail.share()},
                                             {"register", true}});
    ask.question = mail.text("daemon.question_spawn",
                             {{"role", words("buyer", "采购员")},
                              {"objective", mail.brief()["objective"].get<std::string>()}}) +
                   "\n" + mail.text("daemon.question_share");
    ask.requested_by = "tool:agent.spawn";
    mail.add("agent.spawn", ask);
    store::BegunLogin login;
    login.agent_id = kOurAgent;
    login.account_id = "ag_new9q3";
    login.account_name = words("Mei's studio", "小梅的工作室");
    login.api_base = "https://market.example";
    login.begun_at_ms = kAskedAt - 300'000;
    mail.add("auth.poll", agents::ask_about_login(login, words.language));
}

}  // namespace

std::vector<Sample> mail_samples(i18n::Language language) {
    Mail mail(language);
    ask_replies(mail);
    ask_messages(mail);
    ask_agents(mail);
    return std::move(mail.asked);
}

}  // namespace a2h::test
