// A real Prometheus: what a2hd serves, packaging/prometheus/a2hd.rules.yml and
// packaging/grafana/a2hd.json as it sees them. Debian's package prometheus.
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/http/client.h"
#include "tests/integration/daemon/scene.h"
#include "tests/support/scripted_http.h"

using namespace a2h;
using namespace a2h::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr const char* kRules = A2H_SOURCE_DIR "/packaging/prometheus/a2hd.rules.yml";
constexpr const char* kCases = A2H_SOURCE_DIR "/tests/integration/prometheus/alerts.yml";

std::string content_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Percent-encoded, for a query.
std::string encoded(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0) {
            out += c;
        } else {
            out += {'%', kDigits[byte / 16], kDigits[byte % 16]};
        }
    }
    return out;
}

/// A seller whose model fails, so that every metric has a value except those of a negotiation's
/// end.
struct Shop {
    Shop() {
        scene.publish_listing();
        scene.buyer_says("How much is the portrait photo session?");
        REQUIRE(eventually([&] { return !scene.replies_to_buyer().empty(); }));
        scene.buyer_says("Do you offer animation?");
        REQUIRE(eventually([&] { return !model.requests().empty(); }, 30s));
    }
    std::string url() { return scene.seller.call_human("metrics")["data"]["url"]; }

    ScriptedHttp model{
        [](ScriptedHttp::Peer& peer, const ScriptedHttp::Request&) { peer.answer(500, "{}"); }};
    Scene scene{{.config = "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\n"
                           "channels = []\n[metrics]\nlisten = \"127.0.0.1:0\"\n[model]\n"
                           "api = \"messages\"\nmodel = \"m\"\nurl = \"" +
                           model.url("/v1/messages") + "\"\n"}};
};

/// Prometheus with our rules, which asks one a2hd four times a second.
class Prometheus {
  public:
    explicit Prometheus(const std::string& metrics_url) : port_(free_port()) {
        const std::string authority = metrics_url.substr(7, metrics_url.find('/', 7) - 7);
        const auto config = dir_.path() / "prometheus.yml";
        std::ofstream(config) << "global: {scrape_interval: 250ms, scrape_timeout: 250ms, "
                                 "evaluation_interval: 250ms}\nrule_files: ["
                              << kRules
                              << "]\nscrape_configs:\n  - job_name: a2hd\n"
                                 "    static_configs: [{targets: ['"
                              << authority << "']}]\n";
        process_ = std::make_unique<Process>(
            Process::Options{.argv = {"prometheus", "--config.file=" + config.string(),
                                      "--storage.tsdb.path=" + (dir_.path() / "data").string(),
                                      "--web.listen-address=127.0.0.1:" + std::to_string(port_)},
                             .stdout_file = dir_.path() / "out",
                             .stderr_file = dir_.path() / "log"});
        REQUIRE_MESSAGE(eventually(
                            [&] {
                                const auto ready = http_.send({.url = url("/-/ready")});
                                return ready && ready->status == 200;
                            },
                            kStartTimeMax),
                        log());
    }

    /// `data` of the answer of its API.
    json ask(const std::string& target) {
        const auto answer = http_.send({.url = url(target)});
        REQUIRE_MESSAGE(answer.has_value(), target);
        const json read = json::parse(answer->body, nullptr, false);
        REQUIRE_MESSAGE(read.is_object(), answer->body);
        CHECK_MESSAGE(read["status"] == "success", read.dump());
        return read.value("data", json::object());
    }
    json query(const std::string& expression) {
        CAPTURE(expression);
        return ask("/api/v1/query?query=" + encoded(expression)).value("result", json::array());
    }
    json rules() {
        json all = json::array();
        const json groups = ask("/api/v1/rules").value("groups", json::array());
        for (const json& group : groups)
            for (const json& rule : group["rules"])
                all.push_back(rule);
        return all;
    }
    std::string state_of(const std::string& alert) {
        const json all = rules();
        for (const json& rule : all)
            if (rule["name"] == alert) return rule["state"];
        return "no such rule";
    }
    std::string log() const { return content_of(dir_.path() / "log"); }

  private:
    std::string url(const std::string& target) const {
        return "http://127.0.0.1:" + std::to_string(port_) + target;
    }

    TempDir dir_;
    std::uint16_t port_;
    http::Client http_{{}};
    std::unique_ptr<Process> process_;
};

