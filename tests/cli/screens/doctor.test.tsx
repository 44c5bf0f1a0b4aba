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
    mend: 'Add another.',
  },
  {
    name: 'Secret',
    level: 'fault',
    message: 'too short',
    why: 'It can be guessed.',
    mend: 'latchkey secret',
  },
];

describe('doctor', () => {
  it('lists the worst first, and says why it matters and what mends it', async () => {
    const app = await openApp({ checks });
    await app.press('d');
    expect(app.line('✗ fault')).toContain('› ✗ fault Secret');
    expect(app.screen()).toContain('It can be guessed.');
    expect(app.screen()).toContain('latchkey secret');
    expect(app.screen()).toContain('3 looked at: 1 to mend, 1 to see to soon.');
    await app.press('j');
    expect(app.screen()).toContain('It may get lost.');
  });

  it('shows that it is looking, and looks again on r', async () => {
    let release = () => {};
    const app = await openApp({ checks });
    app.world.gate = new Promise((done) => {
      release = done;
    });
    await app.press('d');
    expect(app.screen()).toContain('Looking at everything');
    app.world.checks = checks.slice(0, 1);
    release();
    await app.clock.advance(0);
    expect(app.screen()).toContain('✓ All 1 are well.');
    await app.press('r');
    expect(app.count('runDoctor')).toBe(2);
  });

  it('says where it could not look, and lets one try again', async () => {
    const app = await openApp({ checks });
    app.world.failure = new AuthError('unavailable');
    await app.press('d');
    expect(app.screen()).toContain('✗ The database is unreachable.');
    app.world.failure = null;
    await app.press('r');
    expect(app.screen()).toContain('Secret');
  });

  it('keeps within 40 columns', async () => {
    const app = await openApp({ checks }, { columns: 40 });
    await app.press('d');
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(app.screen()).toContain('latchkey secret');
  });
});
