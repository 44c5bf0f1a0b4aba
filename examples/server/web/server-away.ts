import { auth } from './auth.ts';
import { codeOf } from './explain.ts';

let report: () => void = () => {};

/** Sets the function that learns about requests without an answer. See ServerAwayBanner. */
export const onServerAway = (reporter: () => void): void => {
  report = reporter;
};

/** Reports a failed request. Only a request without an answer means that the server may be away. */
export function noteFailure(error: unknown): void {
  if (codeOf(error) === 'network_error') report();
}

/** Whether the server answers, whatever it answers. */
export async function answers(): Promise<boolean> {
  try {
    await auth.session();
    return true;
  } catch (error) {
    return codeOf(error) !== 'network_error';
  }
}

const back = 'latchkey:server-back';

export const announceServerBack = (): boolean => dispatchEvent(new Event(back));

/** Calls the function when the server answers again. Returns a function that stops this. */
export function onServerBack(retry: () => void): () => void {
  addEventListener(back, retry);
  return () => removeEventListener(back, retry);
}
