-- Standard names for tables and columns, before the first release. Values stay as they are.

alter table streams rename to account_positions;
alter table account_positions rename column indexed_to to index_position;
alter table account_positions rename column compacted_to to compaction_cursor;
alter table knowledge rename to extraction_cursors;
alter table extraction_cursors rename column read_to to cursor;
alter table clustering rename to clustering_settings;
alter table clustering_settings rename column looked_to to cursor;
alter table mails rename to inbound_mails;
alter table inbound_mails rename column is_declared to is_relay_authenticated;
alter table inbound_mails rename column is_verified to is_sender_verified;
alter table inbound_mails rename column answered_at to replied_at;
alter table rate_windows rename to rate_limit_windows;
alter table request_slots rename to concurrency_slots;

alter table documents rename column buried_at to deleted_at;
alter table activation_sessions rename column learned_at to co_access_processed_at;
alter table relationships rename column pinned_ends to pinned_memory_count;
alter table entities rename column is_kept to is_retained;
alter table entity_names rename column by_hand to is_manual;
alter table assertions rename column by_hand to is_manual;
alter table clusters rename column name_key to normalized_name;
alter table clusters rename column set_id to member_set_id;
alter table cluster_memories rename column set_id to member_set_id;
alter table cluster_memories rename column is_summed to is_in_vector_sum;

alter table webhooks rename column told_to to cursor;
alter table webhooks rename column former_secret to previous_secret;
alter table webhooks rename column former_secret_until to previous_secret_expires_at;
alter table webhooks rename column last_number to last_sequence_number;
alter table webhook_deliveries rename column event_at to event_created_at;

alter table email_reactions rename column told_to to cursor;
alter table email_reactions rename column day_began to daily_window_start;
alter table email_reactions rename column sent_that_day to daily_sent_count;
alter table email_digests rename column next_at to next_run_at;
alter table email_digests rename column covered_to to covered_until;

alter table media_uploads rename column told to upload_metadata;
alter table transcripts rename column heard to partial_segments;
alter table transcripts rename column shown_attempt to completed_attempt;
alter table video_interpretations rename column looked to partial_frames;
alter table video_interpretations rename column shown_attempt to completed_attempt;
