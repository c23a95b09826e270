import { ProblemError } from "../api/problem";
import type { ModelRun, Page, RunKind, StreamEvent } from "../api/types";
import { Observable } from "../observable";

export interface StartBody {
  kind: RunKind;
  region?: readonly number[];
  reference?: readonly number[];
  request_id: string;
}

export interface ModelRunsOptions {
  start: (body: StartBody) => Promise<{ run_id: string }>;
  read: (runId: string) => Promise<ModelRun>;
  newest: () => Promise<Page<ModelRun>>;
  cancel: (runId: string, requestId: string) => Promise<ModelRun>;
  /** A run outside a job has ended. `ours`: this page asked for it. */
  onEnded: (run: ModelRun, ours: boolean) => void;
}

const ACTIVE = new Set(["QUEUED", "RUNNING"]);

export function isActive(run: ModelRun | null): boolean {
  return run !== null && ACTIVE.has(run.status);
}

/** The task's model runs outside a job: at most one at a time, whoever started it. */
export class ModelRuns {
  /** The run that goes on, or the last one that this page saw end. */
  readonly state = new Observable<ModelRun | null>(null);
  /** Runs that this page asked for. */
  readonly #ours = new Set<string>();
  /** Runs whose end has been told: a repeated event tells nothing twice. */
  readonly #ended = new Set<string>();

  constructor(private readonly options: ModelRunsOptions) {}

  get active(): ModelRun | null {
    const run = this.state.get();
    return isActive(run) ? run : null;
  }

  /** What the task had when the page was opened. */
  async load(): Promise<ModelRun | null> {
    const { items } = await this.options.newest();
    const run = items.find(({ job_id }) => job_id === null) ?? null;
    if (run && isActive(run)) this.#show(run);
    else if (run) this.#ended.add(run.run_id);
    return run;
  }

  /** Starts a run. One that goes on already is shown instead, and the refusal is raised. */
  async start(body: StartBody): Promise<void> {
    try {
      const { run_id } = await this.options.start(body);
      this.#ours.add(run_id);
      this.#show(await this.options.read(run_id));
    } catch (error) {
      const active = error instanceof ProblemError ? (error.body.run as ModelRun | undefined) : undefined;
      if (active) this.#show(active);
      throw error;
    }
  }

  async cancel(requestId: string): Promise<void> {
    const run = this.active;
    if (run) this.#show(await this.options.cancel(run.run_id, requestId));
  }

  async onEvent(event: StreamEvent): Promise<void> {
    if (event.job_id !== null) return;
    const known = this.state.get();
    const runId = String(event.run_id);
    if (event.type === "run.finished") this.#show(await this.options.read(runId));
    else if (known?.run_id !== runId) {
      // Somebody else's, or one started in another of our pages.
      if (!this.#ended.has(runId)) this.#show(await this.options.read(runId));
    } else if (isActive(known)) {
      const progress = { phase: String(event.phase), done: Number(event.done), total: Number(event.total) };
      this.state.set({ ...known, status: "RUNNING", progress });
    }
  }

  /** After a gap in the stream: the end may have been missed. */
  async refresh(): Promise<void> {
    const run = this.active;
    if (run) this.#show(await this.options.read(run.run_id));
  }

  /** What the last run left is no longer of interest. */
  forget(): void {
    if (!this.active) this.state.set(null);
  }

  #show(run: ModelRun): void {
    // A job's runs are told by the job.
    if (run.job_id !== null) return;
    const known = this.state.get();
    // An answer that was on its way while a newer one came says nothing new.
    if (known?.run_id === run.run_id && !isActive(known) && isActive(run)) return;
    this.state.set(run);
    if (isActive(run) || this.#ended.has(run.run_id)) return;
    this.#ended.add(run.run_id);
    this.options.onEnded(run, this.#ours.has(run.run_id));
  }
}

/** Why a run failed, in its own words; the code says which sentence of ours goes with it. */
export function failureOf(run: ModelRun | null): { code: string; message: string } | null {
  if (run?.status !== "FAILED" && run?.status !== "INTERRUPTED") return null;
  return { code: run.error?.code ?? run.status, message: run.error?.message ?? "" };
}
