import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet' | 'link';
  wide?: boolean;
  /** The button's action is running. The button keeps the focus and ignores clicks. */
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
