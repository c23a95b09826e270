/** `select[data-theme-choice]`: system, paper or ink; kept in a cookie, so that the server renders it at once. */
export function startTheme(): void {
  const year = 365 * 24 * 3600;
  for (const choice of document.querySelectorAll<HTMLSelectElement>("select[data-theme-choice]")) {
    choice.addEventListener("change", () => {
      const root = document.documentElement;
      if (choice.value) root.dataset.theme = choice.value;
      else delete root.dataset.theme;
      const secure = location.protocol === "https:" ? "; Secure" : "";
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
      document.cookie = `theme=${choice.value}; path=/; max-age=${year}; SameSite=Lax${secure}`;
    });
  }
}
