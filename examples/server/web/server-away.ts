import { auth } from './auth.ts';
import { codeOf } from './explain.ts';

let report: () => void = () => {};

/** Sets the function that is called when a request gets no answer. See ServerAwayBanner. */
export const onServerAway = (reporter: () => void): void => {
  report = reporter;
};

/** Reports a failed request if it got no answer, because then the server may be unreachable. */
export function noteFailure(error: unknown): void {
  if (codeOf(error) === 'network_error') report();
}

/** Whether the server answers. An error response is an answer, too. */
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
