import { useState } from "react";
import { usePageState, useWorkbench } from "./context";
import { Dialog } from "./Dialog";

/** The session ended: sign in right here, then the same request goes again. */
export function SignInDialog() {
  const { page, t, signIn, config } = useWorkbench();
  const { signedOut, me } = usePageState();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (!signedOut) return null;
  const submit = async () => {
    setBusy(true);
    setProblem(null);
    try {
      if (await signIn(password)) {
        page.state.patch({ signedOut: false });
        setPassword("");
      } else setProblem(t("signIn.wrong"));
    } catch {
      setProblem(t("signIn.unreachable"));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("signIn.title")} testId="sign-in">
      <p>{t("signIn.text")}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          <span>{t("signIn.username")}</span>
          <input className="wb-input" value={me.username} readOnly autoComplete="username" />
        </label>
        <label>
          <span>{t("signIn.password")}</span>
          <input
            className="wb-input"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        {problem && (
          <p className="wb-problem" role="alert">
            {problem}
          </p>
        )}
        <div className="wb-row">
          <a className="wb-link" href={config.urls.login}>
            {t("signIn.asOther")}
          </a>
          <span className="wb-grow" />
          <button
            type="submit"
            className="wb-btn wb-btn-primary wb-btn-normal"
            disabled={busy || !password}
            title={password ? undefined : t("signIn.passwordMissing")}
          >
            {t(busy ? "action.working" : "signIn.submit")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
