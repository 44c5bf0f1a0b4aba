import { expect, test } from 'vitest';
import { deadLinksIn } from '../../scripts/dead-links.ts';
import { evidenceBadge, evidenceLink } from '../../scripts/evidence-badge.ts';
import { evidenceParts } from '../../scripts/evidence-parts.ts';
import type { FuzzCampaign, InterleavingMutants, Interleavings } from '../../scripts/evidence-results.ts';
import { exists, missing, readDocument, testsNamedIn } from '../package/support/named-tests.ts';

const text = readDocument('docs/evidence.md');

const interleavings: Interleavings = {
  campaign: 'interleavings',
  command: 'npm run interleavings -- --seed 7',
  at: '2026-01-02T03:04:05.000Z',
  seconds: 60,
  operations: 61,
  planned: { pairs: 1891, faults: 61, caches: 61, bootstraps: 62, chains: 6, triples: 0 },
  tried: { pairs: 1890, faults: 61, caches: 60, bootstraps: 62, chains: 5, triples: 0 },
  schedules: 13_725,
  overlapped: 12,
  faults: 56,
  acceptedByReason: { 'a stale name in a 200': 3, 'two events for one change': 4 },
  unexplained: [{ kind: 'status' }],
};

const planted: InterleavingMutants = {
  ...interleavings,
  planned: 44,
  tried: 30,
  caught: 27,
  equivalent: 2,
};

/** The cells of the row of a table. */
const rowOf = (table = '', start: string): string[] =>
  (table.split('\n').find((line) => line.startsWith(`| ${start}`)) ?? '')
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');

test.each(testsNamedIn(text))('docs/evidence.md names the test $file: “$title”, which exists', (named) => {
  expect(missing(named)).toBeNull();
});

test('docs/evidence.md links only to files and headings that exist, and names only files that exist', () => {
  expect(deadLinksIn('docs/evidence.md')).toEqual([]);
  const named = [...text.matchAll(/`(tests\/[\w/.-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

test('docs/evidence.md names only commands that exist', () => {
  const { scripts } = JSON.parse(readDocument('package.json'));
  const parts = Object.values(evidenceParts(() => null)).join('\n');
  const commands = [...`${text}${parts}`.matchAll(/npm run ([\w-]+)(?: -- ([a-z][\w-]*))?/g)];
  expect(commands.filter(([, name = '']) => !(name in scripts))).toEqual([]);
  const campaigns = commands.flatMap(([, name, campaign]) => (name === 'campaign' ? [campaign] : []));
  expect(campaigns.filter((campaign) => !exists(`tests/campaigns/${campaign}/main.ts`))).toEqual([]);
});

test('a campaign without results is shown as not run', () => {
  const { campaigns, ...others } = evidenceParts(() => null);
  const rows = campaigns?.split('\n').slice(2) ?? [];
  expect(rows.map((row) => row.split('|')[2]?.trim())).toEqual(rows.map(() => 'not run'));
  for (const name of ['accepted-deviations', 'fuzzing', 'failover', 'histories'])
    expect(others[name]).toContain('has not run');
  expect(evidenceBadge(null)).toContain('>not run<');
});

test('the row of the interleavings shows what was tried, and what deviated', () => {
  const { campaigns, 'accepted-deviations': accepted } = evidenceParts(
    <Results>(name: string) =>
      (({ interleavings, 'interleavings-mutants': planted })[name] as Results | undefined) ?? null,
  );
  expect(rowOf(campaigns, 'Every order')).toEqual([
    'Every order of the statements of two requests',
    '61 operations, 1,890 of 1,891 pairs, 5 of 6 chains of two operations with a third one, 62 pairs with a bootstrap, 60 of 61 operations with a second instance, 13,725 schedules, of which 12 with overlapping statements, 56 with a failed write',
    '1 unexplained deviations, 7 accepted deviations',
    '2026-01-02',
    '`npm run interleavings -- --seed 7`',
  ]);
  expect(rowOf(campaigns, 'Defects planted').slice(1, 3)).toEqual([
    '30 of 44 defects',
    '27 noticed, 2 without effect, 1 missed',
  ]);
  expect(rowOf(accepted, 'two events')).toEqual(['two events for one change', '4']);
});

test('the row of a fuzz target shows the totals of its runs', () => {
  const target = { target: 'json', runs: [{}, {}], seconds: 5400, executions: 1234567, findings: 0 };
  const fuzz: FuzzCampaign = {
    ...interleavings,
    executions: 1234567,
    findings: 0,
    targets: [{ ...target, coverage: { functions: 57 } }],
  };
  const { fuzzing } = evidenceParts(
    <Results>(name: string) => (name === 'fuzz' ? fuzz : null) as Results | null,
  );
  expect(rowOf(fuzzing, '`json`')).toEqual(['`json`', '2', '1.5 h', '1,234,567', '57', '0']);
});

test('the badge shows the number of schedules', () => {
  expect(evidenceBadge(interleavings)).toContain('aria-label="schedules tried: 13,725"');
  expect(evidenceLink(interleavings)).toContain('![schedules tried: 13,725](docs/evidence-badge.svg)');
});
