-- What is wanted of many, and the run that looks for it: the requester's side.
create table channel (
    number integer primary key,
    channel_id text not null unique,
    demand_id text not null unique,
    agent_id text not null,
    parent_channel_id text not null,
    user_id text not null,
    raw_input text not null,
    understanding_json text not null,
    state text not null,
    revision integer not null,
    round integer not null,
    deadline_ms integer not null,
    on_timeout text not null,
    shows_terms integer not null,
    response_seconds integer not null,
    feedback_seconds integer not null,
    outcome text not null,
    reason text not null,
    gaps_json text not null,
    compromise_json text not null,
    created_at_ms integer not null,
    updated_at_ms integer not null
) strict;
create index channel_agent on channel (agent_id, number);
create index channel_parent on channel (parent_channel_id) where parent_channel_id <> '';
create index channel_live on channel (number) where state not in ('finalized', 'failed');

-- Who may take part, and their answer.
create table party (
    channel_id text not null references channel (channel_id),
    agent_id text not null,
    place integer not null,
    display_name text not null,
    tags_json text not null,
    reason text not null,
    match_score integer not null,
    state text not null,
    replaces text not null,
    answer_by_ms integer not null,
    decision text,                       -- null until there is an answer
    contribution text not null,
    conditions_json text not null,
    reasoning text not null,
    decline_reason text not null,
    confidence integer not null,
    price_minor integer,
    price_currency text not null,
    answered_at_ms integer not null,
    joined_round integer not null,       -- proposals after this round are shown to it
    primary key (channel_id, agent_id)
) strict, without rowid;

create table proposal (
    channel_id text not null references channel (channel_id),
    version integer not null,
    proposal_json text not null,
    primary key (channel_id, version)
) strict, without rowid;

-- One answer of an agent in a round; a second one has no place.
create table feedback (
    channel_id text not null references channel (channel_id),
    round integer not null,
    agent_id text not null,
    type text not null,
    is_presumed integer not null,
    reasoning text not null,
    adjustment_request text not null,
    wanted_minor integer,
    wanted_currency text not null,
    at_ms integer not null,
    primary key (channel_id, round, agent_id)
) strict, without rowid;

-- The story of each negotiation, which the page and others follow.
create table negotiation_event (
    id integer primary key autoincrement,
    demand_id text not null,
    event_type text not null,
    payload_json text not null,
    at_ms integer not null
) strict;
create index negotiation_event_demand on negotiation_event (demand_id, id);

-- The participant's side: what our agents were invited to.
create table invitation (
    number integer primary key,
    agent_id text not null,
    channel_id text not null,
    requester_id text not null,
    demand_id text not null,
    demand_json text not null,           -- as it was sent
    filter_reason text not null,
    state text not null,
    answer_by_ms integer not null,       -- of what is asked now; 0: not told
    offer_json text not null,            -- our answer; empty before
    round integer not null,              -- of the newest proposal; 0 before the first
    proposal_json text not null,         -- as we were shown it; empty before
    feedback_type text not null,         -- our answer to it; empty before
    approval_id text not null,           -- the card that is open, or the last one
    mandate_id text not null,            -- under which we take part; its use is counted
    outcome text not null,               -- what we were told at the end; empty before
    is_bound integer not null,           -- we accepted the final plan and have a part in it
    created_at_ms integer not null,
    updated_at_ms integer not null,
    unique (agent_id, requester_id, channel_id)
) strict;
create index invitation_live on invitation (agent_id, number) where state not in ('ended');
create index invitation_approval on invitation (approval_id) where approval_id <> '';

-- Who can be asked. Source "market" or "import". What is read of many comes first in a row.
create table profile (
    number integer primary key,
    agent_id text not null unique,
    source text not null,
    user_name text not null,
    location text not null,
    availability text not null,
    is_active integer not null,
    updated_at_ms integer not null,
    tags_json text not null,
    interests_json text not null,
    capabilities_json text not null,
    profile_summary text not null
) strict;
create index profile_source on profile (source, agent_id);
-- Active profiles by their tags, folded, and by the words of everything else that they say.
create table profile_tag (
    tag text not null,
    profile integer not null references profile (number) on delete cascade,
    primary key (tag, profile)
) strict, without rowid;
create index profile_tag_profile on profile_tag (profile);
create table profile_word (
    word text not null,
    profile integer not null references profile (number) on delete cascade,
    place integer not null,              -- 0 capabilities, 1 interests, 2 summary
    primary key (word, profile)
) strict, without rowid;
create index profile_word_profile on profile_word (profile);

-- What of a finished plan has been made real: each thing once.
create table deed (
    channel_id text not null references channel (channel_id),
    realisation text not null,
    subject text not null,
    result_json text not null,           -- what the operation answered
    at_ms integer not null,
    primary key (channel_id, realisation, subject)
) strict, without rowid;
