PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    plan_set_at_ms INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
  , removed_at_ms INTEGER, webhook TEXT) STRICT, WITHOUT ROWID;
INSERT INTO accounts VALUES('acct_gone','gone (removed)','standard',1763700000000,1763700000000,1763700007000,NULL);
INSERT INTO accounts VALUES('acct_local','local','unlimited',1763700000000,1763700000000,NULL,NULL);
INSERT INTO accounts VALUES('acct_team','Ada''s team','trial',1763700001000,1763700001000,NULL,'https://hooks.example/ada');
CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    redacted TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('user', 'admin')),
    allowed_models TEXT,
    created_at_ms INTEGER NOT NULL,
    last_used_at_ms INTEGER,
    expires_at_ms INTEGER,
    revoked_at_ms INTEGER
  , balance_id TEXT NOT NULL DEFAULT '', scopes TEXT, parallel INTEGER) STRICT, WITHOUT ROWID;
INSERT INTO keys VALUES('key_1','acct_local',X'1111111111111111111111111111111111111111111111111111111111111111','sk-…1111','first','user',NULL,1763700000000,1763700005000,NULL,NULL,'key_1','["chat"]',2);
INSERT INTO keys VALUES('key_2','acct_team',X'2222222222222222222222222222222222222222222222222222222222222222','sk-…2222','für Kinder','user','["tiny"]',1763700001000,NULL,1763786400000,NULL,'key_2',NULL,NULL);
INSERT INTO keys VALUES('key_3','acct_local',X'3333333333333333333333333333333333333333333333333333333333333333','sk-…3333','','admin',NULL,1763700000000,NULL,NULL,1763700009000,'key_3',NULL,NULL);
CREATE TABLE buckets (
    key_id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    measure TEXT NOT NULL,
    window TEXT NOT NULL,
    units INTEGER NOT NULL,
    fraction INTEGER NOT NULL CHECK (fraction >= 0),
    limit_units INTEGER NOT NULL CHECK (limit_units > 0),
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (key_id, model_id, measure, window)
  ) STRICT, WITHOUT ROWID;
INSERT INTO buckets VALUES('key_2','tiny','inputTokens','30d',-12,0,30000000,1763700002000);
INSERT INTO buckets VALUES('key_2','tiny','requests','minute',59,30000,60,1763700002000);
CREATE TABLE admissions (
    id INTEGER PRIMARY KEY,
    admitted_at_ms INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    route TEXT NOT NULL,
    measures TEXT NOT NULL,
    paid_windows TEXT NOT NULL
  , prompt_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0, audio_ms INTEGER NOT NULL DEFAULT 0, usage_source TEXT NOT NULL DEFAULT 'counted', batch_id TEXT) STRICT;
INSERT INTO admissions VALUES(7,1763700008000,'acct_team','key_2','tiny','/v1/chat/completions','["requests"]','[]',12,4,300,0,'counted','batch_1');
CREATE TABLE ledger (
    settled_at_ms INTEGER NOT NULL,
    number INTEGER NOT NULL,
    admitted_at_ms INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    route TEXT NOT NULL,
    measures TEXT NOT NULL,
    paid_windows TEXT NOT NULL,
    status INTEGER,
    refunded INTEGER NOT NULL CHECK (refunded IN (0, 1)),
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    audio_ms INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    time_to_first_token_ms INTEGER, usage_source TEXT NOT NULL DEFAULT 'counted', batch_id TEXT, micro_units INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (settled_at_ms, number)
  ) STRICT, WITHOUT ROWID;
