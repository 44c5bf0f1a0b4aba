import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { schemaBy } from '../features/support/own-fields.ts';
import { createWith, field } from './support/own-fields-service.ts';

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
});

test('the error of a schema that throws names the schema and has the cause', async () => {
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
