import { type Child, h } from './dom.ts';
import { menuIcon } from './passkey-icons.ts';

interface MenuItem {
  part: string;
  icon: Child;
  label: string;
  /** One line about what the action changes. */
  consequence?: string;
  run(): void;
}

/**
 * A button with three dots that opens a menu. The browser closes the menu on Escape or a click elsewhere. On a phone, the
 * menu is at the bottom of the screen.
 *
 * @param label what the button is for. Screen readers read it, and the tooltip shows it.
 */
export function menuButton(id: string, label: string, items: readonly MenuItem[]): HTMLElement[] {
  let closed = new AbortController();
  const open = () => {
    closed = new AbortController();
    const place = () => placeBelow(menu, button);
    place();
    itemsIn(menu)[0]?.focus();
    for (const event of ['resize', 'scroll'])
      addEventListener(event, place, { passive: true, signal: closed.signal });
  };
  const button = h(
    'button',
    {
      part: 'button menu-button',
      class: 'dots',
      id,
      type: 'button',
      title: label,
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      onclick: (event: Event) => {
        // The browser would open the menu after this listener, too late to place it.
        event.preventDefault();
        menu.togglePopover();
        if (menu.matches(':popover-open')) open();
      },
    },
    menuIcon(),
    h('span', { class: 'unseen' }, label),
  );
  const menu: HTMLElement = h(
    'div',
    {
      part: 'menu',
      class: 'menu',
      popover: 'auto',
      role: 'menu',
      tabindex: '-1',
      'aria-label': label,
      ontoggle: () => {
        const isOpen = menu.matches(':popover-open');
        button.setAttribute('aria-expanded', `${isOpen}`);
        if (!isOpen) closed.abort();
      },
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === 'Escape') {
          // The browser does not return the focus to a button in a shadow tree.
          event.preventDefault();
          menu.hidePopover();
          button.focus();
        } else moveFocus(menu, event);
      },
    },
    ...items.map(({ part, icon, label, consequence, run }) =>
      h(
        'button',
        {
          part: `menu-item ${part}`,
          class: `item ${part}`,
          type: 'button',
          role: 'menuitem',
          tabindex: '-1',
          onclick: () => {
            menu.hidePopover();
            // A dialog that the action opens returns the focus to this button when it closes.
            button.focus();
            run();
          },
        },
        icon,
        h('span', { part: 'menu-label' }, label),
        consequence ? h('span', { part: 'menu-consequence', class: 'message' }, consequence) : null,
      ),
    ),
  );
  // Otherwise, a click on the button would close the menu first, and the listener of the button would open it again.
  button.popoverTargetElement = menu;
  return [button, menu];
}

const itemsIn = (menu: HTMLElement) => [...menu.querySelectorAll('button')];

const gap = 6;

/** Places the menu below the button, or above the button if there is more space. */
function placeBelow(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const { clientWidth, clientHeight } = document.documentElement;
  const isRightToLeft = getComputedStyle(button).direction === 'rtl';
  const start = isRightToLeft ? clientWidth - left - width : right - width;
  const fitsBelow = bottom + gap + height <= clientHeight || top < clientHeight - bottom;
  menu.style.setProperty('--start', `${Math.max(gap, Math.min(start, clientWidth - width - gap))}px`);
  menu.style.setProperty('--top', `${Math.max(gap, fitsBelow ? bottom + gap : top - gap - height)}px`);
}

/** The arrow keys, Home and End move between the items. Tab closes the menu. */
function moveFocus(menu: HTMLElement, event: KeyboardEvent): void {
  const items = itemsIn(menu);
  const here = items.findIndex((item) => item.matches(':focus'));
  const targets: Partial<Record<string, number>> = {
    ArrowDown: here + 1,
    ArrowUp: here - 1,
    Home: 0,
    End: -1,
  };
  if (event.key === 'Tab') menu.hidePopover();
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  items.at(target % items.length)?.focus();
}
