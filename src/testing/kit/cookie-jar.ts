import { second } from '../../core/duration.ts';

/** The cookies of one browser for one site. */
export interface CookieJar {
  /** The value of the `Cookie` header. Empty if there are no cookies. */
  readonly header: string;
  /** Stores the cookies that a response sets. */
  keep(answer: Headers): void;
}

interface Cookie {
  value: string;
  /** The expiry as Unix time in milliseconds. */
  until: number;
}

export function createCookieJar(now: () => Date): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    get header() {
      const alive = [...cookies].filter(([, { until }]) => until > now().getTime());
      return alive.map(([name, { value }]) => `${name}=${value}`).join('; ');
    },
    keep(answer) {
      for (const line of answer.getSetCookie()) {
        const [[name, value] = ['', ''], ...attributes] = line.split(';').map(nameAndValue);
        cookies.set(name, { value, until: endOf(attributes, now()) });
      }
    },
  };
}

type Attribute = readonly [name: string, value: string];

function nameAndValue(text: string): Attribute {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  return [name.trim(), value.trim()];
}

/** `Max-Age` takes precedence over `Expires` (RFC 6265, 5.3). A cookie without these attributes does not expire. */
function endOf(attributes: readonly Attribute[], now: Date): number {
  const attribute = (wanted: string) => attributes.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  const maxAge = Number.parseInt(attribute('max-age'), 10);
  if (!Number.isNaN(maxAge)) return now.getTime() + maxAge * second;
  const expires = Date.parse(attribute('expires'));
  return Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires;
}
