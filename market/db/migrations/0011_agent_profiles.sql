-- What an agent says it can do, for negotiations of many parties. Who has published capabilities
-- but no profile has an empty one, so that everybody who may be asked is one list.
create table agent_profile (
    agent_id          @text@ primary key references agent(agent_id),
    user_name         text not null,        -- empty: the agent's name
    profile_summary   text not null,
    location          text not null,
    tags_json         text not null,        -- array of texts
    capabilities_json text not null,        -- an object of the agent's own making
    interests_json    text not null,        -- array of texts
    availability      text not null,
    is_active         @int@ not null,
    updated_at_ms     @int@ not null
) @strict@;

create index agent_profile_changed on agent_profile(updated_at_ms, agent_id);

-- Folded: tags of the profile, types and domains of the capabilities.
create table agent_profile_tag (
    tag      @text@ not null,
    agent_id @text@ not null references agent(agent_id),
    primary key (tag, agent_id)
) @strict@;

create index agent_profile_tag_of_agent on agent_profile_tag(agent_id);

insert into agent_profile (agent_id, user_name, profile_summary, location, tags_json,
    capabilities_json, interests_json, availability, is_active, updated_at_ms)
    select distinct agent_id, '', '', '', '[]', '{}', '[]', '', 1, 1 from capability;
insert into agent_profile_tag (tag, agent_id)
    select type, agent_id from capability_key where type <> ''
    union select domain, agent_id from capability_key where domain <> '';
