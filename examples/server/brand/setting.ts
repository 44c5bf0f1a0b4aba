import { ConfigurationError, type ConfigurationFault } from 'latchkey';
import { type Color, contrast, parseColor, white } from './color.ts';
import { type Logo, readLogo } from './logo.ts';

/** The name, the logo and the color of the product. */
export interface Brand {
  name: string;
  /** Null for the mark of Latchkey. */
  logo: Logo | null;
  /** Null for the green of Latchkey. */
  accent: Color | null;
}

export const latchkeyBrand: Brand = { name: 'Latchkey', logo: null, accent: null };

const longestName = 40;
/** Primary buttons have white text (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

/**
 * Reads BRAND_NAME, BRAND_LOGO and BRAND_ACCENT.
 *
 * @throws ConfigurationError that lists every invalid setting
 */
export function readBrandSetting(env: NodeJS.ProcessEnv): Brand {
  const faults: ConfigurationFault[] = [];
  const name = env.BRAND_NAME?.trim() || latchkeyBrand.name;
  // Control and format characters can reverse or hide parts of the name.
  if ([...name].length > longestName || /[\p{Cc}\p{Cf}]/u.test(name)) {
    const expected = `a name of at most ${longestName} characters, without control characters`;
    faults.push({ setting: 'BRAND_NAME', given: JSON.stringify(name), expected });
  }
  const logo = env.BRAND_LOGO?.trim() ? readLogo(env.BRAND_LOGO.trim(), faults) : null;
  const accent = env.BRAND_ACCENT?.trim() ? readAccent(env.BRAND_ACCENT.trim(), faults) : null;
  if (faults.length > 0) throw new ConfigurationError(faults);
  return { name, logo, accent };
}

function readAccent(given: string, faults: ConfigurationFault[]): Color | null {
  const color = parseColor(given);
  const ratio = color && contrast(color, white);
  if (ratio !== null && ratio >= leastContrast) return color;
  const found = ratio === null ? '' : ` (its contrast is ${ratio.toFixed(2)}:1, so it needs to be darker)`;
  faults.push({
    setting: 'BRAND_ACCENT',
    given: JSON.stringify(given),
    expected: `a color such as #0f5f48, with a contrast of at least ${leastContrast}:1 with white text${found}`,
  });
  return null;
}
