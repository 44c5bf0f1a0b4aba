import { Ban, Check, LogOut } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';

/** What an action changes. `ends` and `blocks` are losses, `stays` is what the user keeps. */
interface Consequence {
  kind: 'ends' | 'blocks' | 'stays';
  text: ComponentChildren;
}

const icons = { ends: LogOut, blocks: Ban, stays: Check };

export const Consequences = ({ of }: { of: readonly Consequence[] }) => (
  <ul class="consequences">
    {of.map(({ kind, text }, index) => (
      <li class={`consequence consequence--${kind === 'stays' ? 'stays' : 'ends'}`} key={index}>
        <Icon of={icons[kind]} />
        <span>{text}</span>
      </li>
    ))}
  </ul>
);
