import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { found, organizationsPath, signUpAs, signUpMember } from './support/authority.ts';
import { getOrganization, membersOf, patchOrganization } from './support/organizations.ts';
import { startRecovering } from './support/recovery.ts';
import { uuid } from './support/wire-format.ts';

let service: TestService;
let founder: Person;
beforeAll(async () => {
  service = await startFrozenService();
  founder = await signUpAs(service, 'admin');
});
afterAll(() => service.close());

const post = (input: object, { browser } = founder) => browser.post(organizationsPath, input);
const countOrganizations = async () =>
  (await service.database.sql`select from latchkey.organizations`).length;

describe('creating an organization', () => {
  test.each(['admin', 'superadmin'] as const)(
    'makes a caller with the role %s its organization admin',
    async (role) => {
      const person = await signUpAs(service, role);
      const slug = newUsername('org');
      const answer = await post({ name: 'The Acme Company', slug }, person);
      expectUncached(answer);
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          organization: {
            id: expect.stringMatching(uuid),
            name: 'The Acme Company',
            slug,
            createdAt: await timeOf(service),
            myRole: 'admin',
          },
        },
      ]);
      const { organization } = answer.body;
      expect((await getOrganization(person.browser, organization)).body).toEqual({ organization });
      expect(await membersOf(person.browser, organization)).toEqual({ [person.username]: 'admin' });
    },
  );

  test('is rejected for users with the role `user`, even if they are organization admins', async () => {
    const [user, admin] = [
      await signUp(service),
      await signUpMember(service, founder.browser, await found(founder.browser), 'admin'),
    ];
    const before = await countOrganizations();
    for (const person of [user, admin]) {
      expectProblem(await post({ name: 'Acme' }, person), 'forbidden');
      expectProblem(await post({ nonsense: 1 }, person), 'forbidden');
    }
    expect(await countOrganizations()).toBe(before);
  });

  test('requires a full session with fresh authentication', async () => {
    const admin = await signUpAs(service, 'admin');
    expectProblem(await service.browser().post(organizationsPath, { name: 'Acme' }), 'not_authenticated');
    const { browser } = await startRecovering(service, await signUpAs(service, 'admin'));
    expectProblem(await browser.post(organizationsPath, { name: 'Acme' }), 'recovery_session');
    await service.turnClock({ minutes: 11 });
    expectProblem(await post({ name: 'Acme' }, admin), 'reauthentication_required');
    await service.turnClock({ minutes: -11 });
    expect((await post({ name: 'Acme' }, admin)).status).toBe(201);
  });

  test.each<[name: string, kept: string]>([
    ['  Acme  ', 'Acme'],
    ['Cafe\u0301 am Park', 'Café am Park'],
    ['\u{1f511}'.repeat(64), '\u{1f511}'.repeat(64)],
    ['<b>&amp;', '<b>&amp;'],
    ['Zwei\u200fRichtungen', 'Zwei\u200fRichtungen'],
  ])('stores the name %j as %j', async (name, kept) => {
    const { status, body } = await post({ name, slug: newUsername('org') });
    expect([status, body.organization.name]).toEqual([201, kept]);
  });

  const [short, long] = ['expected at least 1 character', 'expected at most 64 characters'];
  const form = 'expected 2 to 48 lowercase letters, digits and hyphens';
  const unknown = 'this property is unknown';
  test.each<[input: object, path: string, message: string]>([
    [{}, 'name', 'this property is required'],
    [{ name: null }, 'name', 'expected a string'],
    [{ name: 5 }, 'name', 'expected a string'],
    [{ name: '' }, 'name', short],
    [{ name: ' \t ' }, 'name', short],
    [{ name: 'x'.repeat(65) }, 'name', long],
    [{ name: 'x'.repeat(10_000) }, 'name', long],
    [{ name: 'line\nbreak' }, 'name', 'control characters are not allowed'],
    [{ name: 'Acme', slug: '' }, 'slug', form],
    [{ name: 'Acme', slug: 'a' }, 'slug', form],
    [{ name: 'Acme', slug: 'x'.repeat(49) }, 'slug', form],
    [{ name: 'Acme', slug: 'Acme' }, 'slug', form],
    [{ name: 'Acme', slug: 'ac me' }, 'slug', form],
    [{ name: 'Acme', slug: ' acme' }, 'slug', form],
    [{ name: 'Acme', slug: 'acme\n' }, 'slug', form],
    [{ name: 'Acme', slug: 'ac_me' }, 'slug', form],
    [{ name: 'Acme', slug: 'ac.me' }, 'slug', form],
    [{ name: 'Acme', slug: '../acme' }, 'slug', form],
    [{ name: 'Acme', slug: 'äcme' }, 'slug', form],
    [{ name: 'Acme', slug: 'ａｃｍｅ' }, 'slug', form],
    [{ name: 'Acme', slug: null }, 'slug', 'expected a string'],
    [{ name: 'Acme', slug: 42 }, 'slug', 'expected a string'],
    [{ name: 'Acme', id: '00000000-0000-7000-8000-000000000000' }, 'id', unknown],
    [{ name: 'Acme', organizationId: '00000000-0000-7000-8000-000000000000' }, 'organizationId', unknown],
    [{ name: 'Acme', userId: '00000000-0000-7000-8000-000000000000' }, 'userId', unknown],
    [{ name: 'Acme', role: 'superadmin' }, 'role', unknown],
    [{ name: 'Acme', myRole: 'admin' }, 'myRole', unknown],
    [{ name: 'Acme', version: 7 }, 'version', unknown],
    [{ name: 'Acme', createdAt: '2020-01-01T00:00:00Z' }, 'createdAt', unknown],
  ])('rejects the body %j', async (input, path, message) => {
    const before = await countOrganizations();
    expectProblem(await post(input), 'invalid_request', { errors: [{ path, message }] });
    expect(await countOrganizations()).toBe(before);
  });
});

