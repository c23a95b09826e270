import { NetworkError, type ProblemBody, ProblemError } from "./problem";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  fetch: Fetch;
  /** Reads the CSRF token just before each write: it changes when a person signs in again. */
  csrfToken: () => string;
  base?: string;
  /** Asked on 401; resolves once somebody signed in again, and the same request is sent once more. */
  signIn?: () => Promise<void>;
  timeoutMs?: number;
}

export interface RequestOptions {
  body?: unknown;
  keepalive?: boolean;
  /** The caller handles 401 itself. */
  raw401?: boolean;
}

export type Client = <T>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  options?: RequestOptions,
) => Promise<T>;

export function readCookie(name: string, cookies: string): string {
  for (const part of cookies.split(";")) {
    const [key, ...rest] = part.trim().split("=");
    if (key === name) return decodeURIComponent(rest.join("="));
  }
  return "";
}

/** Makes the one function through which every call to `/api/v1` goes. Raises ProblemError or NetworkError. */
export function createClient(options: ClientOptions): Client {
  const base = options.base ?? "/api/v1";
  const send = async <T>(method: string, path: string, request: RequestOptions): Promise<T> => {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (method !== "GET") headers["X-CSRFToken"] = options.csrfToken();
    const init: RequestInit = { method, headers, credentials: "same-origin" };
    if (request.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(request.body);
    }
    if (request.keepalive) init.keepalive = true;
    else init.signal = AbortSignal.timeout(options.timeoutMs ?? 30_000);
    let response: Response;
    let text: string;
    try {
      response = await options.fetch(base + path, init);
      // The body can be cut off too: then, as with no answer at all, nobody knows what happened.
      text = response.status === 204 ? "" : await response.text();
    } catch (cause) {
      throw new NetworkError(cause);
    }
    if (response.ok) return (text ? JSON.parse(text) : null) as T;
    throw problemFrom(response, text);
  };

  return async (method, path, request = {}) => {
    try {
      return await send(method, path, request);
    } catch (error) {
      const signedOut = error instanceof ProblemError && error.status === 401;
      if (!signedOut || request.raw401 || !options.signIn) throw error;
      await options.signIn();
      return send(method, path, request);
    }
  };
}

function problemFrom(response: Response, text: string): ProblemError {
  const retryAfter = Number(response.headers.get("Retry-After")) || null;
  let body: ProblemBody;
  try {
    const parsed = JSON.parse(text) as Partial<ProblemBody>;
    body = {
      ...parsed,
      status: response.status,
      code: typeof parsed.code === "string" ? parsed.code : `HTTP_${response.status}`,
    };
  } catch {
    // A proxy's HTML page, for instance.
    body = {
      status: response.status,
      code: `HTTP_${response.status}`,
      detail: `The server answered ${response.status}.`,
    };
  }
  return new ProblemError(body, retryAfter);
}
