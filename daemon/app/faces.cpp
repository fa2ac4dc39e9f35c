#include "daemon/app/faces.h"

#include <utility>

#include "daemon/operations/registration.h"

namespace a2h {

namespace {

operations::AllParts parts_of_operations(Parts& parts, const operations::Sender& sender,
                                         const operations::Meter& meter, std::string metrics_url) {
    return {.kernel = parts.kernel,
            .config = parts.config,
            .agents = parts.agents,
            .residents = parts.residents,
            .commits = parts.commits,
            .answers = parts.answers,
            .sender = sender,
            .local_agents = parts.local_agents,
            .logins = parts.logins,
            .removal = parts.removal,
            .coordinator = parts.coordinator,
            .profiles = parts.profiles,
            .rules = parts.rules,
            .secrets = parts.secrets,
            .pins = parts.pins,
            .human_file = parts.opened.home.human_file(),
            .audience = parts.audience,
            .leaders = parts.leaders,
            .model = parts.language_model.get(),
            .page_links = parts.page.port.get(),
            .served = parts.page.served,
            .meter = meter,
            .metrics_url = std::move(metrics_url),
            .log_ring = *parts.log_ring,
            .backups = parts.backups,
            .doctor = parts.doctor,
            .reload = parts.reload};
}

/// All operations. What they work with must outlive them.
std::unique_ptr<const operations::Table> make_table(const operations::AllParts& all,
                                                    const Agents& agents,
                                                    const operations::OwnerProof& proof) {
    auto table = std::make_unique<operations::Table>(agents, proof);
    operations::add_all(*table, all);
    return table;
}

}  // namespace

OperationSet::OperationSet(Parts& parts)
    : sender{{parts.kernel, parts.config, parts.secrets, parts.metrics, parts.answers,
              parts.commits, parts.agents, parts.unread_mail, parts.mailboxes.acting_agents()},
             parts.residents,
             parts.dispatcher},
      meter{parts.kernel, parts.metrics, parts.agents, parts.language_model.get()},
      proof(parts.answers, parts.config),
      metrics_port(parts.serves ? operations::serve_metrics(parts.config, meter) : nullptr),
      table(make_table(
          parts_of_operations(parts, sender, meter, metrics_port ? metrics_port->url() : ""),
          parts.agents, proof)) {}

namespace {

/// Errors: those of `control::Server` and `web::WebServer`.
Result<Doors> open_doors(Parts& parts, const OperationSet& operations) {
    std::unique_ptr<web::WebServer> web;
    if (parts.page.port) {
        A2H_ASSIGN_OR_RETURN(web, web::WebServer::start({operations.sender, *operations.table,
                                                         parts.audience, parts.buttons},
                                                        *parts.page.port));
    }
    A2H_ASSIGN_OR_RETURN(
        auto control, operations::serve_control(parts.loop, *operations.table, parts.opened.home));
    auto watchdog = health::start_watchdog(
        parts.loop, parts.hang,
        {{"receive", [&parts] { return parts.receiving.since(); }},
         {"write", [&parts] { return parts.writer.busy_since(); }},
         {"dispatch", [&parts] { return parts.dispatcher.unanswered_since(); },
          mail::Dispatcher::kPublishWaitMax}});
    return Doors{std::move(web), std::move(control), std::move(watchdog)};
}

}  // namespace

Faces::Faces(Parts& parts, std::unique_ptr<const OperationSet> operations, Doors doors)
    : operations_(std::move(operations)),
      doors_(std::move(doors)),
      signals_(
          parts.signal_mask, [&loop = parts.loop] { loop.stop(); },
          [&loop = parts.loop, &reload = parts.reload, serves = parts.serves] {
              serves ? loop.post([&reload] { reload.start_for_manager(); }) : loop.stop();
          }) {}

Result<std::unique_ptr<Faces>> Faces::open(Parts& parts) {
    auto operations = std::make_unique<const OperationSet>(parts);
    if (!parts.serves) return std::unique_ptr<Faces>(new Faces(parts, std::move(operations), {}));
    A2H_ASSIGN_OR_RETURN(auto doors, open_doors(parts, *operations));
    return std::unique_ptr<Faces>(new Faces(parts, std::move(operations), std::move(doors)));
}

}  // namespace a2h
