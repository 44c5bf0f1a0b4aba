import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet' | 'link';
  wide?: boolean;
  /** Something it set off is under way: it keeps the focus, and does nothing. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
  children: ComponentChildren;
}

export function Button({
  variant = 'secondary',
  wide,
  busy = false,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button button--${variant}${wide ? ' button--wide' : ''}`}
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <span class="spinner" />}
      {children}
    </button>
  );
}