/// Every `expr` of the dashboard as Grafana would send it for all instances.
void collect_expressions(const json& value, std::vector<std::string>& found) {
    for (const auto& [name, member] : value.items()) {
        if (name == "expr") {
            std::string text = member.get<std::string>();
            text = std::regex_replace(text, std::regex(R"(\$__rate_interval)"), "1m");
            found.push_back(std::regex_replace(text, std::regex(R"(\$instance)"), ".*"));
        } else if (member.is_structured()) {
            collect_expressions(member, found);
        }
    }
}

/// Names in `expression` that are a metric of ours, or look as if they were.
std::set<std::string> metrics_in(const std::string& expression) {
    const std::regex name("[a-z0-9]+(_[a-z0-9]+)+(?=\\{|\\[)");
    std::set<std::string> names;
    for (std::sregex_iterator at(expression.begin(), expression.end(), name), end; at != end; ++at)
        names.insert(at->str());
    return names;
}

}  // namespace

TEST_CASE("promtool accepts the rules, and each alert fires and is silent where it must") {
    const Ran checked = run({"promtool", "check", "rules", kRules});
    CHECK_MESSAGE(checked.status == 0, (checked.out + checked.err));
    const Ran tested = run({"promtool", "test", "rules", kCases});
    CHECK_MESSAGE(tested.status == 0, (tested.out + tested.err));
    const std::string cases = content_of(kCases);
    const std::string rules = content_of(kRules);
    const std::regex alert("- alert: ([A-Za-z0-9]+)\n");
    std::size_t alerts = 0;
    for (std::sregex_iterator at(rules.begin(), rules.end(), alert), end; at != end; ++at) {
        const std::string name = "alertname: " + (*at)[1].str();
        CAPTURE(name);
        CHECK(cases.find(name + "}\n") != std::string::npos);  // silent
        CHECK(cases.find(name + "\n") != std::string::npos);   // firing
        ++alerts;
    }
    CHECK(alerts >= 20);
}

TEST_CASE("a real Prometheus reads a2hd, runs the rules and answers every query of the dashboard") {
    Shop shop;
    const std::string url = shop.url();
    const auto page = http::Client({}).send({.url = url});
    REQUIRE(page);
    const Ran linted = run({"promtool", "check", "metrics"}, {}, page->body);
    CHECK_MESSAGE(linted.status == 0, (linted.out + linted.err));

    Prometheus prometheus(url);
    // Rates need two looks.
    REQUIRE_MESSAGE(eventually(
                        [&] {
                            const json counted = prometheus.query(
                                "count_over_time(a2hd_model_calls_total{result=\"failed\"}[1m])");
                            return !counted.empty() &&
                                   std::stoi(counted[0]["value"][1].get<std::string>()) >= 3;
                        },
                        30s),
                    prometheus.log());
    CHECK(prometheus.query("up{job=\"a2hd\"}")[0]["value"][1] == "1");

    const json dashboard =
        json::parse(std::ifstream(A2H_SOURCE_DIR "/packaging/grafana/a2hd.json"), nullptr, false);
    std::vector<std::string> expressions;
    collect_expressions(dashboard, expressions);
    CHECK(expressions.size() > 40);
    std::set<std::string> without_data;
    for (const std::string& expression : expressions) {
        CAPTURE(expression);
        const json answered = prometheus.query(expression);
        // A query that filters by size may return nothing.
        const std::string unfiltered = expression.substr(0, expression.find(" > 0"));
        if (answered.empty() && (unfiltered == expression || prometheus.query(unfiltered).empty()))
            without_data.merge(metrics_in(expression));
    }
    CHECK(without_data == std::set<std::string>{"negotiation_success_rate"});
    // The query that fills the choice of instances.
    CHECK(prometheus.ask("/api/v1/label/instance/values?match[]=a2hd_build_info").size() == 1);

    const json rules = prometheus.rules();
    CHECK(rules.size() >= 20);
    for (const json& rule : rules) {
        CAPTURE(rule.dump());
        CHECK(rule["health"] == "ok");
        // Only the alerts that the failing model causes.
        const bool is_models = rule["name"].get<std::string>().starts_with("A2hdModel");
        if (!is_models) CHECK(rule["state"] == "inactive");
    }
    CHECK(prometheus.state_of("A2hdModelCallsFail") == "pending");
    CHECK(prometheus.state_of("A2hdDown") == "inactive");
    shop.scene.seller.stop();
    CHECK(eventually([&] { return prometheus.state_of("A2hdDown") == "pending"; }, 20s));
}