INSERT INTO ledger VALUES(1763700003000,0,1763700002000,'acct_team','key_2','tiny','/v1/chat/completions','["requests","inputTokens"]','["minute","30d"]',200,0,12,4,34,0,1000,150,'counted','batch_1',250000);
INSERT INTO ledger VALUES(1763700003000,1,1763700002500,'acct_local','key_1','whisper','/v1/audio/transcriptions','["audioSeconds"]','[]',NULL,1,0,0,0,61500,500,NULL,'counted',NULL,0);
INSERT INTO ledger VALUES(1763700004000,0,1763700003500,'acct_local','key_1','remote','/v1/embeddings','["requests"]','[]',200,0,9,0,0,0,20,NULL,'reported','batch_1',250000);
CREATE TABLE model_checks (
    path TEXT PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    mtime_ms INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    verdict TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO model_checks VALUES('/models/tiny.gguf',123456,1763700000000,'abc','{"ok":true}');
CREATE TABLE responses (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    previous_id TEXT,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    item_count INTEGER NOT NULL,
    item_bytes INTEGER NOT NULL,
    json TEXT NOT NULL
  , kept_bytes INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO responses VALUES('resp_1','acct_team',NULL,1763700003000,1766292000000,2,40,'{"id":"resp_1","status":"completed"}',4172);
CREATE TABLE response_items (
    response_id TEXT NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
    side TEXT NOT NULL CHECK (side IN ('input', 'output')),
    position INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (response_id, side, position)
  ) STRICT;
INSERT INTO response_items VALUES('resp_1','input',0,'acct_team','msg_1','{"text":"Grüße"}');
INSERT INTO response_items VALUES('resp_1','output',0,'acct_team','msg_2','{"text":"hello"}');
CREATE TABLE server (signing_key BLOB NOT NULL CHECK (length(signing_key) = 32)) STRICT;
INSERT INTO server VALUES(X'5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e');
CREATE TABLE schema_versions (
    schema INTEGER PRIMARY KEY,
    hearth TEXT NOT NULL
  ) STRICT;
INSERT INTO schema_versions VALUES(1,'0.1.0');
INSERT INTO schema_versions VALUES(2,'0.1.0');
INSERT INTO schema_versions VALUES(3,'0.1.0');
INSERT INTO schema_versions VALUES(4,'0.1.0');
INSERT INTO schema_versions VALUES(5,'0.1.0');
INSERT INTO schema_versions VALUES(6,'0.1.0');
INSERT INTO schema_versions VALUES(7,'0.2.0');
INSERT INTO schema_versions VALUES(8,'0.2.0');
INSERT INTO schema_versions VALUES(9,'0.2.0');
INSERT INTO schema_versions VALUES(10,'0.2.0');
INSERT INTO schema_versions VALUES(11,'0.2.0');
INSERT INTO schema_versions VALUES(12,'0.2.0');
INSERT INTO schema_versions VALUES(13,'0.2.0');
INSERT INTO schema_versions VALUES(14,'0.2.0');
INSERT INTO schema_versions VALUES(15,'0.2.0');
INSERT INTO schema_versions VALUES(16,'0.2.0');
CREATE TABLE files (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    purpose TEXT NOT NULL,
    filename TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER
  ) STRICT, WITHOUT ROWID;
INSERT INTO files VALUES('file-1','acct_team','batch','lines.jsonl',200,1763700009000,1766292009000);
CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    key_id TEXT NOT NULL,
    dialect TEXT NOT NULL CHECK (dialect IN ('openai', 'anthropic')),
    endpoint TEXT NOT NULL,
    input_file_id TEXT NOT NULL,
    output_file_id TEXT NOT NULL,
    error_file_id TEXT NOT NULL,
    output_bytes INTEGER NOT NULL DEFAULT 0,
    error_bytes INTEGER NOT NULL DEFAULT 0,
    kept_ms INTEGER NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT,
    problems TEXT,
    total INTEGER NOT NULL DEFAULT 0,
    succeeded INTEGER NOT NULL DEFAULT 0,
    errored INTEGER NOT NULL DEFAULT 0,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    begun_at_ms INTEGER,
    cancelling_at_ms INTEGER,
    finalizing_at_ms INTEGER,
    ended_at_ms INTEGER
  , model TEXT, prompt_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0, reasoning_tokens INTEGER NOT NULL DEFAULT 0, failures TEXT NOT NULL DEFAULT '{}') STRICT, WITHOUT ROWID;
INSERT INTO batches VALUES('batch_1','acct_team','key_2','openai','/v1/chat/completions','file-1','file-2','file-3',0,0,2592000000,'in_progress',NULL,NULL,2,0,0,1763700009000,1763786409000,NULL,NULL,NULL,NULL,'tiny',30,10,20,5,'{"model_not_found":1}');
CREATE TABLE batch_lines (
    batch_id TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    beginning TEXT NOT NULL,
    position INTEGER NOT NULL,
    custom_id TEXT NOT NULL,
    byte_offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (batch_id, model, beginning, position)
  ) STRICT, WITHOUT ROWID;
INSERT INTO batch_lines VALUES('batch_1','tiny','0badcafe',0,'first',0,100);
CREATE TABLE refusals (
    minute_ms INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (minute_ms, account_id, key_id, model_id)
  ) STRICT, WITHOUT ROWID;
INSERT INTO refusals VALUES(1763700000000,'acct_team','key_2','tiny',3);
CREATE TABLE budgets (
    owner_id TEXT NOT NULL,
    measure TEXT NOT NULL,
    period TEXT NOT NULL,
    limit_units INTEGER,
    used INTEGER NOT NULL DEFAULT 0,
    period_start TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (owner_id, measure, period)
  ) STRICT, WITHOUT ROWID;
INSERT INTO budgets VALUES('acct_team','requests','day',NULL,3,'2025-11-21');
INSERT INTO budgets VALUES('key_1','tokens','ever',0,12,'');
CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    key_options TEXT NOT NULL,
    seats INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    closed_at_ms INTEGER
  ) STRICT, WITHOUT ROWID;
