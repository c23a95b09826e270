/** The shapes of the HTTP contract (`/api/v1`) under the names that the pages use; `schema.d.ts` is the contract. */
import type { components } from "./schema";

type Schema = components["schemas"];
/** A schema, and closer where JSON Schema cannot say it: pairs, boxes, which words a string may be. */
type Closer<
  Told,
  Known extends Partial<Record<keyof Told, unknown>> & Record<Exclude<keyof Known, keyof Told>, never>,
> = Omit<Told, keyof Known> & Known;

export type Uuid = string;
/** UTC, ISO-8601, ends in `Z`. */
export type Instant = string;
/** `[x1, y1, x2, y2]` in pixels of the normalised picture. */
export type Bbox = [number, number, number, number];
export type XY = [number, number];

export type UserRef = Schema["PersonShape"];
export type Role = Schema["Role"];
export type TaskStatus = Schema["TaskStatus"];
export type SelectionMode = Schema["SelectionModeEnum"];
export type GeometryKind = Schema["GeometriesEnum"];

/** As a form has it; the server fills in what is missing. */
export type Label = Partial<Schema["LabelShape"]> & Pick<Schema["LabelShape"], "name">;
export type TaskConfig = Closer<Schema["ConfigShape"], { labels: Label[]; geometries: GeometryKind[] }>;
export type Hold = Schema["HoldShape"];
export type Asset = Schema["PictureShape"];
export type Pin = Schema["PinShape"];
export type Decision = Schema["LastDecisionShape"];

type WholeLock = Schema["LockShape"];
type TimesOfLock = "task_id" | "user" | "acquired_at" | "heartbeat_at" | "stale_at" | "expire_at";
/** A lock as the API tells it, or what LOCK_HELD and LOCK_LOST say of somebody else's. */
export type Lock = Pick<WholeLock, TimesOfLock> & Partial<WholeLock>;

export type MarkName = Schema["Mark"];
export type Mark = Schema["MarkShape"];

/** A task that can be opened: it has its picture. */
export type Task = Closer<Schema["TaskShape"], { asset: Asset; config: TaskConfig; lock: Lock | null }>;

export interface Polygon {
  type: "polygon";
  points: XY[];
}

export type Geometry = { type: "point"; x: number; y: number } | { type: "bbox"; bbox: Bbox } | Polygon;

type ToldItem = Schema["DraftShape"]["items"][number];
export interface ItemSource {
  candidate_set_id: Uuid;
  candidate_id: string;
  prediction_id?: Uuid | null;
}
export type Item = Closer<ToldItem, { label: string | null; geometry: Geometry; source?: ItemSource | null }>;

export type Candidate = Closer<
  Required<Schema["CandidatesShape"]["items"][number]>,
  { id: string; center: XY; bbox: Bbox | null }
>;
/** A candidate as the model proposed it, and no person has changed it. */
export type Proposed = Candidate & { set_id: Uuid };

export type Prediction = Closer<
  Schema["PredictionShape"],
  { warnings: ({ code: string; message: string } | string)[] }
>;

export type Annotation = Closer<Schema["AnnotationShape"], { items: Item[] }>;

export type EditorSnapshot = Closer<
  Schema["EditorShape"],
  {
    task: Task;
    config: TaskConfig;
    /** `proposed`: also of the earlier sets that the draft's items come from. */
    candidates: Closer<Schema["CandidatesShape"], { items: Candidate[]; proposed: Proposed[] }>;
    draft: Closer<Schema["DraftShape"], { items: Item[] }>;
    prediction: Prediction | null;
    annotation: Annotation | null;
    lock: Lock | null;
    job: Job | null;
    /** Only in review, and only for those who may review. */
    review: OpenReview | null;
    /** Completed before and taken up again; until it is handed in again. */
    reopened: Reopening | null;
  }
>;

export type Reopening = Schema["ReopeningShape"];
/** An entry of the task's history. */
export type PastAct = Closer<
  Schema["HistoryItemShape"],
  { before: Record<string, unknown> | null; after: Record<string, unknown> | null }
>;
export type PastDecision = Schema["DecisionShape"];
/** A review that is going on; `tie`: the owner's word is missing. */
export type OpenReview = Schema["OpenReviewShape"];

export type RunKind = "DETECT_SUBJECTS" | "JUDGE_CANDIDATES" | "DETECT_REGION";
/** A model run. */
export type ModelRun = Closer<
  Schema["RunShape"],
  {
    status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "INTERRUPTED" | "IGNORED";
    error: { code: string; message: string; retryable: boolean } | null;
    warnings: { code: string; message: string }[];
    result: { candidate_set_id?: Uuid; region_id?: Uuid; prediction_id?: Uuid } | null;
    region: Bbox | null;
    reference: Bbox | null;
  }
>;

/** What a local detection found; it changes nothing until a person applies it. */
export type RegionPreview = Closer<
  Schema["RegionShape"],
  { region: Bbox; reference: Bbox | null; items: Candidate[] }
>;

export type SaveReply = Schema["SavedShape"];

export type JobStatus = Schema["JobStatus"];
export const TERMINAL_JOB: ReadonlySet<JobStatus> = new Set<JobStatus>([
  "SUCCEEDED",
  "PARTIAL_SUCCEEDED",
  "FAILED",
  "EMPTY_SELECTION",
  "CANCELLED",
]);

export type TargetPolicy = Schema["TargetPolicyEnum"];
export type Box = Closer<Schema["BoxShape"], { bbox: Bbox | null; center: XY }>;
export type BoxList = Closer<Schema["BoxList"], { boxes: Box[] }>;
export type BoxProblem = Schema["ProblemBox"];
export type PauseStage = Schema["StageEnum"];
export type Pause = Schema["PauseShape"];
export type ChangedBox = Schema["ChangedBox"];
/** A pause of a job's history, with what the answer did to the boxes. */
export type PastPause = Closer<
  Schema["PastPause"],
  { consumed_by: UserRef | null; outcome: InterventionReply["outcome"] | null }
>;

export type Job = Closer<Schema["JobShape"], { box_list: BoxList; approved_box_list: BoxList | null }>;

/** The box that a person keeps: what they may say of it. */
export interface SubjectAnswer {
  box_id: string;
  label: string | null;
  bbox: Bbox;
  target_policy: TargetPolicy;
}
export type InterventionBody = Closer<
  Omit<Schema["Intervene"], "client_id" | "lock_token">,
  { subjects: SubjectAnswer[]; deleted_box_ids: string[] }
>;
export type InterventionReply = Schema["Intervened"];

export type ResultItem = Closer<Schema["ResultShape"], { bbox: Bbox | null }>;
export type Results = Closer<Schema["Results"], { items: ResultItem[] }>;

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

export type FieldError = Schema["FieldErrorShape"];
