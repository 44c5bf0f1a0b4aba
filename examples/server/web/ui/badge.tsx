import type { ComponentChildren } from 'preact';

interface BadgeProps {
  tone?: 'accent' | 'quiet' | 'warning' | 'danger' | 'info';
  children: ComponentChildren;
}

export const Badge = ({ tone = 'accent', children }: BadgeProps) => (
  <span class={`badge badge--${tone}`}>{children}</span>
);

interface StatusDotProps {
  /** `on`: a filled green dot. `off`: an empty circle. `waiting`: a filled brass dot. */
  state: 'on' | 'off' | 'waiting';
  children: ComponentChildren;
}

/** A status with a dot. The text has the same meaning as the color. */
export const StatusDot = ({ state, children }: StatusDotProps) => (
  <span class={`status status--${state}`}>{children}</span>
);
