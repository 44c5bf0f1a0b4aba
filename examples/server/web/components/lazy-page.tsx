import type { ComponentType } from 'preact';
import { Entrance } from '../entrance/entrance.tsx';
import { loadConsole, loadLink } from '../load-parts.ts';
import { type Load, lazy } from './lazy.tsx';
import { RequireAccount } from './require-account.tsx';

/**
 * A page for signed-in users. Its script is loaded when a signed-in user first opens the page, so that visitors do not
 * load it.
 */
export function lazyPage<Props extends object>(load: Load<Props>): ComponentType<Props> {
  const Page = lazy(load, loadConsole);
  return (props: Props) => <RequireAccount>{() => <Page {...props} />}</RequireAccount>;
}

/** A page that visitors open with a link. Its script is loaded when the link is opened. */
export function lazyLinkPage<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return lazy(load, loadLink, ({ children }) => <Entrance>{children}</Entrance>);
}
