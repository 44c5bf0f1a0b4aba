import type { CappedCount } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { Chip, Chips, RemovableChip } from '../ui/chip.tsx';
import { OrganizationFilter } from './organization-filter.tsx';
import type { ChipCounts } from './use-user-counts.ts';
import type { UsersNavigation } from './use-users-query.ts';
import { hasChips, inactiveDays, withoutChips } from './users-query.ts';

interface UserChipsProps extends UsersNavigation {
  counts: ChipCounts;
  /** Whether the signed-in user can filter by sign-ins and passkeys. */
  seesSignIns: boolean;
}

const roles = ['user', 'admin', 'superadmin'] as const;

/** The filters of the list of users. Filters of different kinds can be on at the same time. */
export function UserChips({ query, change, counts, seesSignIns }: UserChipsProps) {
  const { role, status, hasPasskey, isInactive, organization } = query;
  return (
    <Chips label={t('users.filters')}>
      <Chip isOn={!hasChips(query)} count={textOf(counts.all)} onToggle={() => change(withoutChips)}>
        {t('users.allChip')}
      </Chip>
      {roles.map((each) => (
        <Chip
          key={each}
          isOn={role === each}
          count={textOf(counts.role?.[each])}
          onToggle={() => change({ role: role === each ? null : each })}
        >
          {t('users.roleChip', { role: each })}
        </Chip>
      ))}
      {seesSignIns && (
        <Chip
          isOn={hasPasskey === false}
          count={textOf(counts.withoutPasskey)}
          onToggle={() => change({ hasPasskey: hasPasskey === false ? null : false })}
        >
          {t('users.noPasskeyChip')}
        </Chip>
      )}
      {seesSignIns && (
        <Chip
          isOn={isInactive}
          count={textOf(counts.inactive)}
          onToggle={() => change({ isInactive: !isInactive })}
        >
          {t('users.inactiveChip', { days: inactiveDays })}
        </Chip>
      )}
      <Chip
        isOn={status === 'disabled'}
        count={textOf(counts.status?.disabled)}
        onToggle={() => change({ status: status === 'disabled' ? null : 'disabled' })}
      >
        {t('users.disabledChip')}
      </Chip>
      <OrganizationFilter
        value={organization}
        seesAll={seesSignIns}
        onValue={(chosen) => change({ organization: chosen })}
      />
      {/* Links from other pages set these filters. No chip adds them. */}
      {status === 'active' && (
        <RemovableChip onRemove={() => change({ status: null })}>{t('users.activeChip')}</RemovableChip>
      )}
      {hasPasskey === true && (
        <RemovableChip onRemove={() => change({ hasPasskey: null })}>
          {t('users.withPasskeyChip')}
        </RemovableChip>
      )}
    </Chips>
  );
}

/** "148", or "10,000+" if there are more. */
export const textOf = (counted: CappedCount | undefined): string | undefined =>
  counted && t(counted.exact ? 'users.count' : 'users.countOrMore', { count: counted.count });
