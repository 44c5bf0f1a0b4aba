import { provePasskey } from './ceremonies.ts';
import { clientError, hasCode } from './errors.ts';
import { requestOptions } from './passkeys.ts';
import { type Send, unwrap } from './requests.ts';
import type { Session } from './types.ts';

/** What an app answers when it is asked about a step-up; see {@link AuthClientOptions.beforeStepUp}. */
export type StepUpAnswer = boolean | 'done';

/** Wraps sending so that a refusal for want of fresh authentication becomes a step-up and one more try. */
export function repeatAfterStepUp(
  sendOnce: Send,
  ask: (() => Promise<StepUpAnswer>) | undefined,
  stepUp: () => Promise<unknown>,
): Send {
  const authenticate = async () => {
    const answer = ask ? await ask() : true;
    if (answer === false) throw clientError('ceremony_cancelled');
    if (answer === true) await stepUp();
  };
  // Calls refused at the same time share one prompt.
  let underWay: Promise<void> | null = null;
  return async (...request) => {
    try {
      return await sendOnce(...request);
    } catch (error) {
      if (!hasCode(error, 'reauthentication_required')) throw error;
      underWay ??= authenticate().finally(() => {
        underWay = null;
      });
      await underWay;
      return sendOnce(...request);
    }
  };
}

export async function stepUpWithPasskey(send: Send): Promise<Session> {
  const credential = await provePasskey(() => requestOptions(send, '/passkey/stepup/start', {}));
  return unwrap(await send('POST', '/passkey/stepup/verify', { body: { credential } }), 'session');
}

export async function stepUpWithPassword(send: Send, password: string): Promise<Session> {
  return unwrap(await send('POST', '/password/stepup', { body: { password } }), 'session');
}
