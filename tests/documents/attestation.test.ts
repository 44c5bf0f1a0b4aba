import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthServiceOptions } from 'latchkey';
import {
  type AttestationAuthority,
  createAttestationAuthority,
  type SoftwareAuthenticator,
} from 'latchkey/testing';
import { afterAll, expect, test } from 'vitest';
import { catalogue } from '../../cli/catalogue.ts';
import { setRole } from '../features/support/accounts.ts';
import { addPasskey, newAuthenticator, signUp, signUpStart } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { importBlocks, runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/attestation.md');
const model = '2fc0579f-8113-47ea-b116-bb5a8db9202a';

const services: TestService[] = [];
afterAll(async () => {
  for (const service of services) await service.close();
});

/** Starts a service with the options of a block and the given values. */
async function startAsIn(
  block: string,
  values: AuthServiceOptions,
  readFile?: () => string,
): Promise<TestService> {
  const statements = block.replaceAll(/^import .*$/gm, '').replaceAll('export const', 'const');
  const createAuthService = async (options: AuthServiceOptions) => {
    services.push(await startTestService({ ...options, ...values }));
  };
  await runStatements(statements, { createAuthService, readFileSync: readFile ?? readFileSync });
  const service = services.at(-1);
  if (!service) throw new Error('the block creates no service');
  return service;
}

test('with the options for superadmins, their new passkeys must be certified security keys', async () => {
  const authority = createAttestationAuthority();
  const file = join(tmpdir(), `latchkey-guide-${process.pid}.jwt`);
  writeFileSync(file, authority.signMetadata([{ aaguid: model }]));
  const service = await startAsIn(guide.block('./fido-metadata.jwt'), {
    authenticatorMetadata: file,
    authenticatorMetadataRoots: authority.certificate,
  });
  const person = await signUp(service);
  expect((await addPasskey(person.browser)).status).toBe(201);
  await setRole(service, person, 'superadmin');
  expect((await addPasskey(person.browser)).body).toMatchObject({
    code: 'authenticator_not_allowed',
    reason: 'not_attested',
  });
  const certified = newAuthenticator({
    aaguid: model,
    attestation: 'packed',
    attestationAuthority: authority,
    backupEligible: false,
  });
  const { body } = await addPasskey(person.browser, certified);
  expect(body.device).toMatchObject({ attested: true, aaguid: model });
  rmSync(file);

  expect(guide.block('policy test')).toBe('npx latchkey policy test\n');
  expect(catalogue.map(({ name }) => name)).toContain('policy test');
  const report = await service.auth.asOperator('ops').users.testAuthenticatorPolicy();
  expect(report).toMatchObject({ total: 1, shutOut: 0, checkSignIns: false });
  expect(report.users[0]).toMatchObject({ role: 'superadmin', allowed: 1 });
  expect(report.users[0]?.excluded.map(({ reason }) => reason)).toEqual(['not_attested', 'not_attested']);
});

test('with a certificate of your own, only authenticators with such a certificate can sign up', async () => {
  const { authority, key } = (await importBlocks({
    'test.ts': guide.block('createSoftwareAuthenticator'),
  })) as { authority: AttestationAuthority; key: SoftwareAuthenticator };
  const service = await startAsIn(guide.block('company-root.pem'), {}, () => authority.certificate);
  const statusOf = async (authenticator: SoftwareAuthenticator) => {
    const browser = service.browser();
    const credential = await authenticator.create(await signUpStart(browser));
    return (await browser.post('/auth/passkey/register/verify', { credential })).status;
  };
  expect(await statusOf(newAuthenticator())).toBe(403);
  expect(await statusOf(key)).toBe(201);
});
