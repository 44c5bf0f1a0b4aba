import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { removeFolder } from '../../support/remove-folder.ts';
import { connectMarionette, type Marionette } from './marionette.ts';

/** Returns the path of the installed Firefox ESR, or null. With CI=true, throws if it is not installed. */
export function findFirefox(): string | null {
  const found = process.env.FIREFOX ?? ['/usr/bin/firefox-esr'].find(existsSync);
  if (found) return found;
  if (process.env.CI === 'true') throw new Error('CI needs Firefox. Install it: apt-get install firefox-esr');
  process.stdout.write(
    'Skipping the Firefox tests: Firefox is not installed (apt-get install firefox-esr).\n',
  );
  return null;
}

/** A headless Firefox with a new profile. */
export interface Firefox {
  marionette: Marionette;
  /** Ends Firefox and deletes the profile. */
  close(): Promise<void>;
}

const preferences = {
  // Firefox chooses a free port and writes it to a file in the profile.
  'marionette.port': 0,
  // No first-run pages, updates, telemetry or saved passwords.
  'remote.prefs.recommended': true,
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
  // One process for all pages is enough, because only one site is open.
  'dom.ipc.processCount': 1,
  'dom.ipc.processPrelaunch.enabled': false,
};

/** System access lets scripts of the tests read the console and the running requests of a page. */
const flags = ['-headless', '-no-remote', '-marionette', '-remote-allow-system-access'];

export async function launchFirefox(executable: string): Promise<Firefox> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-firefox-'));
  const profile = join(folder, 'profile');
  await mkdir(profile);
  await writeFile(join(profile, 'user.js'), asUserPreferences(preferences));
  const child = spawn(executable, [...flags, '-profile', profile, 'about:blank'], {
    // Firefox also writes to the home folder.
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // If the test run exits without calling `close`.
  const abandon = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  const ended = endOf(child);
  let marionette: Marionette | undefined;
  const close = async () => {
    marionette?.close();
    child.kill('SIGKILL');
    await ended;
    process.off('exit', abandon);
    await removeFolder(folder);
  };
  try {
    const ready = portOf(profile);
    const port = await Promise.race([ready, ended.then((reason) => Promise.reject(new Error(reason)))]);
    marionette = await connectMarionette(port);
    await marionette.send('WebDriver:NewSession', {
      capabilities: { alwaysMatch: { timeouts: noTimeouts } },
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { marionette, close };
}

/** The only time limit is the timeout of the test. */
const noTimeouts = { script: null, pageLoad: Number.MAX_SAFE_INTEGER };

const asUserPreferences = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');

/** Resolves when Firefox has ended. The result contains everything that Firefox has written. */
function endOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`Firefox did not start: ${error.message}`));
    child.once('exit', () => resolve(`Firefox ended unexpectedly:\n${output}`));
  });
}

async function portOf(profile: string): Promise<number> {
  let port = '';
  await eventually(async () => {
    port = await readFile(join(profile, 'MarionetteActivePort'), 'utf8').catch(() => '');
    return port !== '';
  });
  return Number(port);
}
