import { codeOf } from '../explain.ts';
import { type FailureListener, useFailures } from './use-failures.ts';

/**
 * Like `useFailures`, for an element of a signed-in user. If the session has ended, the element shows no message, because
 * the page asks the user to sign in.
 */
export function useSignedInFailures(): FailureListener {
  const note = useFailures();
  return (event) => {
    if (codeOf(event.detail.error) === 'not_authenticated') event.preventDefault();
    note(event);
  };
}
