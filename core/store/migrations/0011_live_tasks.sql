-- Who gives out a thousand tasks has few of its own: finding those must not walk through the
-- others.
drop index assignment_live;
create index assignment_live on assignment (agent_id, side, number)
    where state in ('offered', 'open');
