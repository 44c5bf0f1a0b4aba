import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, newAuthenticator, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { untilWaiting } from '../support/waiting.ts';
import { isSignedIn } from './support/current-session.ts';
import {
  completeRecovery,
  createLink,
  enterByCode,
  enterByLink,
  postGenerate,
  signUpWithCodes,
  useCode,
} from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const remaining = async (browser: Awaited<ReturnType<typeof enterByCode>>): Promise<number> =>
  (await browser.get('/auth/session')).body.user.recoveryCodesRemaining;

describe('while an attacker has a stolen recovery code,', () => {
  test('the user’s own recovery replaces all codes and ends the attacker’s recovery session', async () => {
    const { person, codes } = await signUpWithCodes(service);
    const attacker = await enterByCode(service, person, codes[0]);
    expectProblem(await postGenerate(attacker), 'recovery_session');

    const owner = await enterByLink(service, (await createLink(service, person)).token);
    const { recoveryCodes } = (await completeRecovery(owner)).body;
    expect(recoveryCodes.total).toBe(10);
    expect(await remaining(owner)).toBe(10);
    for (const code of codes) expect((await useCode(service.browser(), person, code)).status).toBe(401);
    expect([await isSignedIn(owner), await isSignedIn(attacker)]).toEqual([true, false]);
  });

  test('either the attacker completes a recovery, or the user ends the recovery session first, but not both', async () => {
    const { person, codes } = await signUpWithCodes(service);
    const intruder = await enterByCode(service, person, codes[0]);
    const { options } = (await intruder.post('/auth/passkey/devices/add', {})).body;
    const authenticator = newAuthenticator();
    const credential = await authenticator.create(options);

    // A trigger makes the statement of the completion wait just before it stores the new passkey.
    const blocker = postgres(service.database.url, { max: 1, onnotice: () => {} });
    await blocker.unsafe(`
      create function public.wait_at_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$;
      create trigger gate before insert on latchkey.passkeys
        for each row execute function public.wait_at_gate();
      select pg_advisory_lock(4711);`);
    const completing = intruder.post('/auth/passkey/devices/add', { credential });
    await untilWaiting(service.database.sql);
    const ending = person.browser.delete('/auth/sessions');
    // The test continues when the request that ends the session gets its response, or when this request has to wait
    // for the statement of the completion.
    await Promise.race([ending, untilWaiting(service.database.sql, 2)]);
    await blocker.unsafe('select pg_advisory_unlock(4711)');
    const [completed, ended] = await Promise.all([completing, ending]);
    await blocker.unsafe('drop trigger gate on latchkey.passkeys; drop function public.wait_at_gate()');
    await blocker.end();

    // Exactly one of the two requests had an effect.
    const wasEnded = ended.status === 200 && ended.body.ended === 1;
    expect([completed.status === 201, wasEnded]).toEqual(
      completed.status === 201 ? [true, false] : [false, true],
    );
    const { status } = await logIn(service.browser(), authenticator);
    expect(status).toBe(completed.status === 201 ? 200 : 401);
  });
});

test('creating a recovery link for a disabled user is rejected and recorded', async () => {
  const person = await signUp(service);
  await service.database
    .sql`update latchkey.users set status = 'disabled' where username = ${person.username}`;
  await expect(createLink(service, person)).rejects.toMatchObject({ code: 'account_disabled', status: 409 });
  const rows = (await service.auditRows()).filter(({ target_name }) => target_name === person.username);
  expect(rows.at(-1)).toMatchObject({
    event: 'recovery_link.create',
    outcome: 'failure',
    actor_type: 'operator',
    details: { reason: 'account_disabled' },
  });
});
