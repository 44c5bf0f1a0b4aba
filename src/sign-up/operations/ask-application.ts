import { type Attempt, refuse } from '../../audit/operations/refuse.ts';
import type { Actor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { RenameRequest, SignUpAddition, SignUpRequest } from '../../core/sign-up.ts';

type Asked<Request> = Omit<Request, 'ipAddress' | 'userAgent' | 'requestId'>;

/**
 * Calls `signUp.before`, which decides whether an account can get a username. Call this function when a sign-up starts,
 * when it finishes, and before a statement that changes a username. Records a refusal in the audit log.
 *
 * @param attempt the audit event of the operation, such as `account.signup`
 * @returns the own fields that the application adds to a sign-up, which are not checked yet
 * @throws AuthError `sign_up_refused` with the reason of the application
 * @throws the errors of `signUp.before`
 */
export async function askApplication(
  runtime: Runtime,
  actor: Actor,
  request: Asked<SignUpRequest> | Asked<RenameRequest>,
  attempt: Attempt,
): Promise<SignUpAddition['fields']> {
  const { ip: ipAddress, userAgent, requestId } = actor;
  const answer = await runtime.signUp.ask({ ...request, ipAddress, userAgent, requestId });
  if ('fields' in answer) return answer.fields;
  const code = 'sign_up_refused';
  return refuse(runtime, actor, { ...attempt, code, reason: code, message: answer.refuse });
}
