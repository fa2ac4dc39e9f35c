-- What a decision went by: versions of rules and limits, counts, what was read. For people.
alter table task add column basis_json text not null default '';
