/** The shapes of the HTTP contract (`/api/v1`), in the words that the server uses. */

export type Uuid = string;
/** UTC, ISO-8601, ends in `Z`. */
export type Instant = string;
/** `[x1, y1, x2, y2]` in pixels of the normalised picture. */
export type Bbox = [number, number, number, number];
export type XY = [number, number];

export interface UserRef {
  id: Uuid | number;
  username: string;
  name: string;
}

export type Role = "super_admin" | "project_admin" | "reviewer" | "annotator" | "viewer";
export type TaskStatus = "uploading" | "pending" | "in_progress" | "review" | "completed";
export type SelectionMode = "free" | "single" | "all" | "ordered";
export type GeometryKind = "point" | "bbox" | "polygon";

export interface Label {
  id?: Uuid;
  name: string;
  color?: string | null;
  key?: string | null;
  aliases?: string[];
}

export interface TaskConfig {
  version: number;
  question: string;
  selection_mode: SelectionMode;
  targets: string[];
  labels: Label[];
  geometries: GeometryKind[];
}

export interface Asset {
  id: Uuid;
  width: number;
  height: number;
  sha256: string;
  image_url: string;
}

export interface Pin {
  id: Uuid;
  x: number;
  y: number;
  text: string;
  answer?: string | null;
  answered_at?: Instant | null;
}

export interface Decision {
  decision: "approve" | "reject";
  reason: string | null;
  pins: Pin[];
  by: UserRef;
  at: Instant;
}

export interface Lock {
  task_id: Uuid;
  user: UserRef;
  client_id?: Uuid;
  token?: number;
  acquired_at: Instant;
  heartbeat_at: Instant;
  stale_at: Instant;
  expire_at: Instant;
  ttl_seconds?: number;
  heartbeat_seconds?: number;
  taken_over_from?: UserRef | null;
}

export type MarkName = "normal" | "difficult" | "later" | "invalid";

export interface Mark {
  mark: MarkName;
  reason: string;
  note: string;
  version: number;
  by: UserRef | null;
  at: Instant | null;
}

export interface Task {
  id: Uuid;
  name: string;
  project: { id: Uuid; name: string };
  batch: { id: Uuid; name: string };
  status: TaskStatus;
  version: number;
  asset: Asset;
  config: TaskConfig;
  assignee: UserRef | null;
  last_decision: Decision | null;
  lock: Lock | null;
  job: { job_id: Uuid; status: JobStatus } | null;
  mark: MarkName;
  annotation_revision: number | null;
  updated_at: Instant;
}

export interface Polygon {
  type: "polygon";
  points: XY[];
}

export type Geometry = { type: "point"; x: number; y: number } | { type: "bbox"; bbox: Bbox } | Polygon;

export interface ItemSource {
  candidate_set_id: Uuid;
  candidate_id: string;
  prediction_id?: Uuid | null;
}

export interface Item {
  id: string;
  label: string | null;
  geometry: Geometry;
  order?: number | null;
  source?: ItemSource | null;
}

export interface Candidate {
  id: string;
  label: string | null;
  center: XY;
  bbox: Bbox | null;
  score: number | null;
}

/** A candidate as the model proposed it, and no person has changed it. */
export interface Proposed extends Candidate {
  set_id: Uuid;
}

export interface Prediction {
  id: Uuid;
  selected_ids: string[];
  warnings: ({ code: string; message: string } | string)[];
  applicable: boolean;
  candidate_set_id?: Uuid;
  config_version?: number;
  /** What makes it stale now, by the server's names; empty when it can be applied. */
  failed_conditions?: string[];
}

export interface Annotation {
  revision: number;
  items?: Item[];
  confirmed_by?: UserRef;
  confirmed_at?: Instant;
}

export interface EditorSnapshot {
  task: Task;
  config: TaskConfig;
  /** `proposed`: also of the earlier sets that the draft's items come from. */
  candidates: { set_id: Uuid | null; revision: number; items: Candidate[]; proposed: Proposed[] };
  draft: { version: number; items: Item[] };
  prediction: Prediction | null;
  annotation: Annotation | null;
  has_confirmed_snapshot: boolean;
  is_confirmed: boolean;
  lock: Lock | null;
  job: Job | { job_id: Uuid; status: JobStatus } | null;
  mark: Mark;
  /** Only in review, and only for those who may review. */
  review: OpenReview | null;
  /** Completed before and taken up again; until it is handed in again. */
  reopened: Reopening | null;
}

export interface Reopening {
  reason: string;
  by: UserRef | null;
  at: Instant;
}

