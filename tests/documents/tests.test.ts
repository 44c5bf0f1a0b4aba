import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder } from '../support/remove-folder.ts';
import { readGuide } from './support/guide.ts';
import { importBlocks } from './support/run-blocks.ts';
import { createFolder } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/tests.md');

// The imports register the tests of the guide, so they run as tests of this file.
await importBlocks({
  'app.test.js': guide.block('visitor()'),
  'app.js': guide.block('export function createApp'),
});
await importBlocks({
  'notes.test.js': guide.block('Call Charles.'),
  'schema.sql': guide.block('create table'),
});

test('the packages that the guide installs are those that the package expects', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  const names = guide.block('npm install').trim().split(' ').slice(3);
  expect(names).toEqual(['vitest', 'pg-mem']);
  expect(manifest.peerDependencies).toHaveProperty('pg-mem');
  expect(manifest.devDependencies).toHaveProperty('vitest');
});

test('the global setup of the guide starts a PostgreSQL for `createTestDatabase`, and returns a function that stops it', async () => {
  const before = process.env.TEST_DATABASE_URL;
  const directory = join(createFolder(), '.latchkey');
  const code = guide
    .block('startEmbeddedPostgres();')
    .replace('startEmbeddedPostgres()', `startEmbeddedPostgres({ directory: ${JSON.stringify(directory)} })`);
  const { default: setup } = (await importBlocks({ 'setup.js': code })) as {
    default: () => Promise<() => Promise<void>>;
  };
  try {
    const stop = await setup();
    expect(process.env.TEST_DATABASE_URL).toMatch(/^postgresql:\/\//);
    expect(process.env.TEST_DATABASE_URL).not.toBe(before);
    await stop();
  } finally {
    process.env.TEST_DATABASE_URL = before;
    await removeFolder(directory);
  }
});
