import type { FieldError, Instant, UserRef } from "./types";

/** The body of an `application/problem+json` reply. */
export interface ProblemBody {
  type?: string;
  title?: string;
  status: number;
  code: string;
  detail?: string;
  errors?: FieldError[];
  snapshot?: unknown;
  holder?: UserRef | null;
  acquired_at?: Instant;
  heartbeat_at?: Instant;
  stale_at?: Instant;
  expire_at?: Instant;
  failed_conditions?: string[];
  [field: string]: unknown;
}

/** The server answered, and its answer is no. */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: ProblemBody;
  /** Seconds from `Retry-After`, or null. */
  readonly retryAfter: number | null;

  constructor(body: ProblemBody, retryAfter: number | null = null) {
    super(body.detail || body.title || body.code);
    this.name = "ProblemError";
    this.status = body.status;
    this.code = body.code;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  get errors(): FieldError[] {
    return this.body.errors ?? [];
  }

  /** True when the same request may succeed later without anybody changing it. */
  get isTransient(): boolean {
    return this.status >= 500 || this.status === 429 || this.code === "BUSY";
  }
}

/** No answer: the request may or may not have been carried out. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super("The server could not be reached.");
    this.name = "NetworkError";
    this.cause = cause;
  }
}

/** Retrying the very same request is the right reaction to this error. */
export function isRetryable(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ProblemError && error.isTransient);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
