import { useSyncExternalStore } from "react";
import type { Observable } from "./observable";

/** The present value of an observable; the component renders again when it is replaced. */
export function useObservable<T>(observable: Observable<T>): T {
  return useSyncExternalStore(observable.subscribe, observable.get);
}
