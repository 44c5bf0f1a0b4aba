import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { together } from '../support/many-requests.ts';
import { signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { forAllAsync } from './support/for-all.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ lookAlikes: 'refuse' });
});
afterAll(() => service.close());

const lookAlikes: Record<string, readonly string[]> = {
  o: ['o', '0'],
  l: ['l', '1', 'i'],
  m: ['m', 'rn'],
  w: ['w', 'vv'],
};

test("with lookAlikes: 'refuse', of usernames that look alike, only one gets an account, even in concurrent sign-ups", async () => {
  // cspell:disable-next-line
  const letters = fc.string({ unit: fc.constantFrom(...'olmwacd'), minLength: 4, maxLength: 8 });
  const picks = fc.array(fc.nat(2), { minLength: 8, maxLength: 8 });
  await forAllAsync(
    [letters, fc.array(picks, { minLength: 2, maxLength: 4 })],
    async (stem, choices) => {
      const twins = choices.map((chosen) =>
        [...stem]
          .map(
            (letter, at) =>
              lookAlikes[letter]?.[(chosen[at] ?? 0) % (lookAlikes[letter]?.length ?? 1)] ?? letter,
          )
          .join(''),
      );
      await together(twins.map((username) => () => signUp(service, { username }).catch(() => null)));
      const rows = await service.database
        .sql`select username from latchkey.users where username = any(${twins}::text[])`;
      expect(rows.length).toBeLessThanOrEqual(1);
    },
    6,
  );
});
