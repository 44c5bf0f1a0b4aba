import type { Model } from './operation.ts';

/** A username. The first sign-up gets it, and then only the passkey of this sign-up works. */
const username: Model = {
  name: 'username',
  initial: 'free',
  step(owner, { request, answer }) {
    const [act, by = ''] = request.split(' by ');
    if (act === 'sign-up') {
      if (answer === 'taken') return owner === 'free' ? null : owner;
      return owner === 'free' ? by : null;
    }
    return (answer === 'signed in') === (owner === by) ? owner : null;
  },
};

/** A session. After its end, no request is accepted. */
const session: Model = {
  name: 'session',
  initial: 'live',
  step(state, { request, answer }) {
    if (request === 'end') {
      if (answer === 'not found') return state === 'ended' ? state : null;
      return state === 'live' ? 'ended' : null;
    }
    return (answer === 'accepted') === (state === 'live') ? state : null;
  },
};

/** The role of a user. Each read returns the role that was set last. */
const role: Model = {
  name: 'role',
  initial: 'user',
  step(state, { request, answer }) {
    const [, wanted] = request.split('set ');
    return wanted ?? (answer === state ? state : null);
  },
};

/** A recovery code, or the challenge of a sign-in. It works once. */
const singleUse: Model = {
  name: 'single use',
  initial: 'unused',
  step(state, { answer }) {
    if (answer === 'rejected') return state === 'used' ? state : null;
    return state === 'unused' ? 'used' : null;
  },
};

export const models = { username, session, role, singleUse } as const;
export type ModelName = keyof typeof models;
