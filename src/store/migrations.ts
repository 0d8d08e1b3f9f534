interface Migration {
  readonly hearth: string;
  readonly sql: string;
}

/**
 * The changes of each version of the database, oldest first. Never edit a released entry: add one, and with it the dump
 * of such a database to test/unit/store/schemas, from which tests start. `hearth` is the first version of hearth that has
 * the entry: a program that is too old for a database names it.
 * Times are Unix milliseconds by the wall clock. Amounts are whole units: a request, a token, or a
 * millisecond of audio.
 */
export const migrations: readonly Migration[] = [
  {
    hearth: '0.1.0',
    sql: `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    plan_set_at_ms INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- hash: SHA-256 of the secret; the secret itself is nowhere.
  -- allowed_models: JSON array of canonical ids; NULL: all.
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
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keys_by_account ON keys (account_id);

  -- A balance is units + fraction / window in ms, exact; no row: a full bucket.
  -- limit_units: the limit that it refilled by until at_ms.
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

  -- Requests in flight: what was paid at admission, so that a crash can give it back.
  CREATE TABLE admissions (
    id INTEGER PRIMARY KEY,
    admitted_at_ms INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    route TEXT NOT NULL,
    measures TEXT NOT NULL,
    paid_windows TEXT NOT NULL
  ) STRICT;

  -- One row per admitted request, written when it ended. status NULL: the server died before that.
  -- No foreign keys: history outlives what it tells about.
  -- Kept in the order of time, which is how it is read and thinned; number: from 0 within a millisecond.
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
    time_to_first_token_ms INTEGER,
    PRIMARY KEY (settled_at_ms, number)
  ) STRICT, WITHOUT ROWID;

  -- What loading a model file taught; a changed file has other columns and is checked again.
  CREATE TABLE model_checks (
    path TEXT PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    mtime_ms INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    verdict TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    hearth: '0.1.0',
    sql: `
  -- Responses that a client wants to come back to. json: the response object, its output left out.
  -- previous_id: no foreign key, since what a response continues may be deleted before it.
  CREATE TABLE responses (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    previous_id TEXT,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    item_count INTEGER NOT NULL,
    item_bytes INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX responses_by_expiry ON responses (expires_at_ms);

  CREATE TABLE response_items (
    response_id TEXT NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
    side TEXT NOT NULL CHECK (side IN ('input', 'output')),
    position INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (response_id, side, position)
  ) STRICT;
  CREATE INDEX response_items_by_id ON response_items (account_id, id);
  `,
  },
  {
    hearth: '0.1.0',
    sql: `
  -- balance_id: whose balances in "buckets" the key uses up; after a rotation those of the key that it replaces.
  ALTER TABLE keys ADD COLUMN balance_id TEXT NOT NULL DEFAULT '';
  UPDATE keys SET balance_id = id;

  -- kept_bytes: what a response takes on the disk, roughly and with its items.
  ALTER TABLE responses ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE responses SET kept_bytes = item_bytes + length(json) + 4096;
  CREATE INDEX responses_by_account ON responses (account_id, kept_bytes);
  `,
  },
  {
    hearth: '0.1.0',
    sql: `
  -- removed_at_ms: NULL while the account is there. The row of a removed one stays, under a name that nobody can
  -- take, because keys name it and the ledger is told by it.
  ALTER TABLE accounts ADD COLUMN removed_at_ms INTEGER;
  `,
  },
  {
    hearth: '0.1.0',
    sql: `
  -- usage_source: counted (by hearth), reported (by the server that computed), tokenized (by its tokenizer afterwards)
  -- or estimated (by length).
  ALTER TABLE ledger ADD COLUMN usage_source TEXT NOT NULL DEFAULT 'counted';
  `,
  },
  {
    hearth: '0.1.0',
    sql: `
  -- One row. signing_key: by it the server knows what it wrote itself, such as thoughts that clients send back.
  CREATE TABLE server (signing_key BLOB NOT NULL CHECK (length(signing_key) = 32)) STRICT;
  INSERT INTO server VALUES (randomblob(32));
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- The versions of the database up to its own, each with the first hearth that has it. An older program reads it to
  -- say what is needed, so the table stays as it is.
  CREATE TABLE schema_versions (
    schema INTEGER PRIMARY KEY,
    hearth TEXT NOT NULL
  ) STRICT;
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- What a request in flight has used so far, as of its last note: charged if the process dies before the request ends.
  ALTER TABLE admissions ADD COLUMN prompt_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE admissions ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE admissions ADD COLUMN completion_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE admissions ADD COLUMN audio_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE admissions ADD COLUMN usage_source TEXT NOT NULL DEFAULT 'counted';
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- Files that clients keep; what is in one lies in the folder "files" under its id. expires_at_ms NULL: never.
  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    purpose TEXT NOT NULL,
    filename TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_by_account ON files (account_id, created_at_ms, id);

  -- output_bytes, error_bytes: how much of its two files of results counts; what lies behind was lost in a crash.
  -- kept_ms: how long these files stay.
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
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX batches_by_account ON batches (account_id, created_at_ms, id);
  CREATE INDEX batches_by_end ON batches (ended_at_ms);

  -- The lines of a batch that have no result yet, in the order in which they are computed: those of a model together,
  -- and among them those with equal beginnings. byte_offset, bytes: where the line is in the input file.
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

  -- The batch that a request is a line of; NULL: somebody waited for its answer.
  ALTER TABLE admissions ADD COLUMN batch_id TEXT;
  ALTER TABLE ledger ADD COLUMN batch_id TEXT;
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- tokens_left: what is left of a budget of tokens, for all models together; below zero: more was used. NULL: there is no
  -- budget. That of the key in balance_id counts.
  ALTER TABLE keys ADD COLUMN tokens_left INTEGER;
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- What limits refused, by the minute.
  CREATE TABLE refusals (
    minute_ms INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (minute_ms, account_id, key_id, model_id)
  ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- What an account, or a key (the one in balance_id), may use in a period: tokens, requests or milliseconds of audio.
  -- limit_units NULL: only the account's plan limits it. period_start: the date on which the period of "used" began.
  -- What was left of budgets of tokens stays what it was.
  CREATE TABLE budgets (
    owner_id TEXT NOT NULL,
    measure TEXT NOT NULL,
    period TEXT NOT NULL,
    limit_units INTEGER,
    used INTEGER NOT NULL DEFAULT 0,
    period_start TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (owner_id, measure, period)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO budgets (owner_id, measure, period, limit_units, used)
    SELECT id, 'tokens', 'ever', max(tokens_left, 0), max(-tokens_left, 0) FROM keys WHERE tokens_left IS NOT NULL;
  ALTER TABLE keys DROP COLUMN tokens_left;
  -- The model that all lines of a batch name, and the tokens of those that were answered.
  ALTER TABLE batches ADD COLUMN model TEXT;
  ALTER TABLE batches ADD COLUMN prompt_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE batches ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE batches ADD COLUMN completion_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE batches ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- scopes: JSON array of what the key may be used for; NULL: everything. parallel: requests at once; NULL: any number.
  ALTER TABLE keys ADD COLUMN scopes TEXT;
  ALTER TABLE keys ADD COLUMN parallel INTEGER;

  -- hash: SHA-256 of the code, which is nowhere. key_options: JSON of what the keys are like that claims make.
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

  -- One row for each seat that is taken. browser: SHA-256 of what the browser calls itself by.
  CREATE TABLE claims (
    invitation_id TEXT NOT NULL REFERENCES invitations (id),
    browser BLOB NOT NULL CHECK (length(browser) = 32),
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    claimed_at_ms INTEGER NOT NULL,
    PRIMARY KEY (invitation_id, browser)
  ) STRICT, WITHOUT ROWID;

  -- Administrative acts, in their order. before, after: JSON of what an act changed; NULL: nothing.
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
  CREATE TRIGGER audit_is_only_added_to BEFORE UPDATE ON audit
    BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- What a request cost, in millionths of the operator's units, by the price of its day.
  ALTER TABLE ledger ADD COLUMN micro_units INTEGER NOT NULL DEFAULT 0;

  -- Where an account is told of its budgets; NULL: nowhere.
  ALTER TABLE accounts ADD COLUMN webhook TEXT;

  -- What somebody should know. occasion: each is told once. account_id: whom it concerns beside the operator; NULL: nobody.
  CREATE TABLE notices (
    id TEXT PRIMARY KEY,
    occasion TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    account_id TEXT,
    at_ms INTEGER NOT NULL,
    message TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notices_by_time ON notices (at_ms);

  -- What is still to be sent, to the account's address or, where it is empty, to the operator's.
  CREATE TABLE deliveries (
    notice_id TEXT NOT NULL REFERENCES notices (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    due_at_ms INTEGER NOT NULL,
    PRIMARY KEY (notice_id, account_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_by_time ON deliveries (due_at_ms);
  `,
  },
  {
    hearth: '0.2.0',
    sql: `
  -- The accounts of people who sign in elsewhere, by what that calls them.
  CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID;

  -- Plans beside those of the settings. plan: JSON.
  CREATE TABLE plans (
    name TEXT PRIMARY KEY,
    plan TEXT NOT NULL,
    changed_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  },
  // A JSON object: how many lines failed, by the codes of their errors.
  { hearth: '0.2.0', sql: `ALTER TABLE batches ADD COLUMN failures TEXT NOT NULL DEFAULT '{}';` },
];
