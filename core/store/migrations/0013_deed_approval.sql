-- A deed is put as a question of its own, in the same transaction: that question's id is enough.
alter table deed rename column result_json to approval_id;
update deed set approval_id = case
    when json_valid(approval_id) then coalesce(
        json_extract(approval_id, '$.error.approval_id'),
        json_extract(approval_id, '$.data.approval_id'), '')
    else '' end;
