import { readFileSync } from 'node:fs';
import { migrations } from '../src/db/migrate.ts';
import { auditEventsParts } from './audit-events-parts.ts';
import { defaultsParts } from './defaults-parts.ts';
import { elementsParts } from './elements-parts.ts';
import { evidenceBadge, evidenceLink } from './evidence-badge.ts';
import { evidenceParts } from './evidence-parts.ts';
import { table } from './markdown.ts';
import { readmeParts } from './readme-parts.ts';
import { type StandardLine, statuses, totalsOf } from './standard-lines.ts';

/** The generated parts of each document, by name. */
export const generatedParts = (): Record<string, Record<string, string>> => ({
  'README.md': { ...readmeParts(), evidence: evidenceLink() },
  'docs/audit-events.md': auditEventsParts(),
  'docs/defaults.md': defaultsParts(),
  'docs/elements.md': elementsParts(),
  'docs/evidence.md': evidenceParts(),
  'docs/operations/upgrades.md': { compatibility: compatibilityTable() },
  'docs/standards/asvs.md': {
    totals: totals('docs/standards/asvs.md', 'Chapter', ({ number }) => `V${number.split('.')[0]}`),
  },
  'docs/standards/nist-800-63b-4.md': {
    totals: totals('docs/standards/nist-800-63b-4.md', 'Section', ({ number }) => `${number.split('.')[0]}`),
  },
});

/** The files that are generated completely, by path. */
export const generatedFiles = (): Record<string, string> => ({ 'docs/evidence-badge.svg': evidenceBadge() });

const totals = (path: string, head: string, groupOf: (line: StandardLine) => string): string =>
  table([head, ...statuses], totalsOf(readFileSync(path, 'utf8'), groupOf));

/** Leaves out the migrations before version 19, which do not state their compatibility. */
const compatibilityTable = (): string =>
  table(
    ['Schema version', 'Migration', 'Compatible with versions of Latchkey that know schema version'],
    migrations.flatMap(({ version, name, compatibleWith }) =>
      compatibleWith === undefined ? [] : [[`${version}`, name, `${compatibleWith} or later`]],
    ),
  );
