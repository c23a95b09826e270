import { describe, expect, it } from "vitest";
import { createClient, readCookie } from "../../src/api/client";
import { isRetryable, NetworkError, ProblemError } from "../../src/api/problem";

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
}

function clientOf(replies: (Response | Error)[], signIn?: () => Promise<void>) {
  const calls: { url: string; init: RequestInit }[] = [];
  const client = createClient({
    fetch: async (url, init) => {
      calls.push({ url, init });
      const reply = replies.shift() ?? json(200, {});
      if (reply instanceof Error) throw reply;
      return reply;
    },
    csrfToken: () => "token",
    signIn,
  });
  return { client, calls };
}

describe("client", () => {
  it("sends JSON with the CSRF token on writes only", async () => {
    const { client, calls } = clientOf([json(200, { a: 1 }), json(204, null)]);
    expect(await client("GET", "/x")).toEqual({ a: 1 });
    expect(await client("PUT", "/y", { body: { b: 2 } })).toBeNull();
    expect(calls[0]?.init.headers).not.toHaveProperty("X-CSRFToken");
    expect(calls[1]).toMatchObject({ url: "/api/v1/y", init: { method: "PUT", body: '{"b":2}' } });
    expect(calls[1]?.init.headers).toMatchObject({
      "X-CSRFToken": "token",
      "Content-Type": "application/json",
    });
  });

  it("turns problem+json into an error with its code, fields and Retry-After", async () => {
    const errors = [{ field: "a", message: "b", code: "c" }];
    const body = { status: 422, code: "VALIDATION_FAILED", detail: "No.", errors };
    const { client } = clientOf([json(422, body, { "Retry-After": "3" })]);
    const error = await client("PUT", "/x", { body: {} }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      status: 422,
      code: "VALIDATION_FAILED",
      message: "No.",
      retryAfter: 3,
      errors,
    });
    expect(isRetryable(error)).toBe(false);
  });

  it("a proxy's page is a problem too, and one worth retrying", async () => {
    const { client } = clientOf([new Response("<html>", { status: 502 })]);
    const error = await client("GET", "/x").catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 502, code: "HTTP_502" });
    expect(isRetryable(error)).toBe(true);
  });

  it("no answer is a network error", async () => {
    const { client } = clientOf([new TypeError("failed")]);
    const error = await client("GET", "/x").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(NetworkError);
    expect(isRetryable(error)).toBe(true);
  });

  it("401 asks for the sign-in and sends the same request again, unless the caller wants it raw", async () => {
    let asked = 0;
    const signIn = async () => {
      asked += 1;
    };
    const denied = () => json(401, { status: 401, code: "NOT_AUTHENTICATED" });
    const { client, calls } = clientOf([denied(), json(200, { ok: true }), denied()], signIn);
    expect(await client("POST", "/x", { body: { request_id: "r" } })).toEqual({ ok: true });
    expect(calls[1]?.init.body).toBe(calls[0]?.init.body);
    await expect(client("PUT", "/x", { body: {}, raw401: true })).rejects.toMatchObject({ status: 401 });
    expect(asked).toBe(1);
  });
});

it("reads one cookie of several", () => {
  expect(readCookie("csrftoken", "a=1; csrftoken=x%3Dy; b=2")).toBe("x=y");
  expect(readCookie("csrftoken", "xcsrftoken=1")).toBe("");
});
