import type { ComponentChildren } from 'preact';

interface BadgeProps {
  tone?: 'accent' | 'quiet' | 'warning' | 'danger';
  children: ComponentChildren;
}

export const Badge = ({ tone = 'accent', children }: BadgeProps) => (
  <span class={`badge badge--${tone}`}>{children}</span>
);
