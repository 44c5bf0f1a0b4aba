import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { day, second } from '../core/duration.ts';
import type { GuessedAccount } from '../core/guess-limit.ts';
import type { Runtime } from '../core/runtime.ts';
import { readDeviceCookie, setDeviceCookie } from './cookies.ts';
import { usesBearer } from './presented-session.ts';

/** An account to which the browser has signed in. The short form keeps the cookie small. */
type Known = [userId: string, browserId: string, epoch: number];

/** A browser has at most this many accounts in its cookie, so the cookie has at most about 1 kB. */
const mostAccounts = 10;

/**
 * Adds an account to the device cookie of the browser (OWASP, Slow Down Online Guessing Attacks with Device Cookies). If
 * the cookie is full, the account that signed in first is removed. The cookie is encrypted, and sign-out does not delete
 * it. It proves nothing but an earlier sign-in: with the cookie, a wrong guess counts against another budget.
 *
 * @param epoch the session epoch of the account. The cookie is valid only in this epoch, so it also ends when all
 *   sessions of the account are ended. Otherwise, a thief who knew an old password could keep any number of budgets.
 */
export function rememberBrowser(ctx: Context, runtime: Runtime, userId: string, epoch: number): void {
  const { config, sealer } = runtime;
  // Without rate limits, the cookie has no use. A client that uses bearer tokens gets no cookies.
  if (!config.rateLimit || usesBearer(ctx, config)) return;
  const others = readKnown(ctx, runtime).filter(([other]) => other !== userId);
  const known: Known[] = [[userId, randomBytes(16).toString('base64url'), epoch], ...others];
  const maxAgeSeconds = (365 * day) / second;
  setDeviceCookie(ctx, config, sealer.seal('device', known.slice(0, mostAccounts)), maxAgeSeconds);
}

/** Returns the id that the browser got when it last signed in to the account. Null: the browser is not known. */
export function knownBrowser(
  ctx: Context,
  runtime: Runtime,
  { userId, epoch }: GuessedAccount,
): string | null {
  const known = readKnown(ctx, runtime).find(([id, _, then]) => id === userId && then === epoch);
  return known?.[1] ?? null;
}

function readKnown(ctx: Context, { config, sealer }: Runtime): Known[] {
  const cookie = readDeviceCookie(ctx, config);
  const opened = cookie === null ? null : sealer.open('device', cookie);
  return opened ? (opened.value as Known[]) : [];
}
