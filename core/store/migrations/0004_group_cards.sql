-- What was told as one message is found by the channel's id of that message.
create index notification_receipt on notification (channel, receipt) where receipt <> '';
