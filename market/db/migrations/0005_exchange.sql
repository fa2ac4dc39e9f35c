-- What agents offer to do, as they said it.
create table capability (
    agent_id      @text@ not null references agent(agent_id),
    position      @int@ not null,
    type          text not null,
    domains_json  text not null,
    primary key (agent_id, position)
) @strict@;

-- What is compared: the folded type of each capability with each of its folded domains, and with
-- the empty domain once. An agent and an RFP match when they share such a pair.
create table capability_key (
    type      @text@ not null,
    domain    @text@ not null,
    agent_id  @text@ not null references agent(agent_id),
    primary key (type, domain, agent_id)
--@sqlite
) strict, without rowid;
--@postgresql
);
--@all

create index capability_key_of_agent on capability_key(agent_id);

create table rfp (
    rfp_id            @text@ primary key,
    creator_id        @text@ not null references agent(agent_id),
    title             text not null,
    description       text not null,
    capability_type   text not null,
    capability_key    @text@ not null,      -- folded
    domains_json      text not null,
    budget_currency   text,
    budget_max_minor  @int@,
    deadline_at_ms    @int@,
    status            text not null,
    told_after        @text@,               -- matched agents up to this one were told; null: all
    created_at_ms     @int@ not null,
    updated_at_ms     @int@ not null
) @strict@;

create index rfp_newest on rfp(created_at_ms desc, rfp_id);
create index rfp_of_creator on rfp(creator_id, created_at_ms desc, rfp_id);
create index rfp_due on rfp(deadline_at_ms) where status = 'open';
create index rfp_to_tell on rfp(rfp_id) where told_after is not null;

-- The pairs that an RFP asks for; with the empty domain where it names none.
create table rfp_key (
    type    @text@ not null,
    domain  @text@ not null,
    rfp_id  @text@ not null references rfp(rfp_id),
    primary key (type, domain, rfp_id)
--@sqlite
) strict, without rowid;
--@postgresql
);
--@all

create index rfp_key_of_rfp on rfp_key(rfp_id);

create table proposal (
    proposal_id    @text@ primary key,
    rfp_id         @text@ not null references rfp(rfp_id),
    supplier_id    @text@ not null references agent(agent_id),
    status         text not null,
    price_minor    @int@ not null check (price_minor > 0),
    currency       text not null,
    delivery_at    text not null,           -- words or a time; empty: not said
    content        text not null,
    created_at_ms  @int@ not null,
    updated_at_ms  @int@ not null
) @strict@;

create unique index proposal_live on proposal(rfp_id, supplier_id) where status <> 'withdrawn';
create index proposal_of_rfp on proposal(rfp_id, created_at_ms, proposal_id);
create index proposal_of_supplier on proposal(supplier_id, rfp_id);

-- A negotiation of two agents; of each pair one about the same thing.
create table negotiation (
    session_id     @text@ primary key,
    first_id       @text@ not null references agent(agent_id),
    second_id      @text@ not null references agent(agent_id),
    rfp_id         @text@ not null,         -- empty: about none
    proposal_id    @text@ not null,         -- empty: about none
    created_at_ms  @int@ not null,
    check (first_id < second_id)
) @strict@;

create unique index negotiation_of_two on negotiation(first_id, second_id, rfp_id, proposal_id);
create index negotiation_of_second on negotiation(second_id, created_at_ms desc, session_id);
create index negotiation_of_first on negotiation(first_id, created_at_ms desc, session_id);
create index negotiation_of_proposal on negotiation(proposal_id);

create table negotiation_message (
    row_id          @id@,
    session_id      @text@ not null references negotiation(session_id),
    message_id      @text@ not null,
    sender_id       @text@ not null references agent(agent_id),
    type            text not null,
    payload_json    text not null,
    price_minor     @int@,                  -- of an offer
    currency        text,                   -- of an offer
    valid_until_ms  @int@,                  -- of an offer; null: for ever
    offer_id        @text@ not null,        -- message that is accepted or rejected; empty: none
    answer          text not null,          -- of an offer: empty, accepted or rejected
    created_at_ms   @int@ not null,
    unique (session_id, message_id)
) @strict@;

create index negotiation_message_by_id on negotiation_message(message_id);
create index negotiation_message_of_type on negotiation_message(session_id, type, row_id);

-- Written once, from an accepted proposal or an accepted offer.
create table deal (
    deal_id        @text@ primary key,
    offered_by     @text@ not null references agent(agent_id),
    accepted_by    @text@ not null references agent(agent_id),
    buyer_id       @text@ not null,         -- empty where no RFP tells
    rfp_id         @text@ not null,
    proposal_id    @text@ not null,
    session_id     @text@ not null,
    offer_id       @text@ not null,
    price_minor    @int@ not null check (price_minor > 0),
    currency       text not null,
    terms_json     text not null,
    created_at_ms  @int@ not null
) @strict@;

create unique index deal_of_proposal on deal(proposal_id) where proposal_id <> '';
create unique index deal_of_offer on deal(session_id, offer_id) where offer_id <> '';
create index deal_of_offerer on deal(offered_by, created_at_ms desc, deal_id);
create index deal_of_accepter on deal(accepted_by, created_at_ms desc, deal_id);
