import { Router } from '@koa/router';
import Koa from 'koa';
import { createAuthRouter, type GuardedState, requireSession } from 'latchkey';
import { createAuthClient } from 'latchkey/client';
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { type Person, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { serve } from '../support/serve.ts';
import type { TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import {
  admit,
  auditPath,
  found,
  invite,
  memberPath,
  organizationsPath,
  usersPath,
} from './support/authority.ts';
import { signUpWith, startFieldsService, typedAuthOn } from './support/own-fields.ts';

let service: TestService;
let auth: Awaited<ReturnType<typeof typedAuthOn>>;
let superadmin: Person;
let admin: Person;
let user: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startFieldsService();
  auth = await typedAuthOn(service);
  [superadmin, admin, user] = [
    await signUpWith(service),
    await signUpWith(service),
    await signUpWith(service),
  ];
  await setRole(service, superadmin, 'superadmin');
  await setRole(service, admin, 'admin');
  organization = await found(admin.browser);
  await admit(admin.browser, organization, user);
  await auth.asOperator('crm').users.update(user.username, {
    fields: { remark: 'secret-remark', creditLimit: 5_111_222_333, crmId: 'secret-crm-id' },
  });
});
afterAll(async () => {
  await auth.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service));

const of = (person: Person) => `${usersPath}/${userIdOf(person)}`;
const patchOwn = (fields: unknown, person = user) => person.browser.patch('/auth/account', { fields });
const updatesOf = async (person: Person) =>
  (await service.auditRows()).filter(
    ({ event, target_id: id }) => /\.update$/.test(event) && id === userIdOf(person),
  );

describe('a sign-up', () => {
  test('stores the output of the schemas of the fields that users can write', async () => {
    const { browser } = await signUpWith(service, { locale: '  de ', topics: ['ships'], seats: 3 });
    const { user } = (await browser.get('/auth/session')).body;
    expect(user.fields).toEqual({ locale: 'de', topics: ['ships'], seats: 3, plan: 'free' });
  });

  test.each([
    ['a required field is missing', {}, 'fields.locale', 'this property is required'],
    ['a required field is null', { locale: null }, 'fields.locale', 'this property is required'],
    ['a field is unknown', { locale: 'en', color: 'red' }, 'fields.color', 'this property is unknown'],
    [
      'only admins can write the field',
      { locale: 'en', plan: 'pro' },
      'fields.plan',
      'this property is unknown',
    ],
    ['only operators can write it', { locale: 'en', crmId: '1' }, 'fields.crmId', 'this property is unknown'],
    ['the value is invalid', { locale: 'en', seats: '3' }, 'fields.seats', 'expected a number of seats'],
    [
      'an asynchronous check fails',
      { locale: 'en', seats: 12 },
      'fields.seats',
      'expected fewer than 10 seats',
    ],
    [
      'the fields are too large together',
      { locale: 'en', topics: ['x'.repeat(2500), 'y'.repeat(2500)] },
      'fields',
      'expected at most 4096 bytes of JSON in all fields',
    ],
    ['the fields are no object', 'en', 'fields', 'expected an object'],
  ])('is refused if %s', async (_, fields, path, message) => {
    const { failed } = await signUpWith(service, fields);
    if (failed === null) throw new Error('the sign-up succeeded');
    expectProblem(failed, 'invalid_request', { errors: expect.arrayContaining([{ path, message }]) });
  });
});

