import { AuthError, type ErrorCode } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { awaitStandby } from '../../db/confirm-answer.ts';
import { isRecorded } from './refuse.ts';

/** The codes of refusals that depend on the request, and not on data in the database. */
const withoutData: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
]);

/**
 * Waits until a synchronous standby has the data that a refusal depends on. Does not wait if `refuse` has recorded an
 * audit event, because this statement has waited already. See `awaitStandby`.
 *
 * @param error the error of an operation that can change data
 * @throws AuthError `unavailable` if no standby confirms in time
 */
export async function confirmRefusal(runtime: Runtime, error: unknown): Promise<void> {
  if (!(error instanceof AuthError) || error.status >= 500) return;
  if (withoutData.has(error.code) || isRecorded(error)) return;
  await awaitStandby(runtime);
}
