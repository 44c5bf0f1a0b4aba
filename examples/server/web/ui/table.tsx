import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';

export interface Column {
  name: string;
  /** Whether only screen readers read the name, for example of the column with the menus. */
  isHidden?: boolean;
  /** The column disappears on narrower screens. `wide` from 1240 px, `medium` from 1140 px. */
  shownFrom?: 'medium' | 'wide';
  /** Called when the user selects the heading. Absent: the column cannot sort. */
  onSort?: () => void;
  /** How the column sorts now. */
  sorted?: 'ascending' | 'descending' | undefined;
}

interface TableProps {
  /** What the table contains. Screen readers read it. */
  label: string;
  columns: readonly Column[];
  /** Table rows. */
  children: ComponentChildren;
  /** Whether the rows are outdated and being reloaded. */
  isBusy?: boolean;
  footer?: ComponentChildren;
}

/** A table of users or other items. On a phone, each row shows its cells in two lines. */
export const Table = ({ label, columns, children, isBusy = false, footer }: TableProps) => (
  <div class="list table-card" aria-busy={isBusy}>
    <table class="table">
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" class={cellClass(column.shownFrom)} aria-sort={column.sorted}>
              <Heading {...column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
    {footer && <div class="table-card__footer">{footer}</div>}
  </div>
);

function Heading({ name, isHidden, onSort, sorted }: Column) {
  if (isHidden) return <span class="visually-hidden">{name}</span>;
  if (!onSort) return <>{name}</>;
  const icon = sorted === 'ascending' ? ArrowUp : sorted === 'descending' ? ArrowDown : ArrowUpDown;
  return (
    <button type="button" class="table__sort" onClick={onSort}>
      {name}
      <Icon of={icon} inline />
    </button>
  );
}

/** The class of a cell whose column disappears on narrower screens. */
export const cellClass = (shownFrom: Column['shownFrom']): string | undefined =>
  shownFrom && `table__cell--${shownFrom}`;
