import type { Organization } from 'latchkey/client';
import { Ban, Building2, CircleCheck } from 'lucide-static';
import { t } from '../messages/t.tsx';
import { impersonation } from '../site-settings.ts';
import { Button } from '../ui/button.tsx';
import { Chip, Chips } from '../ui/chip.tsx';
import { DayFilter, Filters } from '../ui/filters.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { type Choice, isNarrowed } from './choice.ts';
import { iconOf } from './event-icon.ts';
import { FilterMenu, focusFilter } from './filter-menu.tsx';
import { kinds, presets } from './kinds.ts';
import type { Period } from './period.ts';
import { PersonFilter } from './person-filter.tsx';

interface ActivityFiltersProps {
  choice: Choice;
  choose: (change: Partial<Choice>, options?: { replace?: boolean }) => void;
  clear: () => void;
  organizations: Organization[];
}

export const ActivityFilters = (props: ActivityFiltersProps) => (
  <div class="activity-filters">
    <Presets {...props} />
    <Times {...props} />
    <ValueFilters {...props} />
  </div>
);

const Presets = ({ choice, choose }: ActivityFiltersProps) => (
  <Chips label={t('activity.presets')}>
    {presets.map(({ name, kind, outcome }) => {
      const isOn = choice.kind === kind && choice.outcome === outcome;
      return (
        <Chip
          key={name}
          isOn={isOn}
          onToggle={() => choose(isOn ? { kind: '', outcome: '' } : { kind, outcome })}
        >
          {t(name)}
        </Chip>
      );
    })}
  </Chips>
);

function Times({ choice, choose }: ActivityFiltersProps) {
  const options: [Period, string][] = [
    ['', t('activity.periodAll')],
    ['today', t('activity.periodToday')],
    ['yesterday', t('activity.periodYesterday')],
    ['7d', t('activity.period7d')],
    ['30d', t('activity.period30d')],
    ['custom', t('activity.periodCustom')],
  ];
  return (
    <div class="activity-filters__times">
      <SegmentedControl
        label={t('activity.period')}
        value={choice.period}
        onValue={(period) => choose({ period, firstDay: '', lastDay: '' })}
        options={options}
      />
      {choice.period === 'custom' && (
        <Filters label={t('activity.days')}>
          <DayFilter
            label={t('activity.from')}
            value={choice.firstDay}
            onValue={(firstDay) => choose({ firstDay }, { replace: true })}
          />
          <DayFilter
            label={t('activity.to')}
            value={choice.lastDay}
            onValue={(lastDay) => choose({ lastDay }, { replace: true })}
          />
        </Filters>
      )}
    </div>
  );
}

function ValueFilters({ choice, choose, clear, organizations }: ActivityFiltersProps) {
  return (
    <Chips label={t('activity.filters')}>
      <FilterMenu
        id="filter-type"
        name="activity.filterType"
        value={choice.kind}
        onValue={(kind) => choose({ kind })}
        options={kinds.map(({ id, name, events: [event = ''] }) => ({
          value: id,
          name: t(name),
          icon: iconOf({ event, outcome: 'success' }),
        }))}
      />
      <FilterMenu
        id="filter-outcome"
        name="activity.filterOutcome"
        value={choice.outcome}
        onValue={(outcome) => choose({ outcome: outcome as Choice['outcome'] })}
        options={[
          { value: 'success', name: t('activity.succeeded'), icon: CircleCheck },
          { value: 'failure', name: t('activity.refused'), icon: Ban },
        ]}
      />
      <PersonFilter
        id="filter-actor"
        name="activity.filterActor"
        value={choice.actor}
        onValue={(actor) => choose({ actor })}
      />
      <PersonFilter
        id="filter-target"
        name="activity.filterTarget"
        value={choice.target}
        onValue={(target) => choose({ target })}
      />
      {(impersonation || choice.impersonator) && (
        <PersonFilter
          id="filter-impersonator"
          name="activity.filterImpersonator"
          value={choice.impersonator}
          onValue={(impersonator) => choose({ impersonator })}
        />
      )}
      {(organizations.length > 0 || choice.organization) && (
        <FilterMenu
          id="filter-organization"
          name="activity.filterOrganization"
          value={choice.organization}
          onValue={(organization) => choose({ organization })}
          options={organizations.map(({ id, name }) => ({ value: id, name, icon: Building2 }))}
        />
      )}
      {isNarrowed(choice) && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            clear();
            focusFilter('filter-type');
          }}
        >
          {t('activity.clearFilters')}
        </Button>
      )}
    </Chips>
  );
}
