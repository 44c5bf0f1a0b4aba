import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';

/** A rounded square with an icon, at the start of a row. */
export const Tile = ({
  icon,
  tone = 'plain',
}: {
  icon: string;
  tone?: 'plain' | 'good' | 'warning' | 'danger';
}) => (
  <span class={`tile tile--${tone}`}>
    <Icon of={icon} />
  </span>
);

/** A surface for content that belongs together. */
export const Card = ({ children }: { children: ComponentChildren }) => <div class="card">{children}</div>;
