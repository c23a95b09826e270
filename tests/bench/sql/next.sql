-- pgbench knows no quoting of variables: each is cast.
-- The statements of one claim of the next pending task, without Python: person, pick, move, lock, counters, audit, event.
\set n random(1, :people)
BEGIN;
SELECT id AS person FROM bench_people WHERE n = :n \gset
SELECT id FROM users WHERE id = :person::uuid FOR NO KEY UPDATE;
SELECT t.id AS task FROM tasks AS t
 WHERE t.batch_id = :batch::uuid AND t.status = 'pending' AND t.archived_at IS NULL
   AND NOT EXISTS (SELECT 1 FROM task_locks AS held WHERE held.task_id = t.id AND held.expire_at > clock_timestamp())
 ORDER BY t."order", t.id LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED \gset
INSERT INTO task_locks (id, task_id, user_id, client_id, token, ttl_seconds, acquired_at, heartbeat_at, expire_at, device)
VALUES (uuidv7(), :task::uuid, :person::uuid, 'bench', nextval('task_locks_token'), 300, clock_timestamp(), clock_timestamp(),
        clock_timestamp() + interval '300 seconds', '');
UPDATE tasks SET status = 'in_progress', version = version + 1, assignee_id = :person::uuid, updated_at = clock_timestamp(),
       event_seq = event_seq + 2, audit_count = audit_count + 2, audit_head = 'x' WHERE id = :task::uuid;
INSERT INTO batch_counts (batch_id, status, delta) VALUES (:batch::uuid, 'pending', -1), (:batch::uuid, 'in_progress', 1);
INSERT INTO events (task_id, seq, type, payload, at)
VALUES (:task::uuid, 1, 'lock.changed', '{}', clock_timestamp()), (:task::uuid, 2, 'task.status', '{}', clock_timestamp());
INSERT INTO audit (at, project_id, task_id, number, actor_name, role, action, reason, request_id, address, prev_hash, hash)
VALUES (clock_timestamp(), :project::uuid, :task::uuid, 1, 'bench', 'annotator', 'lock.acquire', '', '', '', '', 'x'),
       (clock_timestamp(), :project::uuid, :task::uuid, 2, 'bench', 'annotator', 'task.claim', '', '', '', 'x', 'y');
COMMIT;
