import bcrypt from 'bcrypt';
import type { AuthServiceOptions } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createGate } from '../features/support/hooks.ts';
import { generateCodes } from '../features/support/recovery.ts';
import { limitedServices } from '../support/limited-services.ts';
import { inTurn, sortedStatuses, statuses, times, together } from '../support/many-requests.ts';
import { newUsername, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { rounds } from '../support/rounds.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  guessPassword,
  left,
  logInByPassword,
  password,
  setPassword,
  signOut,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  useCode,
} from './support/guesses.ts';

const of = (max: number, seconds = 900) => ({ max, seconds });

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

const limits = limitedServices();

/** Starts a service in which an account has this budget of wrong passwords and wrong recovery codes. */
const start = (max: number, before?: (text: string) => unknown, options: AuthServiceOptions = {}) => {
  const rateLimits = { password: { account: of(max) }, recovery: { account: of(max) } };
  return limits.start(service, { rateLimits, trustedProxies: 1, bcryptCost: 4, ...options }, before);
};

describe('the budget of an account', () => {
  test('is not used up by successful sign-ins', async () => {
    const instance = await start(3);
    const owner = await signUpWithPassword(instance);
    const answers = await inTurn(10, () => logInByPassword(instance.browser(), owner));
    expect(statuses(answers)).toEqual(times(10, 200));
    expect(answers.map(left)).toEqual(times(10, 3));
  });

  test('is not used up by successful step-ups and changes of the password', async () => {
    const instance = await start(3);
    const { browser } = await signUpWithOnlyPassword(instance);
    expect(statuses(await inTurn(8, () => stepUpByPassword(browser)))).toEqual(times(8, 200));
    expect(statuses(await inTurn(8, () => setPassword(browser, password)))).toEqual(times(8, 200));
  });

  test('of a signed-in user is used up by wrong passwords', async () => {
    const instance = await start(3);
    const { browser } = await signUpWithOnlyPassword(instance);
    const answers = await inTurn(4, () => stepUpByPassword(browser, 'a wet towel in Bergen'));
    expect(statuses(answers)).toEqual([401, 401, 401, 429]);
    expectProblem(await stepUpByPassword(browser), 'rate_limited');
  });

  test('is not used up by correct recovery codes', async () => {
    const instance = await start(2);
    const owner = await signUp(instance);
    const codes = await generateCodes(owner.browser);
    const answers = [];
    for (const code of codes.slice(0, 5)) answers.push(await useCode(instance.browser(), owner, code));
    expect(statuses(answers)).toEqual(times(5, 200));
  });

  test('is not refilled by a successful sign-in', async () => {
    const instance = await start(6);
    const owner = await signUpWithPassword(instance);
    const answers = await inTurn(7, async () => {
      const guess = await guessPassword(instance, owner);
      await logInByPassword(owner.browser, owner);
      await logInByPassword(instance.browser(), owner);
      return guess.status;
    });
    expect(answers).toEqual([...times(6, 401), 429]);
  });

  test('is not refilled when a guesser signs in to another account', async () => {
    const instance = await start(6);
    const [owner, guesser] = [await signUpWithPassword(instance), await signUpWithPassword(instance)];
    const answers = await inTurn(7, async () => {
      await logInByPassword(guesser.browser, guesser);
      return (await guessPassword(instance, owner, guesser.browser)).status;
    });
    expect(answers).toEqual([...times(6, 401), 429]);
  });

  test('counts the correct password of a disabled account like a wrong password', async () => {
    const instance = await start(3);
    const owner = await signUpWithPassword(instance);
    await instance.auth.asOperator('ops').users.disable(owner.username);
    const answers = [
      await guessPassword(instance, owner),
      await logInByPassword(instance.browser(), owner),
      await logInByPassword(instance.browser(), owner),
      await logInByPassword(instance.browser(), owner),
    ];
    expect(statuses(answers)).toEqual([401, 409, 409, 429]);
    expect(answers.map(left)).toEqual([2, 1, 0, 0]);
  });

  test('counts the same for an unknown username', async () => {
    const instance = await start(3);
    const stranger = { username: newUsername('unknown') };
    const answers = await inTurn(4, () => guessPassword(instance, stranger));
    expect(statuses(answers)).toEqual([401, 401, 401, 429]);
    expect(answers.map(left)).toEqual([2, 1, 0, 0]);
  });

  test('is not used up by passwords that were not compared', async () => {
    const instance = await start(2);
    const owner = await signUpWithPassword(instance);
    const comparing = vi
      .spyOn(bcrypt, 'compare')
      .mockImplementation(() => Promise.reject(new Error('broken')));
    expect(statuses(await inTurn(4, () => guessPassword(instance, owner)))).toEqual(times(4, 500));
    comparing.mockRestore();
    instance.logged.length = 0;
    expect(statuses(await inTurn(3, () => guessPassword(instance, owner)))).toEqual([401, 401, 429]);
  });
});

