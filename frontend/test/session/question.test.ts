import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/api/types";
import { createMemoryStore } from "../../src/session/recovery";
import { box, FakeServer, QUESTION } from "../support/fakeServer";
import { openSession } from "../support/sessions";

const candidate = (id: string, label = "cup"): Candidate => ({
  id,
  label,
  center: [35, 35],
  bbox: [10, 10, 60, 60],
  score: null,
});

describe("the question, the candidates and the draft are saved together", () => {
  it("one request carries the parts that changed, each with its version", async () => {
    const server = new FakeServer([box("a")]);
    const { session, clock } = openSession(server);
    session.edit({
      items: [box("a"), box("b")],
      candidates: [candidate("c")],
      config: { ...QUESTION, question: "Which?" },
    });
    await clock.pass(1000);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({
      draft: { expected_version: 7 },
      candidates: { expected_set_id: "set-1" },
      config: { expected_version: 1, question: "Which?" },
    });
    expect(session.state.get().phase).toBe("clean");
    expect(session.base.versions).toEqual({ config: 2, candidateSetId: "set-2", draft: 8 });
  });

  it("counts each changed part of the question as an edit", () => {
    const { session } = openSession(new FakeServer());
    session.edit({ ...session.working, config: { ...QUESTION, question: "Which?", targets: ["cup"] } });
    expect(session.state.get().edits).toBe(2);
  });

  it("a part that the request did not carry keeps the version that was read", async () => {
    const server = new FakeServer([box("a")]);
    const { session, clock, edit } = openSession(server);
    server.ask({ question: "Theirs?" });
    server.detect([candidate("theirs")]);
    edit([box("a", 11)]);
    await clock.pass(1000);
    // Saved, but what they changed has not been read yet: it must not be taken for what this page has.
    expect(session.base.versions).toEqual({ config: 1, candidateSetId: "set-1", draft: 8 });
    session.adopt(server.snapshot());
    expect(session.working.config.question).toBe("Theirs?");
    expect(session.working.candidates).toEqual([candidate("theirs")]);
    expect(session.working.items).toEqual([box("a", 11)]);
  });

  it("different parts of the question join; one part changed by both is a conflict", async () => {
    const server = new FakeServer();
    const { session, clock } = openSession(server);
    session.edit({ ...session.working, config: { ...QUESTION, question: "Mine?", targets: ["cup"] } });
    server.ask({ selection_mode: "single", question: "Theirs?" });
    await clock.pass(1000);
    expect(session.state.get().phase).toBe("conflict");
    const [conflict] = session.state.get().conflicts;
    expect(conflict).toMatchObject({ part: "config", id: "question", theirs: { value: "Theirs?" } });
    session.resolve(new Map([["question", "theirs"]]));
    await clock.pass(1000);
    expect(server.config).toEqual({
      ...QUESTION,
      question: "Theirs?",
      selection_mode: "single",
      targets: ["cup"],
    });
    expect(session.state.get().phase).toBe("clean");
  });

  it("a copy left by an older page, without a question, is still joined in", async () => {
    const server = new FakeServer([box("a")]);
    const store = createMemoryStore();
    const old = { items: [box("a"), box("left")], candidates: [] } as never;
    await store.save({
      tabId: "tab-1",
      signature: "task:100x80:abc",
      base: {
        document: { items: [box("a")], candidates: [] } as never,
        versions: { config: 1, candidateSetId: "set-1", draft: 7 },
      },
      working: old,
      pending: null,
      conflicts: [],
      savedAt: 0,
    });
    const { session, clock } = openSession(server, { store });
    await session.start();
    await clock.pass(1000);
    expect(server.items.map(({ id }) => id)).toEqual(["a", "left"]);
    expect(server.config).toEqual(QUESTION);
    expect(server.received[0]?.config).toBeUndefined();
  });
});
