import { CornerDownLeft } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { Avatar } from '../ui/avatar.tsx';
import type { Entry } from './entry.ts';

interface ResultsProps {
  listId: string;
  entries: readonly Entry[];
  /** The index of the entry that Enter opens. */
  active: number;
  onPoint: (index: number) => void;
  onOpen: (entry: Entry) => void;
}

/** The id of an entry’s element, for `aria-activedescendant`. */
export const optionId = (listId: string, { id }: Entry): string => `${listId}-${id.replaceAll(/\W/g, '-')}`;

/** The entries, with a heading for each group. The entries of a group must follow each other. */
export function Results({ listId, entries, active, onPoint, onOpen }: ResultsProps) {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.map((group) => (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a listbox
    <div class="palette__group" role="group" aria-labelledby={`${listId}-${group}`} key={group}>
      <div class="palette__heading" id={`${listId}-${group}`} role="presentation">
        {t('palette.group', { group })}
      </div>
      {entries.map((entry, index) =>
        entry.group === group ? (
          <Option
            key={entry.id}
            id={optionId(listId, entry)}
            entry={entry}
            isActive={index === active}
            onPoint={() => onPoint(index)}
            onOpen={() => onOpen(entry)}
          />
        ) : null,
      )}
    </div>
  ));
}

interface OptionProps {
  id: string;
  entry: Entry;
  isActive: boolean;
  onPoint: () => void;
  onOpen: () => void;
}

const Option = ({ id, entry, isActive, onPoint, onOpen }: OptionProps) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
  // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
  <div
    class="palette__option"
    id={id}
    role="option"
    aria-selected={isActive}
    onPointerMove={isActive ? undefined : onPoint}
    // A click must not move the focus away from the input.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onOpen}
  >
    {entry.icon ? (
      <Icon of={entry.icon} />
    ) : (
      <Avatar
        name={entry.name}
        seed={entry.seed ?? entry.name}
        shape={entry.group === 'organizations' ? 'organization' : 'person'}
        size="small"
      />
    )}
    <span class="palette__text">
      <span class="palette__name">
        <bdi>{entry.name}</bdi>
      </span>{' '}
      {entry.detail && (
        <span class="palette__detail">
          <bdi>{entry.detail}</bdi>
        </span>
      )}
    </span>
    {isActive && <Icon of={CornerDownLeft} inline />}
  </div>
);
