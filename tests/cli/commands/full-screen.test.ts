import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { temporaryFolders } from './support/command.ts';
import { findScript, startInTerminal } from './support/terminal.ts';

const enter = '\x1b[?1049h';
const leave = '\x1b[?25h\x1b[?1049l';

let database: TestDatabase;
const newFolder = temporaryFolders();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Opens the screens. `run` runs a statement inside their process. */
async function openScreens() {
  const order = join(newFolder(), 'order.js');
  const follow = `import { existsSync, readFileSync } from 'node:fs';
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(order)})) return;
      clearInterval(timer);
      new Function(readFileSync(${JSON.stringify(order)}, 'utf8'))();
    }, 20);
    timer.unref();`;
  const screens = startInTerminal([], {
    env: { DATABASE_URL: database.url },
    node: ['--import', `data:text/javascript,${encodeURIComponent(follow)}`],
  });
  await screens.untilShown('Users');
  return { ...screens, run: (statement: string) => writeFileSync(order, statement) };
}

test.runIf(findScript())('the menu does not contain what the variables switch off', async () => {
  const env = { ORGANIZATIONS: 'off', ADMIN_INVITATIONS: 'off', SIGN_UP: 'closed' };
  const screens = startInTerminal([], { env: { DATABASE_URL: database.url, ...env } });
  await screens.untilShown('Doctor');
  await screens.untilShown('Superadmins');
  screens.type('q');
  const { exitCode, output } = await screens.ended;
  expect(exitCode).toBe(0);
  expect(output).toContain('Activity');
  expect(output).not.toMatch(/Organizations|Invitations/);
});

describe.runIf(findScript())('the terminal shows its earlier content and the cursor again', () => {
  const expectRestored = (output: string) => {
    expect(output.split(enter)).toHaveLength(2);
    expect(output.split(leave)).toHaveLength(2);
    expect(output.indexOf(leave)).toBeGreaterThan(output.indexOf(enter));
  };

  test('after the operator quits, and the exit code is 0', async () => {
    const screens = await openScreens();
    screens.type('q');
    const { exitCode, output } = await screens.ended;
    expectRestored(output);
    expect(exitCode).toBe(0);
  });

  test('after a crash, and the stack trace follows the earlier content', async () => {
    const screens = await openScreens();
    screens.run(`throw new TypeError('x is not a function')`);
    const { exitCode, output } = await screens.ended;
    expectRestored(output);
    expect(output.indexOf('TypeError: x is not a function')).toBeGreaterThan(output.indexOf(leave));
    expect(exitCode).toBe(1);
  });

  test('after a call of process.exit', async () => {
    const screens = await openScreens();
    screens.run('process.exit(7)');
    const { exitCode, output } = await screens.ended;
    expectRestored(output);
    expect(exitCode).toBe(7);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('after %s, which ends the program', async (signal, exitCode) => {
    const screens = await openScreens();
    screens.run(`process.kill(process.pid, '${signal}')`);
    const ended = await screens.ended;
    expectRestored(ended.output);
    expect(ended.exitCode).toBe(exitCode);
  });
});
