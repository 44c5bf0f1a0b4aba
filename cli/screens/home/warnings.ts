import type { Overview, SchemaState, SuperadminSummary } from 'latchkey';
import { isActive, openingOf } from '../../opening.ts';

const namesOf = (people: SuperadminSummary[]) => {
  const names = people.map(({ username }) => username);
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
};
const superadmins = (count: number) => `${count} ${count === 1 ? 'superadmin' : 'superadmins'}`;

/** What may lock somebody out, the worst first. */
export function warningsOf(overview: Overview, schema: SchemaState): string[] {
  const warnings = schemaWarnings(schema);
  const opening = openingOf(overview);
  if (opening === 'open') return [...warnings, 'There is no superadmin yet: make the first one.'];
  if (opening === 'unfinished')
    return [
      ...warnings,
      `${namesOf(overview.superadmins)} has no way in yet: bootstrap again for a new link.`,
    ];
  if (opening === 'again') return [...warnings, 'No active superadmin is left: make a new one.'];
  const active = overview.superadmins.filter(isActive);
  const single = active.filter(({ passkeyCount }) => passkeyCount === 1);
  const none = active.filter(({ passkeyCount }) => passkeyCount === 0);
  const codeless = active.filter(({ recoveryCodesRemaining }) => recoveryCodesRemaining === 0);
  if (active.length === 1)
    warnings.push(`Only 1 superadmin: nobody else could help ${namesOf(active)} back in.`);
  if (none.length > 0) warnings.push(`${superadmins(none.length)} without a passkey: ${namesOf(none)}`);
  if (single.length > 0)
    warnings.push(`${superadmins(single.length)} with a single passkey: ${namesOf(single)}`);
  if (codeless.length > 0)
    warnings.push(`${superadmins(codeless.length)} without recovery codes: ${namesOf(codeless)}`);
  return warnings;
}

function schemaWarnings({ pending, problem }: SchemaState): string[] {
  if (problem === 'newer') return ['The schema is of a newer Latchkey: update this one.'];
  if (problem === 'edited')
    return ['A migration was edited after it ran: the schema may not be what it says.'];
  return pending.length > 0 ? ['Migrations are waiting: latchkey migrate'] : [];
}
