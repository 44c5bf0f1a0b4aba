import type { StatementSummary } from '../core/telemetry.ts';

const tables = /\b(insert into|update|delete from|from|join) latchkey\.([a-z_]+)/g;
const verbs: Record<string, string> = { 'insert into': 'insert', update: 'update', 'delete from': 'delete' };

/** The limit of OpenTelemetry for `db.query.summary`. */
const longestSummary = 255;
/** The service has fewer statements. Only an application can add more, with `signUp.after`. */
const mostTexts = 1000;
const summaries = new Map<string, StatementSummary>();

/**
 * Summarizes a statement for telemetry: first the changes in their order, then the tables that the statement reads. The
 * summary contains only names of the service's tables, so it has no values and few variants.
 *
 * @example summaryOf('delete from latchkey.sessions where id = $1').summary === 'delete sessions'
 */
export function summaryOf(text: string): StatementSummary {
  const known = summaries.get(text);
  if (known) return known;
  const summary = summarize(text);
  if (summaries.size < mostTexts) summaries.set(text, summary);
  return summary;
}

function summarize(text: string): StatementSummary {
  const changes = new Set<string>();
  const reads = new Set<string>();
  for (const [, action = '', table = ''] of text.matchAll(tables)) {
    const verb = verbs[action];
    if (verb) changes.add(`${verb} ${table}`);
    else reads.add(table);
  }
  const read = reads.size > 0 || changes.size === 0 ? ['select', ...reads] : [];
  const words = [...changes, ...read].join(' ');
  const [operation = 'select'] = words.split(' ');
  return { operation, summary: shortened(words) };
}

/** Removes whole words from the end. */
const shortened = (words: string): string =>
  words.length <= longestSummary ? words : words.slice(0, words.lastIndexOf(' ', longestSummary));
