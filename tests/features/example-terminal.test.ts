import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readableOutput } from '../../examples/server/terminal/readable-output.ts';
import { welcome } from '../../examples/server/terminal/welcome.ts';

test('the welcome on a terminal says how to create the first superadmin, as long as none exists', () => {
  expect(welcome({ needsSuperadmin: true })).toContain('npx latchkey bootstrap\n');
  expect(welcome({ needsSuperadmin: false })).not.toContain('superadmin');
  expect(welcome({ needsSuperadmin: false })).toContain('Press Ctrl-C to stop the server.');
});

test('the log on a terminal contains sentences and no JSON', () => {
  let written = '';
  const log = pino({ level: 'info' }, readableOutput({ write: (text) => (written += text) }));
  log.info({ address: '::' }, 'Orders is running');
  log.warn('the database is slow');
  log.error({ err: new Error('no memory'), requestId: 'abc' }, 'a request failed');
  expect(written.split('\n').slice(0, 4)).toEqual([
    'Orders is running',
    'Warning: the database is slow',
    'Error: a request failed (request abc)',
    'Error: no memory',
  ]);
});
