import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAttestationAuthority, createSoftwareAuthenticator } from 'latchkey/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileCapabilities } from '../../examples/server/files/capabilities.ts';
import { addAuthenticator } from './support/chromium.ts';
import { startOwnSite } from './support/own-site.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { createNextPasskeyBy } from './support/software-passkeys.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

/** YubiKey 5 Series. */
const model = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const authority = createAttestationAuthority();
const metadata = join(tmpdir(), `latchkey-browser-metadata-${process.pid}.jwt`);

// One story. Each test continues where the previous test ended.
story('with a policy for authenticators', () => {
  let stage: Stage;
  let root: Person;
  let ben: Person;

  const rows = () => ben.page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');
  const attested = () => rows().getByText('Attested', { exact: true });
  const addSecurityKey = async (attestation: 'packed' | 'none') => {
    const key = createSoftwareAuthenticator({
      origin: stage.origin,
      aaguid: model,
      attestation,
      attestationAuthority: authority,
      backupEligible: false,
      transports: ['usb', 'nfc'],
    });
    const before = await rows().count();
    await createNextPasskeyBy(ben.page, key);
    await ben.button('Add passkey').click();
    await expect.poll(() => rows().count()).toBe(before + 1);
    await ben.button('Save').last().click();
    await expect.poll(() => ben.button('Save').count()).toBe(0);
  };
  const makeAdmin = async () => {
    await root.goTo('/admin/users');
    await choose(root.page, /Actions for ben$/, 'Change role');
    await root.page.getByRole('radio', { name: /^Admin/ }).check();
    await root.button('Change role').click();
  };

  beforeAll(async () => {
    await writeFile(metadata, authority.signMetadata([{ aaguid: model }]));
    stage = await setStage({
      start: () =>
        startOwnSite({
          capabilities: fileCapabilities,
          attestation: 'direct',
          authenticatorMetadata: metadata,
          authenticatorMetadataRoots: authority.certificate,
          authenticators: { deviceBound: true, roles: { admin: { certified: 'L1' } } },
        }),
    });
    root = await createPerson(stage, 'root-of-all');
    ben = await createPerson(stage, 'ben');
  });
  afterAll(async () => {
    await stage?.close();
    await rm(metadata, { force: true });
  });

  test('a refused sign-up says which authenticators are allowed, and the browser deletes the passkey', async () => {
    await ben.goTo('/signup');
    await ben.page.getByLabel('Username').fill('ben');
    await ben.button('Create account with a passkey').click();
    await ben.page.getByText('This kind of passkey is not allowed here').waitFor();
    await ben.page.getByText('The passkey must stay on one device. Use a security key.').waitFor();
    await photograph(ben.page, 'attestation-sign-up-refused');
    await expect.poll(() => ben.device.credentials()).toEqual([]);
    expect(await stage.database.sql`select * from latchkey.users`).toEqual([]);
  });

  test('a security key of an unknown model is allowed, but its model is not proven', async () => {
    for (const person of [ben, root]) {
      await person.device.lose();
      person.device = await addAuthenticator(person.cdp, 'usb');
      await signUp(person);
    }
    const [passkey] = await stage.database.sql`
      select attestation_format, attested from latchkey.passkeys limit 1`;
    expect(passkey).toEqual({ attestation_format: 'packed', attested: false });
  });

  test('a badge shows on which security keys the model is attested', async () => {
    await ben.follow('Security');
    await addSecurityKey('none');
    expect(await attested().count()).toBe(0);
    await addSecurityKey('packed');
    expect(await attested().count()).toBe(1);
    await photograph(ben.page, 'attestation-security');
  });

  test('the page of a user says whether a model is attested or claimed', async () => {
    await stage.database.sql`
      update latchkey.users set role = 'superadmin' where username = 'root-of-all'`;
    await root.goTo('/admin/users');
    await root.page.getByRole('link', { name: 'ben', exact: true }).click();
    await root.row('YubiKey 5 Series (attested)').waitFor();
    await root.row('YubiKey 5 Series (claimed)').waitFor();
    await photograph(root.page, 'attestation-person');
  });

  test('a refused role change names the passkeys and what they lack', async () => {
    await makeAdmin();
    await root.page.getByText('The passkeys of ben don’t allow this role').waitFor();
    await root.page.getByText('“YubiKey 5 Series” (model not proven)').waitFor();
    await photograph(root.page, 'attestation-role-refused');
    await root.button('Cancel').click();
  });

  test('the role can change after the user has removed these passkeys', async () => {
    for (const left of [2, 1]) {
      await choose(rows().first(), /^Actions for/, 'Remove');
      await ben.button('Remove passkey').click();
      await expect.poll(() => rows().count()).toBe(left);
    }
    expect(await attested().count()).toBe(1);
    await makeAdmin();
    await root.page.getByText('The role of ben is now admin').waitFor();
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
