-- What a question is about, by the topic of the rule that asked. Questions of older versions are
-- told apart by the ids of the built-in rules, which they went by.
alter table approval add column about text not null default 'other';
update approval set about = 'terms'
    where (requested_by glob 'rule:offer.*' or requested_by glob 'rule:deal.*')
    and requested_by <> 'rule:offer.haggling';
update approval set about = 'facts' where requested_by glob 'rule:question.*';
-- Decisions that wait for the stages become questions later.
update stage_case set decision_json = json_set(decision_json, '$.about',
    case when json_extract(decision_json, '$.rule_id') = 'offer.haggling' then 'other'
        when json_extract(decision_json, '$.rule_id') glob 'offer.*'
            or json_extract(decision_json, '$.rule_id') glob 'deal.*' then 'terms'
        when json_extract(decision_json, '$.rule_id') glob 'question.*' then 'facts'
        else 'other' end)
where json_valid(decision_json);
