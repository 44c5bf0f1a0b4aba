import { t } from './messages/text.ts';

/** A device, recognized by its User-Agent header. The header can be forged, so the name is a hint and not a proof. */
export interface DeviceName {
  name: string;
  form: 'computer' | 'phone' | 'tablet' | 'unknown';
}

// The order matters, because the headers of many browsers also contain "Chrome" or "Safari".
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bChromium\//, 'Chromium'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
];

const systems: [RegExp, string, DeviceName['form']][] = [
  [/\biPhone\b/, 'iPhone', 'phone'],
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\bAndroid\b.*\bMobile\b/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android', 'tablet'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS', 'computer'],
  [/\bLinux\b/, 'Linux', 'computer'],
];

/** Reads a User-Agent header: "Firefox on Windows", "Safari on iPhone". */
export function deviceName(userAgent: string | null): DeviceName {
  if (!userAgent) return { name: t('common.unknownDevice'), form: 'unknown' };
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [, system, form = 'unknown'] = systems.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (browser && system) return { name: t('common.browserOnSystem', { browser, system }), form };
  if (browser) return { name: browser, form };
  if (system) return { name: t('common.aBrowserOnSystem', { system }), form };
  // The client is not a browser, so use the product name, such as "curl/8.5.0".
  return { name: userAgent.split(' ')[0]?.slice(0, 40) || t('common.unknownDevice'), form: 'unknown' };
}
