import { readFileSync } from 'node:fs';
import { migrations } from '../src/db/migrate.ts';
import { auditEventsParts } from './audit-events-parts.ts';
import { defaultsParts } from './defaults-parts.ts';
import { elementsParts } from './elements-parts.ts';
import { evidenceBadge, evidenceLink } from './evidence-badge.ts';
import { evidenceParts } from './evidence-parts.ts';
import { llmsText } from './llms-text.ts';
import { table } from './markdown.ts';
import { capabilitiesParts } from './reference/capabilities-parts.ts';
import { ceremonyErrorsParts } from './reference/ceremony-errors-parts.ts';
import { endpointsParts } from './reference/endpoints-parts.ts';
import { errorsParts } from './reference/errors-parts.ts';
import { limitsParts } from './reference/limits-parts.ts';
import { clientParts, testKitParts } from './reference/members-parts.ts';
import { metricsParts } from './reference/metrics-parts.ts';
import { optionsParts } from './reference/options-parts.ts';
import { terminalParts } from './reference/terminal-parts.ts';
import { type StandardLine, statuses, totalsOf } from './standard-lines.ts';

/** The generated parts of each document, by name. */
export const generatedParts = async (): Promise<Record<string, Record<string, string>>> => ({
  'README.md': { evidence: evidenceLink() },
  'docs/evidence.md': evidenceParts(),
  'docs/reference/audit-events.md': auditEventsParts(),
  'docs/reference/capabilities.md': capabilitiesParts(),
  'docs/reference/ceremony-errors.md': ceremonyErrorsParts(),
  'docs/reference/client.md': clientParts(),
  'docs/reference/defaults.md': defaultsParts(),
  'docs/reference/endpoints.md': endpointsParts(),
  'docs/reference/errors.md': errorsParts(),
  'docs/reference/limits.md': limitsParts(),
  'docs/reference/metrics.md': await metricsParts(),
  'docs/reference/options.md': optionsParts(),
  'docs/reference/terminal.md': await terminalParts(),
  'docs/reference/test-kit.md': testKitParts(),
  'docs/guides/elements.md': elementsParts(),
  'docs/guides/upgrades.md': { compatibility: compatibilityTable() },
  'docs/security/asvs.md': {
    totals: totals('docs/security/asvs.md', 'Chapter', ({ number }) => `V${number.split('.')[0]}`),
  },
  'docs/security/nist-800-63b-4.md': {
    totals: totals('docs/security/nist-800-63b-4.md', 'Section', ({ number }) => `${number.split('.')[0]}`),
  },
});

/** The files that are completely generated. */
export const generatedFiles = (): Record<string, string> => ({
  'docs/evidence-badge.svg': evidenceBadge(),
  'llms.txt': llmsText(),
});

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
