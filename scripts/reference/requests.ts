import type { Endpoint } from '../../src/api/endpoint.ts';

/** `DELETE /auth/sessions/{id}`. */
export function requestOf({ on }: Endpoint): string {
  const [method, path = ''] = on.split(' ');
  return `${method} /auth${path.replaceAll(/[:*](\w+)/g, '{$1}')}`;
}
