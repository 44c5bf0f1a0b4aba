import { AuthError, type ErrorCode } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { awaitStandby } from '../../db/confirm-answer.ts';
import { isRecorded } from './refuse.ts';

/** The codes of refusals that say nothing about an earlier change. */
const withoutChange: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
]);

/**
 * Waits until a synchronous standby has the data that a refusal depends on. Does not wait again if `refuse` recorded an
 * audit event, because that write has already waited. See `awaitStandby`.
 *
 * @param error the error of the operation
 * @throws AuthError `unavailable` if no standby confirms the data in time
 */
export async function confirmRefusal(runtime: Runtime, error: unknown): Promise<void> {
  if (!(error instanceof AuthError) || error.status >= 500) return;
  if (withoutChange.has(error.code) || isRecorded(error)) return;
  await awaitStandby(runtime);
}
