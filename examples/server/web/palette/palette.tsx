import type { Account } from 'latchkey/client';
import { Search, X } from 'lucide-static';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { IconButton } from '../ui/button.tsx';
import { closingWith, useModal } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import type { Entry } from './entry.ts';
import { PaletteStatus } from './palette-status.tsx';
import { optionId, Results } from './results.tsx';
import { useEntries } from './use-entries.ts';

interface PaletteProps {
  user: Account;
  onClose: () => void;
  onHelp: () => void;
}

/** Finds pages, actions, users and organizations. The focus stays in the input, and the arrow keys move in the list. */
export function Palette({ user, onClose, onHelp }: PaletteProps) {
  const dialog = useModal();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { entries, people } = useEntries(user, typed, onHelp);
  const active = Math.min(chosen, entries.length - 1);

  const open = useAction(async (entry: Entry) => {
    if (entry.href) route(entry.href);
    await entry.run?.();
    // The help replaces the command palette.
    if (entry.run !== onHelp) onClose();
  });

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const target = targetOf(event, active, entries.length);
    if (target !== null) setChosen(target);
    else if (event.key === 'Enter') {
      const entry = entries[active];
      if (entry) void open.run(entry);
    } else return;
    event.preventDefault();
  };

  return (
    <dialog ref={dialog} class="palette" aria-label={t('palette.title')} {...closingWith(dialog, onClose)}>
      <div class="palette__line">
        <Icon of={Search} />
        <input
          class="palette__input"
          type="text"
          role="combobox"
          aria-label={t('layout.search')}
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-activedescendant={entries[active] && optionId(listId, entries[active])}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          dir="auto"
          placeholder={t('palette.placeholder')}
          maxLength={64}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
            open.forget();
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton icon={X} label={t('common.close')} onClick={onClose} />
      </div>
      <ErrorNotice error={open.error} />
      <div class="palette__results" id={listId} role="listbox" aria-label={t('palette.results')} ref={list}>
        <Results
          listId={listId}
          entries={entries}
          active={active}
          onPoint={setChosen}
          onOpen={(entry) => void open.run(entry)}
        />
      </div>
      <PaletteStatus typed={typed} count={entries.length} people={people} isBusy={open.busy} />
    </dialog>
  );
}

/** The index of the entry that a key moves to. Null for other keys. */
function targetOf(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  active: number,
  count: number,
): number | null {
  if (count === 0 || ctrlKey || metaKey || altKey) return null;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active - 1 + count) % count;
  if (key === 'PageDown') return Math.min(active + 5, count - 1);
  if (key === 'PageUp') return Math.max(active - 5, 0);
  return null;
}
