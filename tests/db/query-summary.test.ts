import { describe, expect, test } from 'vitest';
import { summaryOf } from '../../src/db/query-summary.ts';

describe('the summary of a statement', () => {
  test('contains the changes in their order, then the tables that the statement reads', () => {
    const text = `
      with used as (update latchkey.passkeys set counter = $1 returning id),
        entry as (insert into latchkey.audit_events (id) select $2 from used)
      select users.id from latchkey.users join latchkey.passkeys on true`;
    expect(summaryOf(text)).toEqual({
      operation: 'update',
      summary: 'update passkeys insert audit_events select users passkeys',
    });
  });

  test.each([
    ['select $1::text', 'select', 'select'],
    ['select latchkey.require_primary()', 'select', 'select'],
    ['delete from latchkey.sessions where id = $1', 'delete', 'delete sessions'],
  ])('of `%s` is `%s`: `%s`', (text, operation, summary) => {
    expect(summaryOf(text)).toEqual({ operation, summary });
  });

  test('contains no text of an application except names of the service’s tables', () => {
    const text = `insert into profiles (name) select 'Ada' from latchkey.users`;
    expect(summaryOf(text)).toEqual({ operation: 'select', summary: 'select users' });
  });

  test('has at most 255 characters, and ends with a complete word', () => {
    const tables = Array.from({ length: 60 }, (_, index) => `table_${'x'.repeat(index)}`);
    const { summary } = summaryOf(`select from ${tables.map((table) => `latchkey.${table}`).join(' join ')}`);
    expect(summary.length).toBeLessThanOrEqual(255);
    expect(['select', ...tables]).toEqual(expect.arrayContaining(summary.split(' ')));
  });

  test('is also correct for more texts than the service keeps', () => {
    for (let index = 0; index < 1100; index += 1)
      expect(summaryOf(`select ${index} from latchkey.users`).summary).toBe('select users');
  });
});
