import htmx from "htmx.org";
import { readCookie } from "../api/client";

interface RequestEventDetail {
  ctx: { request: { headers: Record<string, string> } };
}

/** htmx for filters and live regions; its writes carry the CSRF header, its errors a sentence. */
export function startHtmx(): void {
  // The stylesheet has these rules; htmx need not add a sheet of its own.
  htmx.config.includeIndicatorCSS = false;
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = (event as CustomEvent<RequestEventDetail>).detail;
    ctx.request.headers["X-CSRFToken"] = readCookie("csrftoken", document.cookie);
  });
  // A session that ended answers with the login page: go there instead of putting it into a table.
  document.addEventListener("htmx:before:swap", (event) => {
    const detail = (event as CustomEvent<{ ctx: { response?: { raw?: Response; status?: number } } }>).detail;
    const response = detail.ctx.response?.raw;
    if (response?.redirected && new URL(response.url).pathname === "/login/") {
      event.preventDefault();
      window.location.assign(`/login/?next=${encodeURIComponent(location.pathname + location.search)}`);
    } else if (response && !response.ok) {
      event.preventDefault();
    }
  });
}