INSERT INTO invitations VALUES('inv_1',X'4444444444444444444444444444444444444444444444444444444444444444','7b','trial','{"scopes":["chat"]}',30,1763700000000,1763786400000,NULL);
CREATE TABLE claims (
    invitation_id TEXT NOT NULL REFERENCES invitations (id),
    browser BLOB NOT NULL CHECK (length(browser) = 32),
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    claimed_at_ms INTEGER NOT NULL,
    PRIMARY KEY (invitation_id, browser)
  ) STRICT, WITHOUT ROWID;
INSERT INTO claims VALUES('inv_1',X'5555555555555555555555555555555555555555555555555555555555555555','acct_team','key_2',1763700001000);
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    actor TEXT NOT NULL,
    origin TEXT NOT NULL,
    act TEXT NOT NULL,
    subject TEXT NOT NULL,
    before TEXT,
    after TEXT
  ) STRICT;
INSERT INTO audit VALUES(1,1763700000000,'command line','ada','account.create','acct_team',NULL,'{"name":"team"}');
CREATE TABLE notices (
    id TEXT PRIMARY KEY,
    occasion TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    account_id TEXT,
    at_ms INTEGER NOT NULL,
    message TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO notices VALUES('ntc_1','budget acct_team tokens day 2025-11-21 1000 80','budget.warning','acct_team',1763700001000,'80 % are used','{"limit":1000}');
CREATE TABLE deliveries (
    notice_id TEXT NOT NULL REFERENCES notices (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    due_at_ms INTEGER NOT NULL,
    PRIMARY KEY (notice_id, account_id)
  ) STRICT, WITHOUT ROWID;
INSERT INTO deliveries VALUES('ntc_1','',2,1763700031000);
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID;
INSERT INTO identities VALUES('https://login.example.org','ada-1','acct_team');
CREATE TABLE plans (
    name TEXT PRIMARY KEY,
    plan TEXT NOT NULL,
    changed_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO plans VALUES('team','{"limits":{"requests":{"minute":60}}}',1763700000000);
CREATE INDEX keys_by_account ON keys (account_id);
CREATE INDEX responses_by_expiry ON responses (expires_at_ms);
CREATE INDEX response_items_by_id ON response_items (account_id, id);
CREATE INDEX responses_by_account ON responses (account_id, kept_bytes);
CREATE INDEX files_by_account ON files (account_id, created_at_ms, id);
CREATE INDEX batches_by_account ON batches (account_id, created_at_ms, id);
CREATE INDEX batches_by_end ON batches (ended_at_ms);
CREATE TRIGGER audit_is_only_added_to BEFORE UPDATE ON audit
    BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
CREATE INDEX notices_by_time ON notices (at_ms);
CREATE INDEX deliveries_by_time ON deliveries (due_at_ms);
PRAGMA user_version=16;
COMMIT;