/** An entry of the task's history. */
export interface PastAct {
  at: Instant;
  action: string;
  actor: UserRef | null;
  reason: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface PastDecision {
  id: Uuid;
  decision: "approve" | "reject";
  reason: string;
  by: UserRef;
  at: Instant;
}

/** A review that is going on; `tie`: the owner's word is missing. */
export interface OpenReview {
  required: number;
  rule: "any" | "majority" | "all";
  outcome: "open" | "tie";
  claimed: boolean;
  decisions: PastDecision[];
}

export type RunKind = "DETECT_SUBJECTS" | "JUDGE_CANDIDATES" | "DETECT_REGION";

/** A model run. */
export interface ModelRun {
  run_id: Uuid;
  job_id: Uuid | null;
  kind: RunKind | string;
  status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "INTERRUPTED" | "IGNORED";
  progress: { phase: string; done: number; total: number };
  error: { code: string; message: string; retryable: boolean } | null;
  warnings: { code: string; message: string }[];
  result: { candidate_set_id?: Uuid; region_id?: Uuid; prediction_id?: Uuid } | null;
  ignored_reports: { attempt: number; why: string; received_at: Instant }[];
  region: Bbox | null;
  reference: Bbox | null;
  model: string;
  created_by: UserRef | null;
  created_at: Instant;
  finished_at: Instant | null;
}

/** What a local detection found; it changes nothing until a person applies it. */
export interface RegionPreview {
  id: Uuid;
  run_id: Uuid | null;
  base_set_id: Uuid | null;
  config_version: number;
  region: Bbox;
  reference: Bbox | null;
  items: Candidate[];
  /** What keeps it from being applied, by the server's names. */
  failed_conditions: string[];
  applied_at: Instant | null;
}

export interface SaveReply {
  config_version: number;
  candidate_set_id: Uuid | null;
  draft_version: number;
  saved_at: Instant;
}

export type JobStatus =
  | "CREATED"
  | "DETECTING"
  | "WAITING_USER_SELECTION"
  | "VALIDATING_MANUAL_BOXES"
  | "WAITING_BOX_BATCH_REVISION"
  | "PROCESSING_APPROVED_SUBJECTS"
  | "FINALIZING_RESULTS"
  | "SUCCEEDED"
  | "PARTIAL_SUCCEEDED"
  | "FAILED"
  | "EMPTY_SELECTION"
  | "CANCELLED";

export const TERMINAL_JOB: ReadonlySet<JobStatus> = new Set<JobStatus>([
  "SUCCEEDED",
  "PARTIAL_SUCCEEDED",
  "FAILED",
  "EMPTY_SELECTION",
  "CANCELLED",
]);

export type TargetPolicy = "segment" | "skip" | "validate";

export interface Box {
  box_id: string;
  label: string | null;
  bbox: Bbox | null;
  center: XY;
  score: number | null;
  source: "model" | "manual";
  edited: boolean;
  target_policy: TargetPolicy;
}

export interface BoxList {
  candidate_set_id: Uuid;
  revision: number;
  boxes: Box[];
}

export interface BoxProblem {
  box_id: string;
  code: string;
  message: string;
}

export type PauseStage = "WAITING_USER_SELECTION" | "WAITING_BOX_BATCH_REVISION";

export interface Pause {
  pause_token: string;
  status: "WAITING" | "CONSUMED" | "CANCELLED";
  stage: PauseStage;
  round: number;
  base_version: number;
  snapshot_id: Uuid;
  group: string | null;
  created_at: Instant;
  problems: BoxProblem[];
}

export interface ChangedBox {
  box_id: string;
  label: string | null;
  /** A renamed one's label until then. */
  before?: string | null;
  /** Why a removed one is gone: "deleted" by the person, or "omitted" by their client. */
  why?: string | null;
}

/** A pause of a job's history, with what the answer did to the boxes. */
export interface PastPause extends Pause {
  consumed_by: UserRef | null;
  consumed_at: Instant | null;
  outcome: InterventionReply["outcome"] | null;
  changes: Record<"kept" | "moved" | "renamed" | "added" | "removed", ChangedBox[]> | null;
}

export interface Job {
  job_id: Uuid;
  task_id: Uuid;
  status: JobStatus;
  version: number;
  cancel_requested: boolean;
  current_node_instance_id: Uuid | null;
  image: { width: number; height: number; url: string };
  box_list: BoxList | null;
  approved_box_list: BoxList | null;
  active_pause: Pause | null;
  pending_actions: string[];
  progress: { done: number; total: number; phase: string } | null;
  failure: { code: string; message: string; retryable: boolean } | null;
  warnings: { code: string; message: string }[];
  /** What a declared policy will answer if nobody does; without it the job waits however long it takes. */
  if_unanswered?: { policy_version: string; answer: string; after_seconds: number };
  /** The policy that decided in a person's place. */
  policy_version?: string;
  /** The job of which this one asks a person after all. */
  compensates?: Uuid;
  last_event_id: number;
  created_at: Instant;
  updated_at: Instant;
}

export interface SubjectAnswer {
  box_id: string;
  label: string | null;
  bbox: Bbox;
  target_policy: TargetPolicy;
}

export interface InterventionBody {
  intervention_id: Uuid;
  pause_token: string;
  base_version: number;
  subjects: SubjectAnswer[];
  deleted_box_ids: string[];
}

export interface InterventionReply {
  intervention_id: Uuid;
  job_id: Uuid;
  status: JobStatus;
  version: number;
  outcome: "EMPTY_SELECTION" | "VALIDATING" | "FINALIZING" | "PROCESSING";
  next_node_instance_id: Uuid | null;
}

export interface ResultItem {
  box_id: string;
  label: string | null;
  bbox: Bbox | null;
  outcome: "succeeded" | "failed" | "rejected" | "skipped";
  reason: { code: string; message: string } | string | null;
  cutout_url: string | null;
  mask_url: string | null;
  gate: Record<string, unknown> | null;
}

export interface Results {
  job_id: Uuid;
  status: JobStatus;
  items: ResultItem[];
}

/** One event of a task's stream; `seq` is gapless per task. */
export interface StreamEvent {
  seq: number;
  type: string;
  task_id: Uuid;
  job_id: Uuid | null;
  at: Instant;
  [field: string]: unknown;
}

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

export interface FieldError {
  field: string;
  message: string;
  code: string;
}
