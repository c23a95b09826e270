"""Every statement on `task_locks`, one named block each.

The clock is `clock_timestamp()`: `now()` stands still inside a transaction, and a lease must not.
A row is *live* until `expire_at`; *stale* once half of its own TTL has passed without a heartbeat.
"""

#: The columns that a returned row begins with, in this order; each statement below spells them out.
COLUMNS = (
    "id",
    "task_id",
    "user_id",
    "client_id",
    "token",
    "ttl_seconds",
    "acquired_at",
    "heartbeat_at",
    "expire_at",
    "previous_user_id",
    "device",
)

# One statement, so that two racers cannot both find the row free: the second waits on the unique index,
# then meets the WHERE with the first one's values and returns nothing. The moment is taken once for the
# whole row. While it is mine and alive, the token, its birth and its TTL stay, and its page where the caller
# has none of its own. `seen` is the row as it was, so that the change of holder can be told.
ACQUIRE = """
WITH clock AS MATERIALIZED (
  SELECT clock_timestamp() AS moment
), seen AS (
  SELECT held.id, held.task_id, held.user_id, held.client_id, held.token, held.ttl_seconds, held.acquired_at,
         held.heartbeat_at, held.expire_at, held.previous_user_id, held.device,
         held.expire_at > clock.moment AS is_live,
         held.heartbeat_at <= clock.moment - make_interval(secs => held.ttl_seconds / 2.0) AS is_stale
    FROM task_locks AS held, clock
   WHERE held.task_id = %(task_id)s
), taken AS (
  INSERT INTO task_locks AS held (
    id, task_id, user_id, client_id, token, ttl_seconds, acquired_at, heartbeat_at, expire_at,
    previous_user_id, device
  )
  SELECT %(id)s, %(task_id)s, %(user_id)s, coalesce(%(client_id)s::text, ''), nextval('task_locks_token'),
         %(ttl_seconds)s, clock.moment, clock.moment,
         clock.moment + make_interval(secs => %(ttl_seconds)s), NULL, %(device)s
    FROM clock
  ON CONFLICT (task_id) DO UPDATE SET
    token = CASE WHEN held.user_id = EXCLUDED.user_id AND held.expire_at > EXCLUDED.heartbeat_at
                 THEN held.token ELSE EXCLUDED.token END,
    acquired_at = CASE WHEN held.user_id = EXCLUDED.user_id AND held.expire_at > EXCLUDED.heartbeat_at
                       THEN held.acquired_at ELSE EXCLUDED.acquired_at END,
    ttl_seconds = CASE WHEN held.user_id = EXCLUDED.user_id AND held.expire_at > EXCLUDED.heartbeat_at
                       THEN held.ttl_seconds ELSE EXCLUDED.ttl_seconds END,
    expire_at = CASE WHEN held.user_id = EXCLUDED.user_id AND held.expire_at > EXCLUDED.heartbeat_at
                     THEN GREATEST(held.expire_at,
                                   EXCLUDED.heartbeat_at + make_interval(secs => held.ttl_seconds))
                     ELSE EXCLUDED.expire_at END,
    heartbeat_at = CASE WHEN held.user_id = EXCLUDED.user_id
                        THEN GREATEST(held.heartbeat_at, EXCLUDED.heartbeat_at)
                        ELSE EXCLUDED.heartbeat_at END,
    previous_user_id = CASE WHEN held.user_id = EXCLUDED.user_id
                            THEN held.previous_user_id ELSE held.user_id END,
    user_id = EXCLUDED.user_id,
    client_id = CASE WHEN %(client_id)s::text IS NULL AND held.user_id = EXCLUDED.user_id
                          AND held.expire_at > EXCLUDED.heartbeat_at
                     THEN held.client_id ELSE EXCLUDED.client_id END,
    device = EXCLUDED.device
  WHERE held.user_id = EXCLUDED.user_id
     OR held.expire_at <= EXCLUDED.heartbeat_at
     OR held.heartbeat_at <= EXCLUDED.heartbeat_at - make_interval(secs => held.ttl_seconds / 2.0)
  RETURNING held.id, held.task_id, held.user_id, held.client_id, held.token, held.ttl_seconds,
            held.acquired_at, held.heartbeat_at, held.expire_at, held.previous_user_id, held.device
)
SELECT taken.*, seen.* FROM taken LEFT JOIN seen ON true
"""

