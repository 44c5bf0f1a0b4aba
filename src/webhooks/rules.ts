import { day, minute, second } from '../core/duration.ts';
import type { FailedAttempt } from './webhook.ts';

const hour = 60 * minute;

/** The pauses after the first, the second, … failed attempt. The last one repeats. */
const pausesMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
] as const;

/** How long the service tries to deliver an event. Then it pauses the webhook. */
const longestFailureMs = 3 * day;

/** The longest pause that a receiver can ask for with `Retry-After`. */
const longestRetryAfterMs = day;

/** What happens after a failed attempt. */
export type AfterFailure =
  | { state: 'active'; pauseMs: number }
  | { state: 'paused'; reason: 'failing' }
  | { state: 'disabled'; reason: 'gone' };

/**
 * Decides what happens after a failed attempt. The pauses grow, and each varies by a tenth, so that many webhooks do not
 * try again at the same time. The last attempt is three days after the first.
 *
 * @param attempts the number of failed attempts for the event, with this one
 * @param failingMs the time since the first of them
 * @param random from 0 to 1
 */
export function afterFailure(
  { status, retryAfterMs }: FailedAttempt,
  { attempts, failingMs, random }: { attempts: number; failingMs: number; random: number },
): AfterFailure {
  if (status === 410) return { state: 'disabled', reason: 'gone' };
  const leftMs = longestFailureMs - failingMs;
  if (leftMs <= 0) return { state: 'paused', reason: 'failing' };
  const scheduledMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? pausesMs[0];
  const askedMs = Math.min(retryAfterMs ?? 0, longestRetryAfterMs);
  const variedMs = Math.max(scheduledMs, askedMs) * (1 + random / 10);
  return { state: 'active', pauseMs: Math.min(Math.round(variedMs), leftMs) };
}

/** Reads the header `Retry-After`: seconds or a date. Null: the header is missing or invalid. */
export function retryAfterMsOf(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * second;
  const at = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
