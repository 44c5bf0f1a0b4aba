import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readCorpus, textOf } from './support/corpus.ts';
import { mutate } from './support/mutate.ts';
import { randomNumbers } from './support/random-numbers.ts';
import { targets } from './targets.ts';

describe.each(targets)('the fuzz target $name', (target) => {
  const inputs = [...target.seeds(), ...readCorpus(target.name)];

  test('has a corpus', () => {
    expect(readCorpus(target.name).length).toBeGreaterThan(0);
  });

  test('processes every input of its corpus', async () => {
    for (const input of inputs) await expectNoFinding(input);
  });

  test('processes changed inputs', async () => {
    const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
    const random = randomNumbers(seed);
    const dictionary = target.dictionary.map((one) => (typeof one === 'string' ? Buffer.from(one) : one));
    for (let n = 0; n < 500; n += 1) {
      const input = inputs[random.below(inputs.length)] ?? new Uint8Array();
      await expectNoFinding(mutate(input, { random, corpus: inputs, dictionary }, target.maxBytes));
    }
  });

  async function expectNoFinding(input: Uint8Array): Promise<void> {
    try {
      await target.run(input);
    } catch (cause) {
      throw new Error(`${target.name} fails for the input ${textOf(input)}`, { cause });
    }
  }
});
