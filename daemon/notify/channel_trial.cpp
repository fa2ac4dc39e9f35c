#include "daemon/notify/channel_trial.h"

#include "core/domain/notification.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

bool is_notified_on(const Person& person, std::string_view channel) {
    for (const auto* steps : {&person.low, &person.normal, &person.high}) {
        for (const auto& step : *steps)
            for (const auto& used : step)
                if (used == channel) return true;
    }
    return false;
}

}  // namespace

Channels channels_in_use(const Channels& channels, const std::vector<Person>& people,
                         const std::string& name) {
    Channels found;
    for (const auto& channel : channels) {
        bool wanted = channel->name() == name;
        for (const Person& person : people)
            wanted = wanted || (name.empty() && is_notified_on(person, channel->name()));
        if (wanted) found.push_back(channel);
    }
    return found;
}

Result<std::string> try_channel(Channel& channel, i18n::Language language) {
    Notification row;
    row.kind = "test";
    row.channel = channel.name();
    row.body_json = "{}";
    A2H_ASSIGN_OR_RETURN(const auto delivered,
                         channel.deliver(render(row, nullptr, Secrets{}, language)));
    return delivered.words;
}

}  // namespace a2h::notify
