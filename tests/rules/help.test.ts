import { expect, test } from 'vitest';
import { noRow } from '../../src/db/sql.ts';
import { selectStillHelpable } from '../../src/organizations/operations/help.ts';

const helper = { id: '00000000-0000-4000-8000-000000000000', role: 'admin', status: 'active' } as const;

test('the check in the statement fails for a helper without the capability', () => {
  expect(selectStillHelpable({ helper, reach: null }, helper.id)).toBe(noRow);
  expect(selectStillHelpable({ helper, reach: 'any' }, helper.id)).not.toBe(noRow);
});
