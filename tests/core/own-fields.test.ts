import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createWith, field } from './support/own-fields-service.ts';

describe('the service does not start if the definition of own fields contains', () => {
  test.each<[what: string, userFields: unknown, message: string]>([
    ['fields as a list', [field], 'userFields: expected an object'],
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
      'text as the value of `required`',
      { plan: { ...field, required: 'yes' } },
      'userFields.plan.required: expected true or false',
    ],
    [
      'a JSON Schema as text',
      { plan: { ...field, jsonSchema: '{}' } },
      'userFields.plan.jsonSchema: expected a JSON Schema object',
    ],
    [
      'a default that is not JSON',
      { plan: { ...field, schema: v.optional(v.date(), () => new Date()) } },
      'userFields.plan.schema: the default contains Date; expected JSON',
    ],
  ])('%s', async (_, userFields, message) => {
    const made = createWith(userFields);
    await expect(made).rejects.toThrow(TypeError);
    await expect(made).rejects.toThrow(message);
  });
});
