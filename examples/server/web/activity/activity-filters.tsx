import type { Organization } from 'latchkey/client';
import { DayFilter, Filters, SearchFilter, SelectFilter } from '../ui/filters.tsx';
import { Bad } from '../ui/verdict.tsx';
import { kinds, outcomes, parts } from './kinds.ts';
import type { useFilters } from './use-filters.ts';

interface ActivityFiltersProps {
  organizations: Organization[];
  narrowing: ReturnType<typeof useFilters>;
}

export function ActivityFilters({ organizations, narrowing }: ActivityFiltersProps) {
  const { choice, choose, person } = narrowing;
  return (
    <Filters label="Filter events">
      <SelectFilter label="Event" value={choice.kind} onValue={(kind) => choose({ kind })} options={kinds} />
      <SelectFilter
        label="Outcome"
        value={choice.outcome}
        onValue={(outcome) => choose({ outcome })}
        options={outcomes}
      />
      <DayFilter label="From" value={choice.firstDay} onValue={(firstDay) => choose({ firstDay })} />
      <DayFilter label="To" value={choice.lastDay} onValue={(lastDay) => choose({ lastDay })} />
      <SearchFilter
        label="Username"
        value={choice.person}
        onValue={(typed) => choose({ person: typed })}
        suggestions={person.suggestions}
        message={person.isUnknown && <Bad>User not found.</Bad>}
      />
      <SelectFilter
        label="Involved as"
        value={choice.part}
        onValue={(part) => choose({ part })}
        options={parts}
      />
      {organizations.length > 0 && (
        <SelectFilter
          label="Organization"
          value={choice.organization}
          onValue={(organization) => choose({ organization })}
          options={[['', 'All'], ...organizations.map(({ id, name }) => [id, name] as const)]}
        />
      )}
    </Filters>
  );
}
