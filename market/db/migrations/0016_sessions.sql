-- What two agents say to each other is a session; a negotiation is one of many parties.
alter table negotiation rename to session;
alter table negotiation_message rename to session_message;
drop index negotiation_of_two;
drop index negotiation_of_second;
drop index negotiation_of_first;
drop index negotiation_of_proposal;
drop index negotiation_message_by_id;
drop index negotiation_message_of_type;
create unique index session_of_two on session(first_id, second_id, rfp_id, proposal_id);
create index session_of_second on session(second_id, created_at_ms desc, session_id);
create index session_of_first on session(first_id, created_at_ms desc, session_id);
create index session_of_proposal on session(proposal_id);
create index session_message_by_id on session_message(message_id);
create index session_message_of_type on session_message(session_id, type, row_id);
