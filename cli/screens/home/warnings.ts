import type { Overview, SchemaState, SuperadminSummary } from 'latchkey';
import { bootstrapReasonOf, isActive } from '../../bootstrap-reason.ts';
import { count } from '../../words/count.ts';

const namesOf = (superadmins: SuperadminSummary[]) => {
  const names = superadmins.map(({ username }) => username);
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
};
const counted = (superadmins: SuperadminSummary[]) => count(superadmins.length, 'superadmin');

/** Warnings about superadmins and the schema, most severe first. */
export function warningsOf(overview: Overview, schema: SchemaState): string[] {
  const warnings = schemaWarnings(schema);
  const reason = bootstrapReasonOf(overview);
  if (reason === 'open') return [...warnings, 'No superadmin exists. Press b to create the first one.'];
  if (reason === 'unfinished')
    return [
      ...warnings,
      `${overview.unfinishedSuperadmin} has no passkey yet. Press b to create a new link.`,
    ];
  if (reason === 'again') return [...warnings, 'No superadmin is active. Press b to create a new one.'];
  const active = overview.superadmins.filter(isActive);
  const single = active.filter(({ passkeyCount }) => passkeyCount === 1);
  const none = active.filter(({ passkeyCount }) => passkeyCount === 0);
  const codeless = active.filter(({ recoveryCodesRemaining }) => recoveryCodesRemaining === 0);
  if (active.length === 1)
    warnings.push(`${namesOf(active)} is the only active superadmin. Make another user a superadmin.`);
  if (none.length > 0)
    warnings.push(`${counted(none)} without a passkey: ${namesOf(none)}. Add passkeys on the Security page.`);
  if (single.length > 0) warnings.push(`${counted(single)} with only one passkey: ${namesOf(single)}`);
  if (codeless.length > 0) warnings.push(`${counted(codeless)} without recovery codes: ${namesOf(codeless)}`);
  return warnings;
}

function schemaWarnings({ pending, problem }: SchemaState): string[] {
  if (problem === 'newer')
    return [
      'A newer version of Latchkey migrated this database, and this version is not compatible. Upgrade Latchkey.',
    ];
  if (problem === 'edited')
    return ['An applied migration differs from the migration in this package. Reinstall Latchkey.'];
  return pending.length > 0 ? ['Migrations are pending. Run `latchkey migrate`.'] : [];
}