# The fast path of a renewal by the same holder: the lock row alone, no task row. A row that a submit has
# just deleted, or that has expired, is not found, and the caller goes the long way.
RENEW = """
UPDATE task_locks AS held
   SET client_id = %(client_id)s, device = %(device)s, heartbeat_at = clock.moment,
       expire_at = clock.moment + make_interval(secs => held.ttl_seconds)
  FROM (SELECT clock_timestamp() AS moment) AS clock
 WHERE held.task_id = %(task_id)s AND held.user_id = %(user_id)s AND held.expire_at > clock.moment
RETURNING held.id, held.task_id, held.user_id, held.client_id, held.token, held.ttl_seconds, held.acquired_at,
          held.heartbeat_at, held.expire_at, held.previous_user_id, held.device
"""

# Never revives an expired row: somebody may have been told meanwhile that the task is free.
HEARTBEAT = """
UPDATE task_locks AS held
   SET heartbeat_at = clock.moment, expire_at = clock.moment + make_interval(secs => held.ttl_seconds)
  FROM (SELECT clock_timestamp() AS moment) AS clock
 WHERE held.task_id = %(task_id)s AND held.user_id = %(user_id)s AND held.expire_at > clock.moment
RETURNING held.expire_at
"""

# All beats of a second in one statement. SKIP LOCKED: a row that is being taken over or released right now
# must not make ten thousand others wait; its own beat comes again.
HEARTBEAT_MANY = """
WITH beats AS (
  SELECT DISTINCT task_id, user_id
    FROM unnest(%(task_ids)s::uuid[], %(user_ids)s::uuid[]) AS beat (task_id, user_id)
), mine AS (
  SELECT held.id
    FROM task_locks AS held JOIN beats USING (task_id, user_id)
   WHERE held.expire_at > clock_timestamp()
     FOR NO KEY UPDATE OF held SKIP LOCKED
)
UPDATE task_locks AS held
   SET heartbeat_at = clock.moment, expire_at = clock.moment + make_interval(secs => held.ttl_seconds)
  FROM mine, (SELECT clock_timestamp() AS moment) AS clock
 WHERE held.id = mine.id
RETURNING held.task_id, held.user_id, held.expire_at
"""

# Which of the beats that were not renewed are only busy (still theirs and alive), and not lost.
STILL_MINE = """
SELECT held.task_id, held.user_id, held.expire_at
  FROM task_locks AS held
  JOIN unnest(%(task_ids)s::uuid[], %(user_ids)s::uuid[]) AS beat (task_id, user_id) USING (task_id, user_id)
 WHERE held.expire_at > clock_timestamp()
"""

# A heartbeat that a crash loses costs its sender one more beat; waiting for the disk costs everybody.
NOT_SYNCHRONOUS = "SET LOCAL synchronous_commit = off"

# Only with the row's own client_id: the late release of a page that was left must not end the lock of the
# page opened after it.
RELEASE = """
DELETE FROM task_locks AS held
 WHERE held.task_id = %(task_id)s AND held.user_id = %(user_id)s AND held.client_id = %(client_id)s
RETURNING held.id, held.task_id, held.user_id, held.client_id, held.token, held.ttl_seconds, held.acquired_at,
          held.heartbeat_at, held.expire_at, held.previous_user_id, held.device
"""

# Of this person, whichever page: an action (submit, withdraw, a decision) ends the work itself.
RELEASE_OF_USER = """
DELETE FROM task_locks AS held
 WHERE held.task_id = %(task_id)s AND held.user_id = %(user_id)s
RETURNING held.id, held.task_id, held.user_id, held.client_id, held.token, held.ttl_seconds, held.acquired_at,
          held.heartbeat_at, held.expire_at, held.previous_user_id, held.device
"""

FORCE_RELEASE = """
DELETE FROM task_locks AS held WHERE held.task_id = %(task_id)s
RETURNING held.id, held.task_id, held.user_id, held.client_id, held.token, held.ttl_seconds, held.acquired_at,
          held.heartbeat_at, held.expire_at, held.previous_user_id, held.device
"""

FIND = """
SELECT held.id, held.task_id, held.user_id, held.client_id, held.token, held.ttl_seconds, held.acquired_at,
       held.heartbeat_at, held.expire_at, held.previous_user_id, held.device,
       held.expire_at > clock.moment AS is_live,
       held.heartbeat_at <= clock.moment - make_interval(secs => held.ttl_seconds / 2.0) AS is_stale
  FROM task_locks AS held, (SELECT clock_timestamp() AS moment) AS clock
 WHERE held.task_id = %(task_id)s
"""
