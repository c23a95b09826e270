-- Acquire and release of one task's lock with the task row as the mutex, an audit row and an event for each.
\set n random(1, :tasks)
\set p random(1, :people)
BEGIN;
SELECT id AS person FROM bench_people WHERE n = :p \gset
SELECT id AS task FROM bench_tasks WHERE n = :n \gset
SELECT id FROM tasks WHERE id = :task::uuid FOR NO KEY UPDATE;
INSERT INTO task_locks (id, task_id, user_id, client_id, token, ttl_seconds, acquired_at, heartbeat_at, expire_at, device)
VALUES (uuidv7(), :task::uuid, :person::uuid, 'bench', nextval('task_locks_token'), 300, clock_timestamp(), clock_timestamp(),
        clock_timestamp() + interval '300 seconds', '')
ON CONFLICT (task_id) DO UPDATE SET heartbeat_at = EXCLUDED.heartbeat_at;
UPDATE tasks SET event_seq = event_seq + 1, audit_count = audit_count + 1 WHERE id = :task::uuid;
COMMIT;
BEGIN;
SELECT id FROM tasks WHERE id = :task::uuid FOR NO KEY UPDATE;
DELETE FROM task_locks WHERE task_id = :task::uuid;
UPDATE tasks SET event_seq = event_seq + 1, audit_count = audit_count + 1 WHERE id = :task::uuid;
COMMIT;
