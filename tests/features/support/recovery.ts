import { expect } from 'vitest';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { timeOf } from '../../support/frozen-clock.ts';
import { newAuthenticator, type Person, signUp, userIdOf } from '../../support/person.ts';
import { expectUncached } from '../../support/problem.ts';
import type { ServiceOn } from '../../support/service-on.ts';
import type { TestService } from '../../support/test-service.ts';
import { sessionBegunAt } from './wire-format.ts';

export const codesPath = '/auth/recovery/codes';
export const linkPath = '/auth/recovery/assisted';
export const linkUsePath = `${linkPath}/use`;
const addPath = '/auth/passkey/devices/add';

type Service = Pick<ServiceOn, 'browser' | 'url'>;

export const postGenerate = (browser: TestAgent): Promise<Answer> => browser.post(`${codesPath}/generate`);

export const generateCodes = async (browser: TestAgent): Promise<string[]> =>
  (await postGenerate(browser)).body.codes;

export const revokeCodes = (browser: TestAgent): Promise<Answer> => browser.delete(`${codesPath}/revoke`);

export const useCode = (
  browser: TestAgent,
  { username }: Pick<Person, 'username'>,
  code = '',
): Promise<Answer> => browser.post(`${codesPath}/use`, { username, code });

export async function signUpWithCodes(service: Service): Promise<{ person: Person; codes: string[] }> {
  const person = await signUp(service);
  return { person, codes: await generateCodes(person.browser) };
}

/** Opens a recovery session with a recovery code, in a new browser. */
export async function enterByCode(service: Service, person: Person, code = ''): Promise<TestAgent> {
  const browser = service.browser();
  const { status } = await useCode(browser, person, code);
  if (status !== 200) throw new Error(`using the code returned ${status}`);
  return browser;
}

/** Opens a recovery session with a recovery code. Signs up a new user if no user is given. */
export async function startRecovering(
  service: Service,
  given?: Person,
): Promise<{ person: Person; codes: string[]; browser: TestAgent }> {
  const person = given ?? (await signUp(service));
  const codes = await generateCodes(person.browser);
  return { person, codes, browser: await enterByCode(service, person, codes[0]) };
}

/** Expects a response that opens a recovery session of one hour. */
export async function expectRecoveryBegun(
  service: TestService,
  person: Person,
  answer: Answer,
  method: 'recovery_code' | 'assisted_recovery',
): Promise<void> {
  expect(answer.status).toBe(200);
  expectUncached(answer);
  expect(answer.body).toEqual({
    user: person.signedUp.body.user,
    session: {
      ...sessionBegunAt(await timeOf(service)),
      kind: 'recovery',
      method,
      passkeyId: null,
      expiresAt: await timeOf(service, 3600),
    },
  });
}

/** The credentials that the completion of a recovery keeps, and the label of the new passkey. */
export interface Kept {
  keepPasskeys?: string[];
  keepPassword?: boolean;
  label?: string;
}

/**
 * Creates the passkey that completes a recovery. The returned function sends the passkey, by default from the same
 * browser.
 */
export async function prepareCompletion(
  browser: TestAgent,
  { keepPasskeys, ...rest }: Kept = {},
  authenticator = newAuthenticator(),
): Promise<(from?: TestAgent) => Promise<Answer>> {
  const keeping = keepPasskeys && { keepPasskeys };
  const { options } = (await browser.post(addPath, { ...keeping })).body;
  const credential = await authenticator.create(options);
  return (from = browser) => from.post(addPath, { credential, ...keeping, ...rest });
}

export const completeRecovery = async (...given: Parameters<typeof prepareCompletion>): Promise<Answer> =>
  (await prepareCompletion(...given))();

/** Creates a recovery link as an operator. */
export const createLink = async (
  { auth }: Pick<ServiceOn, 'auth'>,
  { username }: Pick<Person, 'username'>,
  operator = 'ops',
) => auth.asOperator(operator).users.createRecoveryLink(username);

export const useLink = (browser: TestAgent, token: string): Promise<Answer> =>
  browser.post(linkUsePath, { token });

export const cancelLink = (browser: TestAgent): Promise<Answer> => browser.delete(linkPath);

/** Opens a recovery session with a recovery link, in a new browser. */
export async function enterByLink(service: Service, token: string): Promise<TestAgent> {
  const browser = service.browser();
  const { status } = await useLink(browser, token);
  if (status !== 200) throw new Error(`using the link returned ${status}`);
  return browser;
}

/** The pending recovery link that `GET /auth/session` shows to the user, or null. */
export const shownLink = async (browser: TestAgent) => (await browser.get('/auth/session')).body.recoveryLink;

export const linkRowsOf = ({ database }: TestService, person: Person) =>
  database.sql`select * from latchkey.recovery_links where user_id = ${userIdOf(person)}`;

export const codeRowsOf = ({ database }: TestService, person: Person) =>
  database.sql`
    select * from latchkey.recovery_codes where user_id = ${userIdOf(person)} order by code_hash`;

export const recoverySessionsOf = ({ database }: TestService, person: Person) =>
  database.sql`
    select from latchkey.sessions where user_id = ${userIdOf(person)} and kind = 'recovery'`;

/**
 * Counts the rows of an account that a recovery can change, and the audit events of the account by name. The name of a
 * failure ends with ` refused`.
 */
export async function ledger({ database }: TestService, person: Person): Promise<Record<string, number>> {
  const id = userIdOf(person);
  const [row] = await database.sql<Record<string, number>[]>`
    select
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id}) as codes,
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id} and used_at is not null) as used,
      (select count(*)::int from latchkey.recovery_links where user_id = ${id}) as links,
      (select count(*)::int from latchkey.sessions where user_id = ${id} and kind = 'full') as full_sessions,
      (select count(*)::int from latchkey.sessions where user_id = ${id} and kind = 'recovery') as recoveries,
      (select count(*)::int from latchkey.passkeys where user_id = ${id}) as passkeys`;
  const events = await database.sql<{ event: string; count: number }[]>`
    select case outcome when 'success' then event else event || ' refused' end as event, count(*)::int as count
    from latchkey.audit_events where actor_id = ${id} or target_id = ${id} group by 1`;
  return { ...row, ...Object.fromEntries(events.map(({ event, count }) => [event, count])) };
}