describe('PATCH /account', () => {
  test('changes the given values, removes values for which null is given, and keeps all others', async () => {
    const person = await signUpWith(service, { locale: 'en', seats: 2 });
    const answer = await person.browser.patch('/auth/account', {
      displayName: 'Ada Lovelace',
      fields: { locale: 'fr', topics: ['engines'], seats: null },
    });
    const expected = {
      displayName: 'Ada Lovelace',
      fields: { plan: 'free', locale: 'fr', topics: ['engines'] },
    };
    expect([answer.status, answer.body.user]).toEqual([200, expect.objectContaining(expected)]);
    expect((await person.browser.get('/auth/session')).body.user).toMatchObject(expected);
    const removed = await person.browser.patch('/auth/account', { displayName: null });
    expect(removed.body.user.displayName).toBeNull();
  });

  test('records the names of the changed values, but not the values', async () => {
    const person = await signUpWith(service);
    await patchOwn({ topics: ['private-topic'], seats: 4 }, person);
    const [event, ...others] = await updatesOf(person);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      event: 'account.update',
      outcome: 'success',
      details: { changed: 'topics, seats' },
    });
    expect(JSON.stringify(await service.auditRows())).not.toContain('private-topic');
  });

  test('writes nothing and returns 200 if every value stays the same', async () => {
    const person = await signUpWith(service, { locale: 'en', topics: ['a', 'b'] });
    const before = await service.auditRows();
    for (const body of [{}, { fields: {} }, { fields: { locale: ' en', topics: ['a', 'b'], seats: null } }]) {
      const { status, body: answered } = await person.browser.patch('/auth/account', body);
      expect([status, answered.user.fields.locale]).toEqual([200, 'en']);
    }
    expect(await service.auditRows()).toEqual(before);
  });

  test.each([
    ['plan', 'pro', 'this property is unknown'],
    ['remark', 'mine', 'this property is unknown'],
    ['creditLimit', 1, 'this property is unknown'],
    ['crmId', '1', 'this property is unknown'],
    ['locale', null, 'this property is required'],
    ['locale', 'english', 'Invalid length: Expected 2 but received 7'],
  ])('refuses the field %s with the value %j', async (name, value, message) => {
    const answer = await patchOwn({ [name]: value });
    expectProblem(
      answer,
      'invalid_request',
      message ? { errors: [{ path: `fields.${name}`, message }] } : {},
    );
    expect(await updatesOf(user)).toHaveLength(1);
  });

  test('refuses fields that are too large together with the stored fields', async () => {
    const person = await signUpWith(service, { locale: 'en', topics: ['x'.repeat(2900)] });
    await auth.asOperator('crm').users.update(person.username, { fields: { remark: 'y'.repeat(1000) } });
    const answer = await patchOwn({ topics: ['x'.repeat(2900), 'z'.repeat(200)] }, person);
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'fields', message: 'expected at most 4096 bytes of JSON in all fields' }],
    });
  });

  test('is refused without a session', async () => {
    expectProblem(await service.browser().patch('/auth/account', { displayName: 'X' }), 'not_authenticated');
  });

  test('keeps both changes of two concurrent requests', async () => {
    const person = await signUpWith(service);
    for (let round = 0; round < 5; round += 1) {
      const topics = [`round ${round}`];
      const answers = await Promise.all([patchOwn({ topics }, person), patchOwn({ seats: round }, person)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const { fields } = (await person.browser.get('/auth/session')).body.user;
      expect(fields).toMatchObject({ topics, seats: round });
    }
  });
});

