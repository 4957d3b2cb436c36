-- What was said and shown: recordings, what was heard and seen in them, and uploads under way.
create table media_files (
  account_id uuid not null,
  memory_id uuid not null,
  -- audio or video.
  kind text not null,
  -- The name of its bytes in the blob store.
  blob text not null,
  bytes bigint not null,
  sha256 bytea not null,
  filename text,
  mime_type text not null,
  -- Seconds; null where the file does not tell.
  duration double precision,
  -- What was probed of it, as /video/metadata shows it.
  details jsonb not null,
  -- A small picture of a video, once it is made.
  thumbnail_blob text,
  thumbnail_bytes integer,
  created_at timestamptz not null,
  primary key (account_id, memory_id),
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade
);
create index media_files_bytes on media_files (account_id, sha256);
create index media_files_blob on media_files (blob);
create index media_files_thumbnail on media_files (thumbnail_blob) where thumbnail_blob is not null;
-- A signed link names a memory before an account is known.
create index media_files_memory on media_files (memory_id);

-- Seconds that were cut out of a recording, kept for a day.
create table media_clips (
  account_id uuid not null,
  memory_id uuid not null,
  start_ms integer not null,
  end_ms integer not null,
  blob text not null,
  bytes integer not null,
  created_at timestamptz not null,
  primary key (account_id, memory_id, start_ms, end_ms),
  foreign key (account_id, memory_id) references media_files (account_id, memory_id)
    on delete cascade
);
create index media_clips_blob on media_clips (blob);
create index media_clips_age on media_clips (created_at);

create table media_uploads (
  account_id uuid not null,
  id uuid not null,
  -- Bytes of the whole file, and how many of them are here.
  length bigint not null,
  received bigint not null default 0,
  filename text,
  -- The fields beside the file, as they were sent.
  fields jsonb not null,
  -- The header that they came in, which its client is told again.
  told text,
  -- Spaces that the key which began it may use (`default`: none); null: all.
  spaces text[],
  -- Who is taking bytes in, one at a time, and until when they end it once all are here; of nobody:
  -- when it is tried again.
  lease_until timestamptz,
  leased_by uuid,
  -- What it became.
  memory_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id)
);
create index media_uploads_expiry on media_uploads (expires_at);
-- Those that nobody has ended, though all of their bytes are here.
create index media_uploads_unended on media_uploads (id)
  where memory_id is null and received = length;

-- The bytes that are here, in their order.
create table media_upload_parts (
  account_id uuid not null,
  upload_id uuid not null,
  -- Where in the file it begins.
  position bigint not null,
  blob text not null,
  bytes integer not null,
  primary key (account_id, upload_id, position),
  foreign key (account_id, upload_id) references media_uploads (account_id, id) on delete cascade
);
create index media_upload_parts_blob on media_upload_parts (blob);

-- What was said. The row is there from the moment that a transcript is asked for.
create table transcripts (
  account_id uuid not null,
  memory_id uuid not null,
  -- The job that makes it; an asking again is another one.
  job_id uuid not null,
  -- queued, processing, completed or failed.
  status text not null,
  -- Counted up by whoever takes it up: who lost it writes no more.
  attempt integer not null default 0,
  -- The one whose segments count; null before the first that was completed.
  shown_attempt integer,
  options jsonb not null,
  ignored_options text[] not null default '{}',
  provider text not null,
  -- What was heard so far, while it is made: words stand nowhere that outlives the recording.
  heard jsonb,
  full_transcript text,
  language text,
  language_confidence double precision,
  duration double precision,
  entities jsonb,
  chapters jsonb,
  summary text,
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (account_id, memory_id),
  foreign key (account_id, memory_id) references media_files (account_id, memory_id)
    on delete cascade
);

-- What key frames of a video show; as transcripts.
create table video_interpretations (
  account_id uuid not null,
  memory_id uuid not null,
  job_id uuid not null,
  status text not null,
  attempt integer not null default 0,
  -- The one whose segments count; null before the first that was completed.
  shown_attempt integer,
  model text not null,
  -- What was seen so far, while it is made.
  looked jsonb,
  summary text,
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (account_id, memory_id),
  foreign key (account_id, memory_id) references media_files (account_id, memory_id)
    on delete cascade
);

-- Stretches of recordings that a search finds; the id is that of the document in the index.
create table media_segments (
  account_id uuid not null,
  id uuid not null,
  memory_id uuid not null,
  -- speech, of a transcript, or frame, of an interpretation.
  modality text not null,
  -- Of the run that wrote it: many are written in several transactions.
  attempt integer not null,
  -- Its place among those of its modality.
  number integer not null,
  -- Seconds.
  start_time double precision not null,
  end_time double precision not null,
  text text not null,
  speaker text,
  confidence double precision,
  -- Of a frame.
  labels text[],
  primary key (account_id, id),
  foreign key (account_id, memory_id) references media_files (account_id, memory_id)
    on delete cascade
);
create unique index media_segments_place
  on media_segments (account_id, memory_id, modality, attempt, number);
