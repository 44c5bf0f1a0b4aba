import type { ComponentType } from 'preact';
import { useLanguage } from '../messages/language.ts';

interface RouteProps {
  // The router gives the page what it read from the path.
  // biome-ignore lint/suspicious/noExplicitAny: each page declares what it takes
  component: ComponentType<any>;
  path?: string;
  default?: boolean;
}

/** A page of the router. The router keeps what it rendered, so the page itself follows the language. */
export function Route({ component: Page, ...props }: RouteProps) {
  useLanguage();
  return <Page {...props} />;
}
