import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import xterm from '@xterm/headless';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import { toSvg } from './terminal-svg.mjs';

const program = fileURLToPath(new URL('../../dist/cli/index.js', import.meta.url));
const [columns, rows] = [80, 21];
const run = promisify(execFile);

/** Runs `latchkey` in a pseudo-terminal on a new database, and writes its first screen to an SVG file. */
export async function takeTerminalPicture(path) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-terminal-'));
  const database = await startEmbeddedPostgres({ directory: folder });
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    JWT_SECRET: 'for-screenshots-only-'.repeat(3),
    DATABASE_URL: database.url,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    BOOTSTRAP_ADMIN_USERNAME: 'ada',
    BOOTSTRAP_ADMIN_PASSWORD: 'a wet towel in Oslo',
  };
  const latchkey = (...words) => run(process.execPath, [program, ...words], { cwd: folder, env });
  try {
    await latchkey('migrate', '--service-role=latchkey_service');
    await latchkey('bootstrap');
    for (const name of ['grace', 'linus', 'margaret']) await latchkey('users', 'create', name);
    await latchkey('invitations', 'create', '--username', 'grace');
    await writeFile(path, toSvg(await firstScreen(folder, env)));
  } finally {
    await database.stop();
    // PostgreSQL does not run as root. If root runs this script, the database is in another folder.
    for (const made of [dirname(database.dataDirectory), folder])
      await rm(made, { recursive: true, force: true });
  }
}

/** Returns the buffer of the terminal once the menu and the figures are on the screen. */
async function firstScreen(cwd, env) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const line = `stty rows ${rows} cols ${columns}; exec '${process.execPath}' '${program}'`;
  const args =
    process.platform === 'darwin' ? ['-q', '/dev/null', '/bin/sh', '-c', line] : ['-qec', line, '/dev/null'];
  const child = spawn('script', args, {
    cwd,
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    await new Promise((written) => terminal.write(piece, written));
    const shown = linesOf(terminal).join('\n');
    if (shown.includes('Invitations    ') && shown.includes('? help') && /1 pending/.test(shown)) break;
  }
  const screen = terminal.buffer.active;
  child.stdin.write('q');
  child.stdout.resume();
  await once(child, 'exit');
  return { screen, columns, rows };
}

const linesOf = (terminal) =>
  Array.from(
    { length: rows },
    (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '',
  );
