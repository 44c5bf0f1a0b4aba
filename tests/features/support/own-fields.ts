import { createAuthService, type StandardSchema } from 'latchkey';
import * as v from 'valibot';
import type { Answer } from '../../support/agent.ts';
import { newAuthenticator, newUsername, type Person } from '../../support/person.ts';
import { secret, startTestService, type TestService } from '../../support/test-service.ts';

/** A schema whose result the test decides. */
export const schemaBy = <Output>(
  validate: (value: unknown) => ReturnType<StandardSchema<unknown, Output>['~standard']['validate']>,
): StandardSchema<unknown, Output> => ({ '~standard': { version: 1, vendor: 'test', validate } });

/** One field for each combination of audiences, with defaults, transformations and asynchronous checks. */
const userFields = {
  plan: { schema: v.optional(v.picklist(['free', 'pro']), 'free'), read: 'user', write: 'admin' },
  locale: { schema: v.pipe(v.string(), v.trim(), v.length(2)), read: 'user', write: 'user', required: true },
  topics: { schema: v.array(v.pipe(v.string(), v.maxLength(3000))), read: 'user', write: 'user' },
  seats: {
    schema: v.pipeAsync(
      v.number('expected a number of seats'),
      v.checkAsync(async (seats) => seats < 10, 'expected fewer than 10 seats'),
    ),
    read: 'user',
    write: 'user',
  },
  remark: { schema: v.string(), read: 'admin', write: 'admin' },
  creditLimit: { schema: v.number(), read: 'superadmin', write: 'superadmin' },
  crmId: { schema: v.string(), read: 'operator', write: 'operator' },
} as const;

export const startFieldsService = (): Promise<TestService> => startTestService({ userFields } as object);

/** The same service as the application sees it, with the types of the fields. */
export const typedAuthOn = (service: TestService) =>
  createAuthService({ database: service.database.url, secret, env: {}, rateLimit: false, userFields });

/** Signs up with own fields. Returns the failed response if a request fails. */
export async function signUpWith(
  service: TestService,
  fields: unknown = { locale: 'en' },
): Promise<Person & { failed: Answer | null }> {
  const [username, browser, authenticator] = [newUsername(), service.browser(), newAuthenticator()];
  const started = await browser.post('/auth/passkey/register/start', { username, fields });
  if (started.status !== 200) return { username, browser, authenticator, signedUp: started, failed: started };
  const credential = await authenticator.create(started.body.options);
  const signedUp = await browser.post('/auth/passkey/register/verify', { credential });
  return { username, browser, authenticator, signedUp, failed: signedUp.status === 201 ? null : signedUp };
}
