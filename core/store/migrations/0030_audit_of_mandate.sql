-- What the audit says of a mandate is read whenever the mandate is used.
create index audit_mandate on audit (json_extract(detail_json, '$.mandate'))
    where what in ('mandate.given', 'mandate.shared', 'mandate.revoked');