describe('a browser that has signed in before', () => {
  test('has its own budget, and does not use up the budgets of strangers and other browsers', async () => {
    const instance = await start(3);
    const owner = await signUpWithPassword(instance);
    const [one, other] = [instance.browser(), instance.browser()];
    for (const browser of [one, other]) {
      await logInByPassword(browser, owner);
      await signOut(browser);
    }
    expect(statuses(await inTurn(4, () => guessPassword(instance, owner, one)))).toEqual([
      401, 401, 401, 429,
    ]);
    expectProblem(await logInByPassword(one, owner), 'rate_limited');
    expect((await logInByPassword(other, owner)).status).toBe(200);
    expect(statuses(await inTurn(4, () => guessPassword(instance, owner)))).toEqual([401, 401, 401, 429]);
  });

  test('has no budget of its own for other usernames', async () => {
    const instance = await start(3);
    const [owner, guesser] = [await signUpWithPassword(instance), await signUpWithPassword(instance)];
    await inTurn(3, () => guessPassword(instance, owner));
    expectProblem(await guessPassword(instance, owner, guesser.browser), 'rate_limited');
  });

  test('has no budget of its own for a new account that reuses the username of the earlier account', async () => {
    const instance = await start(3);
    const earlier = await signUpWithPassword(instance);
    await earlier.browser.delete('/auth/account');
    await service.database.sql`update latchkey.users set username = null where id = ${userIdOf(earlier)}`;
    const next = await signUp(instance, { username: earlier.username });
    await setPassword(next.browser, password);
    await inTurn(3, () => guessPassword(instance, next));
    expectProblem(await guessPassword(instance, next, earlier.browser), 'rate_limited');
  });
});

/** Holds the reads of an account until 50 requests have read it, so that all of them count at the same time. */
function createBarrier() {
  let gate = createGate();
  let waiting = 0;
  let opened = 0;
  return {
    hold(text: string): Promise<void> | undefined {
      if (!text.includes('users.password_hash, ')) return undefined;
      const current = gate;
      waiting += 1;
      if (waiting === 50) {
        waiting = 0;
        opened += 1;
        gate = createGate();
        current.open();
      }
      return current.opened;
    },
    opened: () => opened,
  };
}

describe('of 50 concurrent guesses, exactly as many as the budget allows are checked', () => {
  test('if all are wrong', async () => {
    const barrier = createBarrier();
    const instance = await start(10, barrier.hold);
    for (let round = 0; round < rounds; round += 1) {
      const owner = { username: newUsername() };
      const comparing = vi.spyOn(bcrypt, 'compare');
      const answers = await together(times(50, () => guessPassword(instance, owner)));
      expect(sortedStatuses(answers)).toEqual([...times(10, 401), ...times(40, 429)]);
      expect(comparing).toHaveBeenCalledTimes(10);
      comparing.mockRestore();
    }
    expect(barrier.opened()).toBe(rounds);
  });

  test('if the owner signs in at the same time on a browser that has signed in before', async () => {
    const owner = await signUpWithPassword(await start(10));
    const barrier = createBarrier();
    const instance = await start(10, barrier.hold);
    const known = instance.browser(owner.browser.cookies);
    for (let round = 0; round < rounds; round += 1) {
      const answers = await together([
        ...times(49, () => guessPassword(instance, owner)),
        () => logInByPassword(known, owner),
      ]);
      expect(sortedStatuses(answers)).toEqual([200, ...times(10, 401), ...times(39, 429)]);
      limits.turnClock({ seconds: 900 });
    }
    expect(barrier.opened()).toBe(rounds);
  });

  test('if the owner signs in at the same time on other browsers', async () => {
    const owner = await signUpWithPassword(await start(10));
    const barrier = createBarrier();
    const instance = await start(10, barrier.hold);
    for (let round = 0; round < rounds; round += 1) {
      let wrong = 0;
      // After the successful sign-ins have made room, the next guesses use the rest of the budget.
      for (const guesses of [25, 50]) {
        const answers = await together([
          ...times(guesses, () => guessPassword(instance, owner)),
          ...times(50 - guesses, () => logInByPassword(instance.browser(), owner)),
        ]);
        wrong += statuses(answers).filter((status) => status === 401).length;
      }
      expect(wrong).toBe(10);
      limits.turnClock({ seconds: 900 });
    }
    expect(barrier.opened()).toBe(2 * rounds);
  });
});
