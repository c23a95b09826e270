import { type Client, createClient, readCookie } from "../api/client";

/** The API as the page scripts use it: a page whose session ended goes to the login form. */
export const api: Client = createClient({
  fetch: (url, init) => window.fetch(url, init),
  csrfToken: () => readCookie("csrftoken", document.cookie),
  signIn: () =>
    new Promise<void>(() => {
      window.location.assign(`/login/?next=${encodeURIComponent(location.pathname + location.search)}`);
    }),
});

export function requestId(): string {
  return crypto.randomUUID();
}
