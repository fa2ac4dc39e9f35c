#include "daemon/app/app.h"

#include <utility>

#include "core/base/log.h"
#include "core/systemd/notify.h"
#include "daemon/app/faces.h"

namespace a2h {

App::App(std::unique_ptr<Parts> parts, std::unique_ptr<Faces> faces)
    : parts_(std::move(parts)), faces_(std::move(faces)) {}

App::~App() {
    // This comes first: the joins below would otherwise wait for a market that does not answer.
    parts_->opened.transfers->end();
}

Result<std::unique_ptr<App>> App::start(const control::Home& home, Mode mode) {
    auto ring = std::make_shared<log::Ring>();
    log::set_listener(ring);
    A2H_ASSIGN_OR_RETURN(auto opened, home::open_home(home));
    auto parts = std::make_unique<Parts>(std::move(opened), std::move(ring), mode == Mode::Serve);
    A2H_TRY(parts->local_agents.load());
    A2H_ASSIGN_OR_RETURN(auto faces, Faces::open(*parts));
    return std::unique_ptr<App>(new App(std::move(parts), std::move(faces)));
}

void App::run() {
    parts_->begin_work();
    systemd::notify_ready();
    log::info("a2hd is ready", {{"agents", static_cast<long long>(parts_->agents.size())},
                                {"page", parts_->page.served.page_url}});
    parts_->loop.run();
    systemd::notify_stopping();
}

std::string App::run_once(const std::string& line) {
    std::string answer;
    parts_->loop.post([this, &line, &answer] {
        faces_->table().run_line(line, [this, &answer](std::string text) {
            answer = std::move(text);
            parts_->loop.stop();
        });
    });
    parts_->loop.run();
    return answer;
}

}  // namespace a2h
