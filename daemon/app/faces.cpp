#include "daemon/app/faces.h"

#include <utility>

#include "daemon/operations/registration.h"

namespace a2h {

std::unique_ptr<const operations::Table> make_table(Parts& parts, const operations::Sender& sender,
                                                    const operations::Meter& meter,
                                                    const operations::OwnerProof& proof,
                                                    const std::string& metrics_url) {
    using namespace operations;
    auto made = std::make_unique<Table>(parts.agents, proof);
    Table& table = *made;
    const kernel::Services& kernel = parts.kernel;
    const Current<Config>& config = parts.config;
    add_agents(table, sender, parts.local_agents, parts.removal);
    add_approvals(table, sender);
    add_assignments(table, sender);
    add_audit(table, kernel);
    add_auth(table, sender, parts.logins);
    add_backup(table, parts.backups, config);
    add_config(table, kernel, config, parts.reload);
    add_contacts(table, kernel, parts.agents, parts.residents);
    add_daemon(table, kernel);
    add_deals(table, kernel);
    add_demands(table, sender, parts.coordinator);
    add_doctor(table, config, parts.doctor);
    add_explain(table, kernel, config, parts.rules.rules());
    add_follow(table, sender);
    add_inbox(table, kernel);
    add_introductions(table, sender);
    add_invitations(table, sender);
    add_learn(table, sender);
    add_logs(table, kernel, *parts.log_ring);
    add_mandates(table, sender);
    add_market(table, sender);
    add_metrics(table, meter, metrics_url);
    add_notify(table, kernel, config, parts.audience);
    add_outbox(table, kernel, parts.commits);
    add_page(table, kernel, config, parts.answers, parts.page.port.get());
    add_pin(table, kernel, config, parts.secrets, parts.pins, parts.opened.home.human_file(),
            parts.answers, parts.commits);
    add_plans(table, kernel, parts.agents);
    add_playbook(table, parts.rules);
    add_profiles(table, kernel, parts.agents, parts.profiles);
    add_send(table, sender);
    add_status(table, kernel, parts.agents, parts.rules, parts.leaders, parts.language_model.get(),
               parts.page.served);
    add_why(table, kernel, config);
    return made;
}

Desk::Desk(Parts& parts)
    : sender{{parts.kernel, parts.config, parts.secrets, parts.metrics, parts.answers,
              parts.commits, parts.agents, parts.unread_mail, parts.mailboxes.acting_agents()},
             parts.residents,
             parts.dispatcher},
      meter{parts.kernel, parts.metrics, parts.agents, parts.language_model.get()},
      proof(parts.answers, parts.config),
      metrics_port(parts.serves ? operations::serve_metrics(parts.config, meter) : nullptr),
      table(make_table(parts, sender, meter, proof, metrics_port ? metrics_port->url() : "")) {}

namespace {

/// Errors: those of `control::Server` and `web::WebServer`.
Result<Doors> open_doors(Parts& parts, const Desk& desk) {
    std::unique_ptr<web::WebServer> web;
    if (parts.page.port) {
        A2H_ASSIGN_OR_RETURN(
            web, web::WebServer::start({desk.sender, *desk.table, parts.audience, parts.buttons},
                                       *parts.page.port));
    }
    A2H_ASSIGN_OR_RETURN(auto control,
                         operations::serve_control(parts.loop, *desk.table, parts.opened.home));
    auto watchdog = health::start_watchdog(
        parts.loop, parts.hang,
        {{"receive", [&parts] { return parts.receiving.since(); }},
         {"write", [&parts] { return parts.writer.busy_since(); }},
         {"dispatch", [&parts] { return parts.dispatcher.unanswered_since(); },
          mail::Dispatcher::kPublishWaitMax}});
    return Doors{std::move(web), std::move(control), std::move(watchdog)};
}

}  // namespace

Faces::Faces(Parts& parts, std::unique_ptr<const Desk> desk, Doors doors)
    : desk_(std::move(desk)),
      doors_(std::move(doors)),
      signals_(
          parts.signal_mask, [&loop = parts.loop] { loop.stop(); },
          [&loop = parts.loop, &reload = parts.reload, serves = parts.serves] {
              serves ? loop.post([&reload] { reload.start_for_manager(); }) : loop.stop();
          }) {}

Result<std::unique_ptr<Faces>> Faces::open(Parts& parts) {
    auto desk = std::make_unique<const Desk>(parts);
    if (!parts.serves) return std::unique_ptr<Faces>(new Faces(parts, std::move(desk), {}));
    A2H_ASSIGN_OR_RETURN(auto doors, open_doors(parts, *desk));
    return std::unique_ptr<Faces>(new Faces(parts, std::move(desk), std::move(doors)));
}

}  // namespace a2h
