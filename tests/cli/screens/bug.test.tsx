import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { recordedBugs } from '../../../cli/bug.ts';
import { openApp } from './support/open-app.tsx';
import { userOf } from './support/users.ts';

describe('a screen whose request fails', () => {
  it('reports a TypeError as a bug and keeps the stack trace', async () => {
    const app = await openApp({ users: [userOf('ada')] });
    app.state.failure = new TypeError('x is not a function');
    await app.press('u');
    expect(app.screen()).toContain('! This is a bug in Latchkey: TypeError: x is not a function.');
    expect(app.screen()).not.toContain('database');
    expect(recordedBugs()).toContainEqual({
      message: 'This is a bug in Latchkey: TypeError: x is not a function',
      stack: expect.stringContaining('bug.test.tsx'),
    });
  });

  it('reports an unavailable service as an unreachable database', async () => {
    const app = await openApp({ users: [userOf('ada')] });
    app.state.failure = new AuthError('unavailable');
    await app.press('u');
    expect(app.screen()).toContain('! The database is unreachable. Retrying…');
  });

  it('reports an SQL error with the message of PostgreSQL', async () => {
    const app = await openApp({ users: [userOf('ada')] });
    app.state.failure = Object.assign(new Error('relation "x" does not exist'), { code: '42P01' });
    await app.press('u');
    expect(app.screen()).toContain('! PostgreSQL reports an error: relation "x" does not exist.');
  });
});
