import { initialsOf, tintOf } from './initials.ts';

interface AvatarProps {
  name: string;
  /** Determines the color. Default: the name. Pass the username, so that a new display name keeps the color. */
  seed?: string;
  /** `person` is a circle, `organization` is a rounded square. */
  shape?: 'person' | 'organization';
  size?: 'small' | 'regular' | 'large' | 'huge';
}

/** The initials of a name on one of six tints. The name itself is beside it, so screen readers ignore the avatar. */
export const Avatar = ({ name, seed = name, shape = 'person', size = 'regular' }: AvatarProps) => (
  <span class={`avatar avatar--${shape} avatar--${size} avatar--tint-${tintOf(seed)}`} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
