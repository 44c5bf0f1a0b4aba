import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  title?: string;
  children?: ComponentChildren;
  /** The next step, such as a button that creates the first item. */
  action?: ComponentChildren;
}

/** Shown instead of an empty list: what would be here, and how to make the first one. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div class="empty-state">
    <Drawing />
    {title && (
      <p class="empty-state__title" dir="auto">
        {title}
      </p>
    )}
    {children && <p class="empty-state__body">{children}</p>}
    {action && <div class="empty-state__action">{action}</div>}
  </div>
);

/** Three empty rows behind the keyhole of the brand. */
const Drawing = () => (
  <svg class="empty-state__drawing" viewBox="0 0 116 88" aria-hidden="true">
    {[1, 32, 63].map((y) => (
      <g key={y}>
        <rect class="empty-state__row" x="1" y={y} width="114" height="24" rx="6" />
        <circle class="empty-state__text" cx="14" cy={y + 12} r="5.5" />
        <rect class="empty-state__text" x="26" y={y + 10} width="48" height="4" rx="2" />
      </g>
    ))}
    <rect class="empty-state__edge" x="45" y="10" width="66" height="66" rx="17" />
    <g transform="translate(50 15) scale(1.75)">
      <rect class="empty-state__plate" width="32" height="32" rx="9" />
      <path
        class="empty-state__hole"
        d="M12.7 5.3a5 5 0 0 1 2.3 9.44v6.56h6.9a2.25 2.25 0 0 1 0 4.5h-9a2.5 2.5 0 0 1-2.5-2.5v-8.56a5 5 0 0 1 2.3-9.44z"
      />
    </g>
  </svg>
);