describe('a slug', () => {
  test.each(['ab', '42', 'a-b', '-a', '--', 'x'.repeat(48)])('can be %j', async (slug) => {
    expect((await post({ name: 'Acme', slug })).body.organization.slug).toBe(slug);
  });

  test.each([
    ['Größe & Söhne', 'groesse-and-soehne'],
    ['Рога и Копыта', 'roga-i-kopyta'],
    ['Ελλάδα', 'ellada'],
    ['Déjà Vu!', 'deja-vu'],
    ['The "North" Star, Ltd.', 'the-north-star-ltd'],
    ['under_score', 'under-score'],
    ['🎉 Party 🎉', 'party'],
    [`${'x'.repeat(47)} of the name`, 'x'.repeat(47)],
    ['y'.repeat(64), 'y'.repeat(48)],
  ])('is derived from the name %j: %s', async (name, slug) => {
    const { status, body } = await post({ name });
    expect([status, body.organization]).toEqual([201, expect.objectContaining({ name, slug })]);
  });

  test.each(['🎉🎉', '日本語', '---', 'A', '!!', '  é  '])(
    'is required if no slug can be derived from the name %j',
    async (name) => {
      const before = await countOrganizations();
      const answer = await post({ name });
      expectProblem(answer, 'invalid_request', {
        errors: [{ path: 'slug', message: 'cannot derive a slug from the name, so provide a slug' }],
      });
      expect(await countOrganizations()).toBe(before);
      expect((await post({ name, slug: newUsername('org') })).status).toBe(201);
    },
  );

  test('is unique, whether it is given, derived from a name or changed later', async () => {
    const [slug, other] = [newUsername('Twice Told').toLowerCase().replaceAll(' ', '-'), newUsername('org')];
    await post({ name: 'First', slug });
    const { organization } = (await post({ name: 'Second', slug: other })).body;
    const before = await countOrganizations();
    expectProblem(await post({ name: 'Third', slug }), 'slug_taken');
    expectProblem(await post({ name: slug.replaceAll('-', ' ') }), 'slug_taken');
    expectProblem(await patchOrganization(founder.browser, organization, { slug }), 'slug_taken');
    expectProblem(await post({ name: 'Third', slug }, await signUpAs(service, 'admin')), 'slug_taken');
    expect(await countOrganizations()).toBe(before);
    expect((await getOrganization(founder.browser, organization)).body.organization.slug).toBe(other);
  });

  test('can be used again after the organization changed its slug or was deleted', async () => {
    const slug = newUsername('org');
    const { organization } = (await post({ name: 'First', slug })).body;
    await patchOrganization(founder.browser, organization, { slug: `${slug}-later` });
    const second = (await post({ name: 'Second', slug })).body.organization;
    await founder.browser.delete(`${organizationsPath}/${second.id}`);
    expect((await post({ name: 'Third', slug })).status).toBe(201);
  });

  test('is given to only one of 20 new organizations that two processes create concurrently (10 rounds)', async () => {
    const otherInstance = await startSecondInstance(service);
    const browsers = [founder.browser, otherInstance.browser(founder.browser.cookies)];
    for (let round = 0; round < 10; round += 1) {
      const slug = newUsername('org');
      const answers = await together(
        times(10, browsers)
          .flat()
          .map((browser) => () => browser.post(organizationsPath, { name: 'Race', slug })),
      );
      expect(sortedStatuses(answers)).toEqual([201, ...times(19, 409)]);
      const rows = await service.database.sql`
        select memberships.role from latchkey.organizations
        join latchkey.memberships on memberships.organization_id = organizations.id where slug = ${slug}`;
      expect(rows).toEqual([{ role: 'admin' }]);
    }
    await otherInstance.close();
  });

  test('is given to only one of ten organizations that ask for it concurrently (10 rounds)', async () => {
    const organizations = await Promise.all(times(10, null).map(() => found(founder.browser)));
    for (let round = 0; round < 10; round += 1) {
      const slug = newUsername('org');
      const answers = await together(
        organizations.map((one) => () => patchOrganization(founder.browser, one, { slug })),
      );
      expect(sortedStatuses(answers)).toEqual([200, ...times(9, 409)]);
    }
  });
});
