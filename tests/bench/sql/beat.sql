-- One heartbeat: a HOT update of one lock row.
\set n random(1, :locks)
UPDATE task_locks AS held
   SET heartbeat_at = clock_timestamp(), expire_at = clock_timestamp() + make_interval(secs => held.ttl_seconds)
  FROM bench_locks AS b
 WHERE b.n = :n AND held.task_id = b.task_id AND held.user_id = b.user_id AND held.expire_at > clock_timestamp();
