import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readCertificate } from '../../examples/server/certificate.ts';
import { type FollowedCertificate, followCertificate } from '../../examples/server/follow-certificate.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { makeCertificate } from './support/certificates.ts';
import { findPrograms } from './support/programs.ts';

const minute = 60_000;

describe.skipIf(!findPrograms('openssl'))('a watched certificate', () => {
  let folder: string;
  let files: { certificate: string; key: string };
  let followed: FollowedCertificate;
  let installed: Buffer[];
  let logged: [level: string, message: string][];
  const put = async (name: string) => {
    await copyFile(join(folder, `${name}.pem`), files.certificate);
    await copyFile(join(folder, `${name}.key`), files.key);
  };
  const follow = async (name: string, host = 'example.com') => {
    await put(name);
    const note = (level: string) => (_: object, message: string) => logged.push([level, message]);
    followed = followCertificate(
      { setSecureContext: ({ cert }: { cert: Buffer }) => installed.push(cert) } as unknown as Server,
      readCertificate(files),
      { host, log: { info: note('info'), warn: note('warn'), error: note('error') } as unknown as Logger },
    );
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-followed-'));
    files = { certificate: join(folder, 'now.pem'), key: join(folder, 'now.key') };
    makeCertificate(folder, 'first', { days: 2 });
    makeCertificate(folder, 'second', { days: 90 });
  });
  afterAll(() => removeFolder(folder));
  beforeEach(() => {
    vi.useFakeTimers();
    [installed, logged] = [[], []];
  });
  afterEach(() => {
    followed.stop();
    vi.useRealTimers();
  });

  test('is loaded within a minute after its files change', async () => {
    await follow('first');
    await put('second');
    vi.advanceTimersByTime(minute);
    expect(installed.at(-1)).toEqual(readFileSync(join(folder, 'second.pem')));
    expect(logged).toEqual([['info', 'loaded the renewed certificate']]);
  });

  test('causes one error while only one of its files is new, and is loaded when both are new', async () => {
    await follow('first');
    await copyFile(join(folder, 'second.pem'), files.certificate);
    vi.advanceTimersByTime(3 * minute);
    expect(installed).toEqual([]);
    expect(logged).toEqual([
      ['error', expect.stringContaining('it does not belong to the first certificate')],
    ]);
    await copyFile(join(folder, 'second.key'), files.key);
    vi.advanceTimersByTime(minute);
    expect(logged.at(-1)).toEqual(['info', 'loaded the renewed certificate']);
  });

  test('that expires causes one warning', async () => {
    await follow('first');
    vi.advanceTimersByTime(minute);
    expect(logged).toEqual([]);
    vi.setSystemTime(Date.now() + 3 * 24 * 60 * minute);
    vi.advanceTimersByTime(2 * minute);
    expect(logged).toEqual([
      [
        'warn',
        expect.stringContaining('browsers will reject the certificate in TLS_CERTIFICATE: it expired on '),
      ],
    ]);
  });

  test('for another host causes a warning when the server starts', async () => {
    await follow('first', 'elsewhere.example');
    expect(logged).toEqual([['warn', expect.stringContaining('it is not for elsewhere.example')]]);
  });

  test('whose key file is missing causes one error, and is not checked after the server stops', async () => {
    await follow('first');
    await rm(files.key);
    vi.advanceTimersByTime(2 * minute);
    expect(logged).toEqual([['error', expect.stringContaining('the file does not exist')]]);
    followed.stop();
    await put('second');
    vi.advanceTimersByTime(2 * minute);
    expect(logged).toHaveLength(1);
  });
});
