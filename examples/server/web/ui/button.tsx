import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact';
import { Icon } from '../icons/icon.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-outline' | 'danger-quiet' | 'link';
  /** Small buttons belong in rows. On a phone, they have the full height. */
  size?: 'regular' | 'small';
  icon?: string;
  wide?: boolean;
  /** The button's action is running. The button keeps the focus and ignores clicks. */
  busy?: boolean;
  /** The progress, such as "Working…". Shown instead of the label while the action runs. */
  busyLabel?: ComponentChildren;
  /** Why the button is disabled. A disabled button can still have the focus, so that all users can read the reason. */
  disabledReason?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
  children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const {
    variant = 'secondary',
    size = 'regular',
    icon,
    wide,
    busy = false,
    busyLabel,
    disabledReason,
    onClick,
    children,
    ...rest
  } = props;
  const isOff = busy || disabledReason !== undefined;
  return (
    <button
      type="button"
      {...rest}
      class={classesOf({ variant, size, wide })}
      title={disabledReason ?? rest.title}
      aria-disabled={isOff || rest['aria-disabled']}
      aria-busy={busy}
      data-off={disabledReason !== undefined || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span class="spinner" /> : icon && <Icon of={icon} />}
      {busy && busyLabel ? busyLabel : children}
      {disabledReason !== undefined && <span class="visually-hidden">: {disabledReason}</span>}
    </button>
  );
}

const classesOf = ({ variant, size, wide }: Pick<ButtonProps, 'variant' | 'size' | 'wide'>): string =>
  [`button button--${variant}`, size === 'small' ? 'button--small' : '', wide ? 'button--wide' : '']
    .filter(Boolean)
    .join(' ');

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'label'> {
  icon: string;
  /** What the button does. Screen readers read it, and the tooltip shows it. */
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A square button without visible text. */
export const IconButton = ({ icon, label, ...rest }: IconButtonProps) => (
  <button type="button" title={label} {...rest} class="icon-button">
    <Icon of={icon} />
    <span class="visually-hidden">{label}</span>
  </button>
);
