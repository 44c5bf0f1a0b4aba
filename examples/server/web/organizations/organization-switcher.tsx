import { ChevronsUpDown, LayoutList, Plus } from 'lucide-static';
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LoadFailed } from '../components/load-failed.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { IconButton } from '../ui/button.tsx';
import { placeBelow } from '../ui/place-below.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { useResource } from '../use-resource.ts';
import { loadOwnOrganizations, OwnOrganizations } from './own-organizations.tsx';

interface OrganizationSwitcherProps {
  currentId: string;
  /** Absent: the user cannot create organizations. */
  onCreate: (() => void) | undefined;
}

/** A button that opens the list of the user's own organizations. */
export function OrganizationSwitcher({ currentId, onCreate }: OrganizationSwitcherProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <IconButton
        icon={ChevronsUpDown}
        label={t('organizations.switch')}
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <Panel id={id} currentId={currentId} button={button} onClose={close} onCreate={onCreate} />}
    </>
  );
}

interface PanelProps extends OrganizationSwitcherProps {
  id: string;
  button: { current: HTMLButtonElement | null };
  onClose: () => void;
}

/** A popover, so the browser closes it on Escape or a click elsewhere. */
function Panel({ id, currentId, button, onClose, onCreate }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const { resource, reload } = useResource(useCallback(loadOwnOrganizations, []));

  useLayoutEffect(() => {
    panel.current?.showPopover();
    panel.current?.focus();
  }, []);
  // Places the panel again after each render, because its height can change.
  useLayoutEffect(() => {
    if (panel.current && button.current) placeBelow(panel.current, button.current);
  });

  const create = () => {
    // The sheet returns the focus to this button when it closes.
    panel.current?.hidePopover();
    button.current?.focus();
    onClose();
    onCreate?.();
  };
  return (
    <div
      id={id}
      ref={panel}
      class="menu switcher"
      popover="auto"
      role="dialog"
      tabIndex={-1}
      aria-label={t('organizations.yours')}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {resource.status === 'loading' && <Skeleton rows={2} label={t('organizations.loadingYours')} />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {resource.status === 'ready' && (
        <OwnOrganizations organizations={resource.value} currentId={currentId} onChosen={onClose} />
      )}
      <div class="switcher__foot">
        <a class="menu__item" href="/organizations" onClick={onClose}>
          <Icon of={LayoutList} />
          <span class="menu__label">{t('organizations.showAll')}</span>
        </a>
        {onCreate && (
          <button type="button" class="menu__item" onClick={create}>
            <Icon of={Plus} />
            <span class="menu__label">{t('organizations.create')}</span>
          </button>
        )}
      </div>
    </div>
  );
}
