import type { ComponentType } from 'preact';
import { useLanguage } from '../messages/language.ts';

interface RouteProps {
  // The router passes the parameters of the path to the page.
  // biome-ignore lint/suspicious/noExplicitAny: pages have different props
  component: ComponentType<any>;
  path?: string;
  default?: boolean;
}

/** A page of the router. The router keeps what it rendered, so this component renders the page in a new language. */
export function Route({ component: Page, ...props }: RouteProps) {
  useLanguage();
  return <Page {...props} />;
}
