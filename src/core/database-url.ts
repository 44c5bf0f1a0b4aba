const parts = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s;

/**
 * Returns a URL for each host of a database URL.
 *
 * @example urlOfEachHost('postgresql://a:5432,b:5432/db') // ['postgresql://a:5432/db', 'postgresql://b:5432/db']
 */
export function urlOfEachHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url];
}
