import { expect, test } from 'vitest';
import { parseJson } from '../../src/http/json.ts';

/** Small numbers from a seed, so that a failure comes again. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const keys = ['a', 'b', '', '"', '\\', '\\"', '{', '}', '[', ']', ',', ':', 'a:b', '"a":1', 'ä\u{1f511}'];

/** JSON text that may say a key twice, and whether it does: known from how it is made. */
function textFrom(random: (below: number) => number, depth = 0): { text: string; twice: boolean } {
  const kind = depth === 0 ? 4 : random(depth > 3 ? 3 : 5);
  const space = [' ', '', '\n'][random(3)];
  if (kind === 0) return { text: `${random(100)}`, twice: false };
  if (kind < 3) return { text: JSON.stringify(keys[random(keys.length)]), twice: false };
  const members = Array.from({ length: random(4) }, () => textFrom(random, depth + 1));
  const within = members.some(({ twice }) => twice);
  const texts = members.map(({ text }) => text);
  if (kind === 3) return { text: `[${space}${texts.join(`,${space}`)}]`, twice: within };
  const names = members.map(() => keys[random(keys.length)]);
  const pairs = texts.map((text, index) => `${JSON.stringify(names[index])}${space}:${text}`);
  return {
    text: `{${pairs.join(`${space},`)}${space}}`,
    twice: within || new Set(names).size < names.length,
  };
}

test('a key that stands twice is found wherever it is, and nowhere else', () => {
  const found = { once: 0, twice: 0 };
  for (let seed = 1; seed <= 20_000; seed += 1) {
    const { text, twice } = textFrom(numbersFrom(seed));
    let refused = false;
    try {
      parseJson(Buffer.from(text));
    } catch (error) {
      expect(error).toMatchObject({
        code: 'invalid_request',
        errors: [{ message: expect.stringMatching('twice') }],
      });
      refused = true;
    }
    if (refused !== twice) expect.fail(`${refused ? 'refused' : 'taken'}: ${text}`);
    found[twice ? 'twice' : 'once'] += 1;
  }
  expect(found.once).toBeGreaterThan(1000);
  expect(found.twice).toBeGreaterThan(1000);
});

test('the key is named', () => {
  expect(() => parseJson(Buffer.from('{"a":[{"b \\"c\\"":1,"b \\"c\\"":2}]}'))).toThrow(
    expect.objectContaining({ errors: [{ path: '', message: 'the key "b \\"c\\"" stands twice' }] }),
  );
});
