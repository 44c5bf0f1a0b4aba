import { readFileSync } from 'node:fs';
import type { ConfigurationFault } from 'latchkey';

/** An image that the pages show beside the name, and that browsers show in tabs. */
export interface Logo {
  type: '.svg' | '.png';
  bytes: Buffer;
}

// Every page loads the logo.
const mostBytes = 100_000;
const expected = `the path of an SVG or PNG file of at most ${mostBytes / 1000} kB`;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads the file of BRAND_LOGO. If it cannot be used, adds a fault and returns null. */
export function readLogo(path: string, faults: ConfigurationFault[]): Logo | null {
  const logo = check(path);
  if (typeof logo !== 'string') return logo;
  faults.push({ setting: 'BRAND_LOGO', given: JSON.stringify(path), expected: `${expected} (${logo})` });
  return null;
}

/** Returns the logo, or why the file cannot be used. */
function check(path: string): Logo | string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? error}`;
  }
  if (bytes.length > mostBytes) return `its size is ${Math.ceil(bytes.length / 1000)} kB`;
  if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return { type: '.png', bytes };
  const text = bytes.toString('utf8');
  // A comment ends at the first `-->`. If it could end later, the time for adjacent comments would grow exponentially.
  if (!/^\uFEFF?(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE svg[^>[]*>)*<svg[\s>]/.test(text))
    return 'it is neither an SVG nor a PNG file';
  // A logo never needs scripts. This check finds mistakes. The content security policy of SVG files blocks every script.
  if (/<(?:[^\s<>/:]+:)?(?:script|foreignObject)|[\s/"']on\w+\s*=|javascript:|<!ENTITY/i.test(text))
    return 'it contains a script, an event handler, foreign content or an entity';
  return { type: '.svg', bytes };
}
