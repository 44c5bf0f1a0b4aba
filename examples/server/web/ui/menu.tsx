import { ChevronDown, Ellipsis, Plus } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';
import { placeBelow } from './place-below.ts';

export interface MenuItem {
  icon: string;
  /** A verb. Ends with "…" if a dialog follows. */
  label: string;
  /** One line about what the action changes. */
  consequence?: ComponentChildren;
  /** Whether the action is permanent. Permanent actions are red and below a line. List them last. */
  destructive?: boolean;
  /** Whether the action is not possible now. `consequence` then gives the reason. */
  isOff?: boolean;
  run: () => void;
}

interface MenuProps {
  /** What the button is for, such as "Actions for Laptop". */
  label: string;
  /** The visible text of the button. Without it, the button shows three dots. */
  text?: string;
  /** The icon before the visible text. */
  icon?: string;
  /** Whether the button looks like the chip of a filter. */
  isChip?: boolean;
  id?: string;
  /** An action of the menu is running. The button keeps the focus and ignores clicks. */
  busy?: boolean;
  /** Why the menu cannot open. The button can still have the focus, so that all users can read the reason. */
  disabledReason?: string | undefined;
  items: readonly MenuItem[];
}

/**
 * A button with a menu. The menu is a popover, so the browser closes it on Escape or a click elsewhere. On a phone, it is
 * a sheet at the bottom of the screen.
 */
export function Menu(props: MenuProps) {
  const { label, text, icon, isChip = false, id, busy = false, disabledReason, items } = props;
  const menuId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isOff = busy || disabledReason !== undefined;
  return (
    <>
      <button
        type="button"
        id={id}
        ref={button}
        class={isChip ? 'chip chip--add' : text ? 'button button--secondary' : 'icon-button'}
        title={disabledReason ?? (text ? undefined : label)}
        aria-disabled={isOff}
        aria-busy={busy}
        data-off={disabledReason !== undefined || undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => isOff || setOpen(!isOpen)}
      >
        {busy ? <span class="spinner" /> : isChip ? <Icon of={Plus} inline /> : icon && <Icon of={icon} />}
        {text ?? <Icon of={Ellipsis} />}
        {text && !isChip && <Icon of={ChevronDown} />}
        <span class="visually-hidden">
          {text ? `: ${label}` : label}
          {disabledReason !== undefined && `: ${disabledReason}`}
        </span>
      </button>
      {isOpen && (
        <MenuItems
          id={menuId}
          label={label}
          items={items}
          align={isChip ? 'start' : 'end'}
          button={button}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface MenuItemsProps extends Pick<MenuProps, 'items' | 'label'> {
  id: string;
  align: 'start' | 'end';
  button: { current: HTMLButtonElement | null };
  onClose: () => void;
}

function MenuItems({ id, label, items, align, button, onClose }: MenuItemsProps) {
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = menu.current;
    const opener = button.current;
    if (!element || !opener) return;
    element.showPopover();
    placeBelow(element, opener, align);
    itemsIn(element)[0]?.focus();
    const follow = () => placeBelow(element, opener, align);
    addEventListener('resize', follow);
    addEventListener('scroll', follow, { passive: true });
    return () => {
      removeEventListener('resize', follow);
      removeEventListener('scroll', follow);
    };
  }, [button, align]);

  const choose = (item: MenuItem) => {
    if (item.isOff) return;
    // Moves the focus to the button first. A dialog that the action opens moves the focus back there when it closes.
    menu.current?.hidePopover();
    button.current?.focus();
    onClose();
    item.run();
  };

  return (
    <div
      id={id}
      ref={menu}
      class="menu"
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      onKeyDown={(event) => menu.current && moveFocus(menu.current, event)}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={`menu__item${item.destructive ? ' menu__item--destructive' : ''}`}
          aria-disabled={item.isOff}
          onClick={() => choose(item)}
        >
          <Icon of={item.icon} />
          <span class="menu__label">{item.label}</span>
          {item.consequence && <span class="menu__consequence">{item.consequence}</span>}
        </button>
      ))}
    </div>
  );
}

const itemsIn = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];

/** The arrow keys, Home and End move between the items. Tab closes the menu. */
function moveFocus(menu: HTMLElement, event: KeyboardEvent): void {
  const items = itemsIn(menu);
  const here = items.indexOf(document.activeElement as HTMLElement);
  const targets: Partial<Record<string, number>> = {
    ArrowDown: (here + 1) % items.length,
    ArrowUp: (here - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  if (event.key === 'Tab') menu.hidePopover();
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}
