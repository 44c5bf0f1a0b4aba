import { Plus } from 'lucide-static';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';
import { type PlainKey, t } from '../messages/t.tsx';
import { placeBelow } from '../ui/place-below.ts';
import { FilterChip, focusFilter } from './filter-menu.tsx';
import { nameOf, rememberName } from './people.ts';
import { PersonPicker } from './person-picker.tsx';

interface PersonFilterProps {
  id: string;
  name: PlainKey;
  /** The id or the username. */
  value: string;
  onValue: (value: string) => void;
}

/** A filter for a user. Without a value, a chip opens a field that searches users. */
export function PersonFilter({ id, name, value, onValue }: PersonFilterProps) {
  const popoverId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const choose = (next: string) => {
    setOpen(false);
    onValue(next);
    focusFilter(id);
  };
  if (value !== '')
    return (
      <FilterChip id={id} name={name} onRemove={() => choose('')}>
        {nameOf(value)}
      </FilterChip>
    );
  return (
    <>
      <button
        type="button"
        id={id}
        ref={button}
        class="chip chip--add"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? popoverId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={Plus} inline />
        {t(name)}
      </button>
      {isOpen && (
        <Popover
          id={popoverId}
          label={t(name)}
          button={button}
          onClose={() => setOpen(false)}
          onChoose={(user) => {
            rememberName(user.id, user.username);
            choose(user.id);
          }}
          onName={choose}
        />
      )}
    </>
  );
}

interface PopoverProps {
  id: string;
  label: string;
  button: { current: HTMLButtonElement | null };
  onClose: () => void;
  onChoose: (user: { id: string; username: string }) => void;
  onName: (username: string) => void;
}

function Popover({ id, label, button, onClose, onChoose, onName }: PopoverProps) {
  const popover = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = popover.current;
    const opener = button.current;
    if (!element || !opener) return;
    const place = () => placeBelow(element, opener, 'start');
    element.showPopover();
    place();
    element.querySelector('input')?.focus();
    addEventListener('resize', place);
    addEventListener('scroll', place, { passive: true });
    return () => {
      removeEventListener('resize', place);
      removeEventListener('scroll', place);
    };
  }, [button]);
  return (
    <div
      id={id}
      ref={popover}
      class="menu person-filter"
      popover="auto"
      role="dialog"
      aria-label={label}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      <PersonPicker onChoose={onChoose} onName={onName} />
    </div>
  );
}
