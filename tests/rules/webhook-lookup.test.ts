import { expect, test } from 'vitest';
import { createSerialLookup, type Resolve } from '../../src/webhooks/lookup.ts';

/** Lookups that end when a test says so. */
function heldLookups() {
  const running = new Map<string, Parameters<Resolve>[2]>();
  const started: string[] = [];
  const find = createSerialLookup((host, _options, callback) => {
    started.push(host);
    running.set(host, callback);
  });
  const found: string[] = [];
  return {
    started,
    found,
    look: (host: string) =>
      find(host, { all: true }, (error, addresses) => {
        found.push(`${host}: ${error?.message ?? addresses.map(({ address }) => address)}`);
      }),
    end: (host: string, result: Error | string) => {
      const callback = running.get(host);
      running.delete(host);
      if (typeof result === 'string') callback?.(null, [{ address: result, family: 4 }]);
      else callback?.(result, []);
    },
  };
}

test('the hosts of webhooks are looked up one after another', () => {
  const { started, found, look, end } = heldLookups();
  for (const host of ['one.example', 'two.example', 'three.example']) look(host);
  expect(started).toEqual(['one.example']);
  end('one.example', '192.0.2.1');
  expect(started).toEqual(['one.example', 'two.example']);
  end('two.example', '192.0.2.2');
  end('three.example', '192.0.2.3');
  expect(found).toEqual(['one.example: 192.0.2.1', 'two.example: 192.0.2.2', 'three.example: 192.0.2.3']);
});

test('attempts that wait for the same host share one lookup, and a later attempt looks it up again', () => {
  const { started, found, look, end } = heldLookups();
  for (const host of ['one.example', 'two.example', 'two.example', 'one.example']) look(host);
  end('one.example', '192.0.2.1');
  end('two.example', '192.0.2.2');
  expect(found).toEqual([
    'one.example: 192.0.2.1',
    'one.example: 192.0.2.1',
    'two.example: 192.0.2.2',
    'two.example: 192.0.2.2',
  ]);
  look('one.example');
  expect(started).toEqual(['one.example', 'two.example', 'one.example']);
});

test('a host without addresses does not stop the lookup of the next one', () => {
  const { found, look, end } = heldLookups();
  for (const host of ['one.example', 'two.example']) look(host);
  end('one.example', new Error('not found'));
  end('two.example', '192.0.2.2');
  expect(found).toEqual(['one.example: not found', 'two.example: 192.0.2.2']);
});
