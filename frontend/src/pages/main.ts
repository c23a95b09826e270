/** Entry of every page but the workbench's canvas. Each module looks for its own attributes. */
import { startApiForms } from "./apiForm";
import { startAskAnew } from "./askAnew";
import { startCountdowns } from "./countdown";
import { startDialogs } from "./dialogs";
import { startHtmx } from "./htmx";
import { startLabelRows } from "./labelRows";
import { startLive } from "./live";
import { startMenus } from "./menus";
import { startNextTask } from "./nextTask";
import { startReviewQueue } from "./reviewQueue";
import { startTheme } from "./theme";
import { startUploads } from "./upload";

startHtmx();
startDialogs();
startAskAnew();
startApiForms();
startLabelRows();
startNextTask();
startUploads();
startReviewQueue();
startMenus();
startTheme();
startCountdowns();
startLive();
const keys = document.querySelector<HTMLElement>("[data-keys]");
// The catalogue of the workbench's commands is for this one page.
if (keys) void import("./keys").then(({ startKeys }) => startKeys(keys));
