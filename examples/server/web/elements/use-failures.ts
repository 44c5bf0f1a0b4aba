import type { LatchkeyEvents } from 'latchkey/elements';
import { useAccount } from '../account.tsx';
import { isAboutSession } from '../explain.ts';
import { noteFailure } from '../server-away.ts';

export type FailureListener = (event: LatchkeyEvents['latchkey-failed']) => void;

/** Returns a listener for the failures of an element. The element explains them itself. */
export function useFailures(): FailureListener {
  const { refresh } = useAccount();
  return ({ detail: { error } }) => {
    noteFailure(error);
    if (isAboutSession(error)) void refresh();
  };
}
