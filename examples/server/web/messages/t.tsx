import type { ComponentChildren } from 'preact';
import { format, type Key, type ValuesOf } from './text.ts';

export { type Key, type PlainKey, t, texts } from './text.ts';

interface Nodes {
  text: ComponentChildren;
  number: number;
  choice: string;
  tag: (children: ComponentChildren) => ComponentChildren;
}

/**
 * A message with elements, such as `<T id="home.greeting" values={{ name: <bdi>{name}</bdi> }} />` or
 * `<T id="users.noneYet" values={{ link: (children) => <a href="/organizations">{children}</a> }} />`.
 */
export function T<K extends Key>({ id, values }: { id: K; values: ValuesOf<K, Nodes> }) {
  return <>{format<ComponentChildren>(id, values)}</>;
}