describe('PATCH /admin/users/:id', () => {
  test('lets admins write the fields for admins, for the users that they manage', async () => {
    const person = await signUpWith(service);
    expectProblem(await admin.browser.patch(of(person), { fields: { plan: 'pro' } }), 'not_found');
    await admit(admin.browser, organization, person);
    const answer = await admin.browser.patch(of(person), { fields: { plan: 'pro', remark: 'pays late' } });
    expect(answer.body.user.fields).toEqual({ locale: 'en', plan: 'pro', remark: 'pays late' });
    const own = (await person.browser.get('/auth/session')).body.user.fields;
    expect(own).toEqual({ locale: 'en', plan: 'pro' });
    const [event] = await updatesOf(person);
    expect(event).toMatchObject({ event: 'user.update', actor_name: admin.username });
  });

  test.each(['creditLimit', 'crmId', 'unknown'])(
    'refuses the field %s to an admin as unknown',
    async (name) => {
      expectProblem(await admin.browser.patch(of(user), { fields: { [name]: 1 } }), 'invalid_request', {
        errors: [{ path: `fields.${name}`, message: 'this property is unknown' }],
      });
    },
  );

  test('refuses a superadmin who changes their own account or a field for operators', async () => {
    expectProblem(await superadmin.browser.patch(of(superadmin), { fields: { plan: 'pro' } }), 'forbidden');
    expectProblem(await superadmin.browser.patch(of(user), { fields: { crmId: '1' } }), 'invalid_request', {
      errors: [{ path: 'fields.crmId', message: 'this property is unknown' }],
    });
    const answer = await superadmin.browser.patch(of(user), { fields: { creditLimit: 6_111_222_333 } });
    expect(answer.body.user.fields.creditLimit).toBe(6_111_222_333);
  });
});

describe('a field', () => {
  const secrets = /secret-remark|secret-crm-id|5111222333|6111222333/;

  test.each([
    ['an admin', () => admin, { locale: 'en', plan: 'free', remark: 'secret-remark' }],
    [
      'a superadmin',
      () => superadmin,
      { locale: 'en', plan: 'free', remark: 'secret-remark', creditLimit: 6_111_222_333 },
    ],
  ])('is shown to %s in GET /admin/users/:id only if they can read it', async (_, reader, expected) => {
    expect((await reader().browser.get(of(user))).body.user.fields).toEqual(expected);
  });

  test('that the user cannot read is in no response to the user', async () => {
    const { browser } = user;
    const answers = [
      await browser.get('/auth/session'),
      await browser.get('/auth/sessions'),
      await browser.patch('/auth/account', { displayName: 'Plain' }),
      await browser.get(`${organizationsPath}/${organization.id}/members`),
      await browser.post('/auth/password/add', { password: 'correct horse battery' }),
      await browser.post('/auth/admin/invitations/accept', { token: await invite(superadmin.browser) }),
    ];
    await setRole(service, user, 'user');
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200]);
    expect(JSON.stringify(answers)).not.toMatch(secrets);
  });

  test('is in no list of users, no list of members and no audit event', async () => {
    const { browser } = superadmin;
    const answers = [
      await browser.get(usersPath),
      await browser.get(`${organizationsPath}/${organization.id}/members`),
      await browser.get(`${auditPath}?limit=200`),
      await browser.get(`${auditPath}/export`),
      await browser.patch(memberPath(organization, user), { role: 'user' }),
      await browser.post(`${of(user)}/enable`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(JSON.stringify(answers)).not.toMatch(secrets);
  });

  test('of a deleted account is deleted', async () => {
    const person = await signUpWith(service, { locale: 'en', topics: ['gone'] });
    await auth.asOperator('ops').users.delete(person.username);
    const [row] = await service.database
      .sql`select fields from latchkey.users where id = ${userIdOf(person)}`;
    expect(row?.fields).toEqual({});
  });
});

