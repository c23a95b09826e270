import { type Fetch, readCookie } from "./client";

/**
 * Signs in through the login form without leaving the page. Resolves to false when the server refuses
 * the password. Raises when the server cannot be reached.
 */
export async function signInAt(
  fetch: Fetch,
  {
    loginUrl,
    probeUrl,
    username,
    password,
  }: Record<"loginUrl" | "probeUrl" | "username" | "password", string>,
): Promise<boolean> {
  // The form sets the CSRF cookie, which a session that ended may have taken with it.
  await fetch(loginUrl, { method: "GET", credentials: "same-origin" });
  const token = readCookie("csrftoken", document.cookie);
  await fetch(loginUrl, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": token },
    body: new URLSearchParams({ username, password, csrfmiddlewaretoken: token }).toString(),
  });
  // A login form answers 200 to a wrong password: ask the API whether it knows us now.
  const probe = await fetch(probeUrl, { method: "GET", credentials: "same-origin" });
  return probe.status !== 401;
}
