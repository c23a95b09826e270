"""Folding the batches' counters: many delta rows become one per status."""

from django.db import connection

from tasks.operations.transactions import operation

# Only rows that this statement deletes are summed, so a delta written meanwhile is neither lost nor doubled.
_FOLD = """
WITH gone AS (
  DELETE FROM batch_counts
   WHERE id IN (
     SELECT id FROM batch_counts
      WHERE (batch_id, status) IN (
        SELECT batch_id, status FROM batch_counts GROUP BY batch_id, status HAVING count(*) > %(most)s
      )
      FOR UPDATE SKIP LOCKED
   )
  RETURNING batch_id, status, delta
)
INSERT INTO batch_counts (batch_id, status, delta)
SELECT batch_id, status, sum(delta) FROM gone GROUP BY batch_id, status
"""


@operation
def fold_counts(*, most: int = 100) -> int:
    """Fold the counters with more than `most` rows; how many rows were written."""
    with connection.cursor() as cursor:
        cursor.execute(_FOLD, {"most": most})
        written: int = cursor.rowcount
    return written
