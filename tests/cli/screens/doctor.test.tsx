import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../../cli/doctor/check.ts';
import { openApp } from './support/open-app.tsx';

const checks: Check[] = [
  { name: 'Database', level: 'ok', message: 'answers' },
  {
    name: 'Superadmins',
    level: 'warning',
    message: 'one passkey',
    why: 'It may get lost.',
    fix: 'Add another.',
  },
  {
    name: 'Secret',
    level: 'error',
    message: 'too short',
    why: 'It can be guessed.',
    fix: 'latchkey secret',
  },
];

describe('doctor', () => {
  it('lists the most severe check first, with its reason and fix', async () => {
    const app = await openApp({ checks });
    await app.press('d');
    expect(app.line('✗ error')).toMatch(/› ✗ error +Secret/);
    expect(app.screen()).toContain('It can be guessed.');
    expect(app.screen()).toContain('latchkey secret');
    expect(app.screen()).toContain('3 checks: 1 error, 1 warning.');
    await app.press('j');
    expect(app.screen()).toContain('It may get lost.');
  });

  it('shows that checks are running, and runs them again on r', async () => {
    let release = () => {};
    const app = await openApp({ checks });
    app.state.gate = new Promise((done) => {
      release = done;
    });
    await app.press('d');
    expect(app.screen()).toContain('Running all checks');
    app.state.checks = checks.slice(0, 1);
    release();
    await app.clock.advance(0);
    expect(app.screen()).toContain('✓ All checks passed.');
    await app.press('r');
    expect(app.count('runDoctor')).toBe(2);
  });

  it('shows an error and can run again', async () => {
    const app = await openApp({ checks });
    app.state.failure = new AuthError('unavailable');
    await app.press('d');
    expect(app.screen()).toContain('✗ The database is unreachable.');
    app.state.failure = null;
    await app.press('r');
    expect(app.screen()).toContain('Secret');
  });

  it('fits into 40 columns', async () => {
    const app = await openApp({ checks }, { columns: 40 });
    await app.press('d');
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(app.screen()).toContain('latchkey secret');
  });
});
