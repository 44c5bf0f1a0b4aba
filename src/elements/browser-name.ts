// The order matters, because the headers of many browsers also contain "Chrome" or "Safari".
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*Safari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Names the browser and the system of a User-Agent header, such as "Firefox on Windows". Clients can forge the header.
 * Returns null for an unknown browser, and only the browser for an unknown system.
 *
 * @param pattern the text with `{browser}` and `{system}`
 */
export function browserName(userAgent: string | null, pattern: string): string | null {
  const [browser, system] = [browsers, systems].map(
    (names) => names.find(([header]) => header.test(userAgent ?? ''))?.[1],
  );
  if (!browser || !system) return browser ?? null;
  return pattern.replace('{browser}', browser).replace('{system}', system);
}
