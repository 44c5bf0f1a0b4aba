import { createAuthService, type UserField } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { schemaBy } from '../features/support/own-fields.ts';
import { secret } from '../support/test-service.ts';

const field = { schema: v.string(), read: 'user', write: 'user' } as const;

const createWith = async (userFields: unknown, log = { info() {}, warn() {}, error() {} }) =>
  createAuthService({
    database: createInMemoryDatabase(),
    migrate: true,
    secret,
    env: {},
    rateLimit: false,
    log,
    userFields: userFields as Record<string, UserField>,
  });

describe('an invalid definition of own fields stops the start:', () => {
  test.each<[what: string, userFields: unknown, message: string]>([
    ['a list', [field], 'userFields: expected an object'],
    [
      '33 fields',
      Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`f${n}`, field])),
      'at most 32 fields',
    ],
    ['an invalid name', { 'first name': field }, 'userFields.first name: expected a name'],
    ['the name toJSON', { toJSON: field }, 'userFields.toJSON: expected a name'],
    [
      'no definition',
      { plan: undefined },
      'userFields.plan: expected { schema, read, write }, not undefined',
    ],
    [
      'an unknown part',
      { plan: { ...field, reads: 'user' } },
      'userFields.plan.reads: expected one of schema',
    ],
    [
      'no schema',
      { plan: { ...field, schema: undefined } },
      'userFields.plan.schema: expected a Standard Schema',
    ],
    [
      'a missing reader',
      { plan: { ...field, read: undefined } },
      'userFields.plan.read: expected one of user',
    ],
    [
      'an unknown writer',
      { plan: { ...field, write: 'owner' } },
      "userFields.plan.write: expected one of user, admin, superadmin, operator, not 'owner'",
    ],
    [
      'a writer who cannot read',
      { plan: { ...field, read: 'admin' } },
      'userFields.plan.write: expected admin or a higher role',
    ],
    [
      'a required field for admins',
      { plan: { ...field, write: 'admin', required: true } },
      "userFields.plan.required: expected write: 'user'",
    ],
    [
      'a required word',
      { plan: { ...field, required: 'yes' } },
      'userFields.plan.required: expected true or false',
    ],
    [
      'a JSON Schema as text',
      { plan: { ...field, jsonSchema: '{}' } },
      'userFields.plan.jsonSchema: expected a JSON Schema object',
    ],
    [
      'a default that is no JSON',
      { plan: { ...field, schema: v.optional(v.date(), () => new Date()) } },
      'userFields.plan.schema: the default contains Date; expected JSON',
    ],
  ])('%s', async (_, userFields, message) => {
    const made = createWith(userFields);
    await expect(made).rejects.toThrow(TypeError);
    await expect(made).rejects.toThrow(message);
  });
});

describe('an output that is not JSON is an error of the application:', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  test.each<[what: string, output: unknown, message: string]>([
    ['undefined', undefined, 'contains undefined'],
    ['undefined in an object', { a: undefined }, 'contains undefined'],
    ['null', null, 'is null'],
    ['NaN', Number.NaN, 'contains NaN'],
    ['infinity', [Number.POSITIVE_INFINITY], 'contains Infinity'],
    ['a Date', new Date(0), 'contains Date'],
    ['a Map', new Map(), 'contains Map'],
    ['a function', () => 1, 'contains function'],
    ['a bigint', 1n, 'contains bigint'],
    ['a cycle', cyclic, 'has more than 16 nested levels'],
    ['a NUL character', 'a\0b', 'contains text with a NUL character'],
    ['a lone surrogate', '\ud800', 'contains text with a NUL character or a lone surrogate'],
  ])('%s', async (_, output, message) => {
    const value = schemaBy((given) => ({ value: given === undefined ? 'default' : output }));
    const auth = await createWith({ plan: { ...field, schema: value } });
    await auth.asOperator('ops').bootstrap({ username: 'rosa.l' });
    const update = auth.asOperator('ops').users.update('rosa.l', { fields: { plan: 'x' } as never });
    await expect(update).rejects.toThrow(TypeError);
    await expect(update).rejects.toThrow(`userFields.plan.schema: the output ${message}`);
    await auth.close();
  });

  test('a schema that throws is named in the error, with the cause', async () => {
    const cause = new Error('no such table');
    const schema = schemaBy((given) => {
      if (given !== undefined) throw cause;
      return { issues: [] };
    });
    const auth = await createWith({ plan: { ...field, schema } });
    await auth.asOperator('ops').bootstrap({ username: 'rosa.l' });
    const update = auth.asOperator('ops').users.update('rosa.l', { fields: { plan: 'x' } as never });
    await expect(update).rejects.toMatchObject({
      message: 'userFields.plan.schema threw an error instead of returning issues',
      cause,
    });
    await auth.close();
  });
});

test('own fields work with the in-memory database', async () => {
  const auth = await createWith({ plan: { ...field, schema: v.picklist(['free', 'pro']) } });
  const { users } = auth.asOperator('ops');
  await auth.asOperator('ops').bootstrap({ username: 'rosa.l' });
  expect(await users.update('rosa.l', { fields: { plan: 'pro' } as never })).toMatchObject({
    fields: { plan: 'pro' },
  });
  await users.rename('rosa.l', 'rosa.m');
  expect((await users.get('rosa.m')).user).toMatchObject({ username: 'rosa.m', fields: { plan: 'pro' } });
  expect(await auth.users.checkAvailability('rosa.l')).toMatchObject({ reason: 'taken' });
  await auth.close();
});