describe('the application', () => {
  test('reads all fields from a session, but JSON contains only those for the user', async () => {
    const read = await auth.sessionOf(cookieHeader(user.browser));
    expect(read?.user.fields).toEqual({
      locale: 'en',
      plan: 'free',
      remark: 'secret-remark',
      creditLimit: 6_111_222_333,
      crmId: 'secret-crm-id',
    });
    expect(JSON.parse(JSON.stringify(read)).user.fields).toEqual({ locale: 'en', plan: 'free' });
  });

  test('cannot change the fields of other requests', async () => {
    const read = await auth.sessionOf(cookieHeader(user.browser));
    expect(() => Object.assign(read?.user.fields ?? {}, { plan: 'pro' })).toThrow(TypeError);
  });

  test('sees a changed field in the next request, although sessions are cached', async () => {
    const person = await signUpWith(service);
    const planOf = async () => (await auth.sessionOf(cookieHeader(person.browser)))?.user.fields.plan;
    expect(await planOf()).toBe('free');
    await auth.asOperator('billing').users.update(person.username, { fields: { plan: 'pro' } });
    expect(await planOf()).toBe('pro');
    expect((await auth.asOperator('billing').users.get(person.username)).user.fields.plan).toBe('pro');
  });

  test('gets frozen values, because requests share them through the session cache', async () => {
    const person = await signUpWith(service, { locale: 'en', topics: ['news'] });
    const read = await auth.sessionOf(cookieHeader(person.browser));
    const topics = read?.user.fields.topics as string[];
    expect(() => topics.push('jobs')).toThrow(TypeError);
    expect(topics).toEqual(['news']);
  });

  test('reads the fields with their types behind the guards', async () => {
    const router = new Router<GuardedState<typeof auth>>();
    router.get('/plan', requireSession(auth), (ctx) => {
      expectTypeOf(ctx.state.auth.user.fields.plan).toEqualTypeOf<'free' | 'pro'>();
      ctx.body = { plan: ctx.state.auth.user.fields.plan, user: ctx.state.auth.user };
    });
    const app = new Koa();
    app.use(createAuthRouter(auth).routes()).use(router.routes());
    const served = await serve(app);
    const answer = await fetch(`${served.url}/plan`, { headers: cookieHeader(user.browser) });
    const { plan, user: shown } = (await answer.json()) as { plan: string; user: { fields: object } };
    expect(plan).toBe('free');
    expect(shown.fields).toEqual({ locale: 'en', plan: 'free' });
    await served.close();
  });

  test('gets the types of the fields in the service, the operator actions and the client', () => {
    type Read = NonNullable<Awaited<ReturnType<typeof auth.sessionOf>>>;
    expectTypeOf<Read['user']['fields']['plan']>().toEqualTypeOf<'free' | 'pro'>();
    expectTypeOf<Read['user']['fields']['creditLimit']>().toEqualTypeOf<number | undefined>();
    const client = createAuthClient<typeof auth>();
    type Own = NonNullable<Awaited<ReturnType<typeof client.session>>>['user']['fields'];
    expectTypeOf<Own['plan']>().toEqualTypeOf<'free' | 'pro'>();
    expectTypeOf<keyof Own>().toEqualTypeOf<'plan' | 'locale' | 'topics' | 'seats'>();
    const calls = () => [
      client.signUp({ username: 'ada', fields: { locale: 'en' } }),
      // @ts-expect-error: the field `locale` is required
      client.signUp({ username: 'ada' }),
      // @ts-expect-error: users cannot write the plan
      client.updateAccount({ fields: { plan: 'pro' } }),
      client.users.update('id', { fields: { plan: 'pro' } }),
      // @ts-expect-error: no such plan
      auth.asOperator('x').users.update('ada', { fields: { plan: 'gold' } }),
      // @ts-expect-error: no such field
      auth.asOperator('x').users.update('ada', { fields: { color: 'red' } }),
    ];
    expectTypeOf(calls).toBeFunction();
  });
});

describe('the OpenAPI document', () => {
  test('contains the fields that users can read or write, and no others', async () => {
    const { body } = await service.browser().get('/auth/openapi.json');
    const { schemas } = body.components;
    expect(Object.keys(schemas.Account.properties.fields.properties)).toEqual([
      'plan',
      'locale',
      'topics',
      'seats',
    ]);
    const start =
      body.paths['/auth/passkey/register/start'].post.requestBody.content['application/json'].schema;
    expect(start.properties.fields).toMatchObject({ required: ['locale'], additionalProperties: false });
    expect(Object.keys(start.properties.fields.properties)).toEqual(['locale', 'topics', 'seats']);
    expect(JSON.stringify(body)).not.toMatch(/remark|creditLimit|crmId|ownFields/);
  });
});
