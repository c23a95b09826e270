import { describe, expect, it } from "vitest";
import { NetworkError, type ProblemError } from "../../src/api/problem";
import type { Lock } from "../../src/api/types";
import { LockKeeper } from "../../src/session/lockKeeper";
import { FakeClock, settle } from "../support/fakeClock";
import { problem } from "../support/fakeServer";

const ANNA = { id: "anna", username: "anna", name: "Anna" };
const RITA = { id: "rita", username: "rita", name: "Rita" };

function lockOf(user: typeof ANNA, token = 1): Lock {
  const at = "2026-01-01T09:00:00Z";
  return {
    task_id: "t",
    user,
    token,
    acquired_at: at,
    heartbeat_at: at,
    stale_at: at,
    expire_at: at,
    heartbeat_seconds: 60,
  };
}

const heldByRita = () => problem(409, "LOCK_HELD", { holder: RITA, stale_at: "2026-01-01T09:05:00Z" });

function keeper() {
  const clock = new FakeClock();
  const log: string[] = [];
  const answers: {
    acquire: (Lock | ProblemError)[];
    beat: (string | Error)[];
    socket: boolean;
    givesBack: boolean;
    ended: boolean;
    meanwhile: () => void;
  } = {
    acquire: [],
    beat: [],
    socket: false,
    givesBack: false,
    ended: false,
    meanwhile: () => undefined,
  };
  const lock = new LockKeeper({
    taskId: "t",
    userId: "anna",
    clientId: "page-1",
    acquire: async () => {
      log.push("acquire");
      const answer = answers.acquire.shift() ?? lockOf(ANNA);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    heartbeat: async () => {
      log.push("beat");
      const answer = answers.beat.shift() ?? "2026-01-01T09:10:00Z";
      if (answer instanceof Error) throw answer;
      return { expire_at: answer };
    },
    release: async (_task, client) => {
      log.push(`release ${client}`);
    },
    beatBySocket: () => {
      if (answers.socket) log.push("socket");
      return answers.socket;
    },
    clock,
    random: () => 0,
    onHeld: (_lock, regained) => log.push(regained ? "regained" : "held"),
    onLost: () => log.push("lost"),
    wasEnded: async () => {
      answers.meanwhile();
      return answers.ended;
    },
    isGivingBack: () => answers.givesBack,
  });
  return { lock, clock, log, answers };
}

describe("the lock in the page", () => {
  it("beats at the server's interval, over HTTP without a socket", async () => {
    const { lock, clock, log } = keeper();
    await lock.acquire();
    await clock.pass(59_000);
    lock.tick();
    expect(log).toEqual(["acquire", "held"]);
    await clock.pass(1_000);
    lock.tick();
    await settle();
    expect(log).toEqual(["acquire", "held", "beat"]);
    expect(lock.state.get()).toMatchObject({ kind: "held", lock: { expire_at: "2026-01-01T09:10:00Z" } });
  });

  it("beats over the socket, and over HTTP when the answer stays away", async () => {
    const { lock, clock, log, answers } = keeper();
    answers.socket = true;
    await lock.acquire();
    lock.tick(true);
    lock.answered("held", "2026-01-01T09:09:00Z");
    await clock.pass(30_000);
    expect(log).toEqual(["acquire", "held", "socket"]);
    lock.tick(true);
    await clock.pass(8_000);
    expect(log.slice(3)).toEqual(["socket", "beat"]);
  });

  it("held by another: read only with who it is; free again when the event says so", async () => {
    const { lock, answers } = keeper();
    answers.acquire = [heldByRita()];
    await expect(lock.acquire()).rejects.toMatchObject({ code: "LOCK_HELD" });
    expect(lock.state.get()).toMatchObject({ kind: "other", lock: { user: RITA } });
    lock.changed(null);
    expect(lock.state.get().kind).toBe("none");
  });

  it("what somebody ended on purpose is not taken again by itself, only by the person", async () => {
    const { lock, log, answers } = keeper();
    await lock.acquire();
    answers.beat = [problem(409, "LOCK_LOST")];
    answers.ended = true;
    lock.tick(true);
    await settle();
    expect(lock.state.get()).toMatchObject({ kind: "lost", lock: null });
    expect(log).toEqual(["acquire", "held", "beat", "lost"]);
    await lock.acquire();
    expect(log.slice(4)).toEqual(["acquire", "regained"]);
  });

  it("nor where the stream is quicker to tell of it than the answer to why", async () => {
    const { lock, log, answers } = keeper();
    await lock.acquire();
    answers.beat = [problem(409, "LOCK_LOST")];
    answers.ended = true;
    answers.meanwhile = () => lock.changed(null);
    lock.tick(true);
    await settle();
    expect(lock.state.get()).toMatchObject({ kind: "lost", lock: null });
    expect(log).toEqual(["acquire", "held", "beat", "lost"]);
  });

  it("a stream that begins anew without the lock has the page ask at once", async () => {
    const { lock, log, answers } = keeper();
    await lock.acquire();
    lock.resumed(lockOf(ANNA));
    await settle();
    expect(log).toEqual(["acquire", "held"]);
    // What it began with may be older than the lock: only the server's answer to a beat counts.
    lock.resumed(null);
    await settle();
    expect(log).toEqual(["acquire", "held", "beat"]);
    expect(lock.isHeld).toBe(true);
    answers.beat = [problem(409, "LOCK_LOST")];
    answers.ended = true;
    lock.resumed(lockOf(RITA));
    await settle();
    expect(log.at(-1)).toBe("lost");
  });

  it("a beat that finds the lock gone takes it again, and a new token asks for a merge", async () => {
    const { lock, log, answers } = keeper();
    await lock.acquire();
    answers.beat = [problem(409, "LOCK_LOST")];
    answers.acquire = [lockOf(ANNA, 2)];
    lock.tick(true);
    await settle();
    expect(log).toEqual(["acquire", "held", "beat", "acquire", "regained"]);
    expect(lock.token).toBe(2);
  });

  it("a beat that finds another holder loses it and names them", async () => {
    const { lock, log, answers } = keeper();
    await lock.acquire();
    answers.beat = [problem(409, "LOCK_LOST")];
    answers.acquire = [heldByRita()];
    lock.tick(true);
    await settle();
    expect(log.at(-1)).toBe("lost");
    expect(lock.state.get()).toMatchObject({ kind: "lost", lock: { user: RITA } });
    expect(lock.token).toBeUndefined();
  });

  it("a takeover in the stream is a loss at once; taking it again is a regain", async () => {
    const { lock, log } = keeper();
    await lock.acquire();
    lock.changed(lockOf(RITA, 5));
    expect(lock.state.get()).toMatchObject({ kind: "lost", lock: { user: RITA } });
    lock.changed(null);
    expect(lock.state.get()).toMatchObject({ kind: "lost", lock: null, last: { user: { id: "rita" } } });
    await lock.acquire();
    expect(log).toEqual(["acquire", "held", "lost", "acquire", "regained"]);
  });

  it("the task read anew while lost shows the new holder's lock, and taking it again is still a regain", async () => {
    const { lock, log } = keeper();
    await lock.acquire();
    lock.changed(lockOf(RITA, 5));
    lock.observe(lockOf(RITA, 5));
    expect(lock.state.get()).toMatchObject({ kind: "lost", lock: { user: RITA } });
    lock.observe(null);
    expect(lock.state.get()).toMatchObject({ kind: "lost", lock: null, last: { user: { id: "rita" } } });
    await lock.acquire();
    expect(log.at(-1)).toBe("regained");
  });

  it("a lock that is read with the task is shown, and never takes one's own away", async () => {
    const { lock, log } = keeper();
    lock.observe(lockOf(RITA));
    expect(lock.state.get()).toMatchObject({ kind: "other", lock: { user: RITA } });
    lock.observe(lockOf(ANNA));
    expect(lock.state.get().kind).toBe("none");
    await lock.acquire();
    lock.observe(lockOf(RITA));
    expect(lock.isHeld).toBe(true);
    expect(log).toEqual(["acquire", "held"]);
  });

  it("what a returning stream tells of before the present lock is history", async () => {
    const { lock, log } = keeper();
    await lock.acquire();
    lock.changed(lockOf(RITA, 0), "2026-01-01T08:59:00Z");
    lock.changed(null, "2026-01-01T08:59:30Z");
    expect(log).toEqual(["acquire", "held"]);
    lock.changed(lockOf(RITA, 5), "2026-01-01T09:01:00Z");
    expect(log.at(-1)).toBe("lost");
  });

  it("a forced release is a loss and is not undone by the page", async () => {
    const { lock, log } = keeper();
    await lock.acquire();
    lock.changed(null);
    await settle();
    expect(log).toEqual(["acquire", "held", "lost"]);
  });

  it("when a sibling page goes, this one goes on", async () => {
    const { lock, log, answers } = keeper();
    await lock.acquire();
    answers.acquire = [lockOf(ANNA, 2)];
    lock.siblingReleased();
    lock.changed(null);
    await settle();
    expect(log).toEqual(["acquire", "held", "acquire", "regained"]);
  });

  it("an action that gives the lock back is no loss", async () => {
    const { lock, log, answers } = keeper();
    await lock.acquire();
    answers.givesBack = true;
    lock.changed(null);
    lock.forget();
    expect(log).toEqual(["acquire", "held"]);
    expect(lock.state.get().kind).toBe("none");
  });

  it("releases with its own id, and only what it holds", async () => {
    const { lock, log } = keeper();
    lock.release();
    expect(log).toEqual([]);
    await lock.acquire();
    lock.release();
    await settle();
    expect(log.at(-1)).toBe("release page-1");
    lock.release();
    expect(log.filter((entry) => entry.startsWith("release"))).toHaveLength(1);
  });

  it("an unreachable server loses nothing; the beat is tried again soon", async () => {
    const { lock, clock, log, answers } = keeper();
    await lock.acquire();
    answers.beat = [new NetworkError("down")];
    lock.tick(true);
    await settle();
    expect(lock.isHeld).toBe(true);
    await clock.pass(2_000);
    lock.tick();
    await settle();
    expect(log.filter((entry) => entry === "beat")).toHaveLength(2);
  });
});
