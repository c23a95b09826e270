import { describe, expect, it } from "vitest";
import { Observable } from "../src/observable";
import { NoticeBoard } from "../src/workbench/noticeBoard";
import type { PageState } from "../src/workbench/pageState";
import { FakeClock } from "./support/fakeClock";

describe("notices", () => {
  it("what is said again takes the place of the first time, and stays for as long", async () => {
    const clock = new FakeClock();
    const state = new Observable({ notices: [] as PageState["notices"] } as PageState);
    const board = new NoticeBoard(state, clock);
    const texts = () => state.get().notices.map((notice) => notice.text);
    board.show("ok", "Answered.");
    board.show("warn", "Look.");
    await clock.pass(4000);
    board.show("ok", "Answered.");
    expect(texts()).toEqual(["Look.", "Answered."]);
    await clock.pass(3000);
    expect(texts()).toEqual(["Answered."]);
    await clock.pass(3000);
    expect(texts()).toEqual([]);
  });
});
