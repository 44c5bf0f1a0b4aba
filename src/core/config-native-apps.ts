import { inspect } from 'node:util';
import type { FaultList } from './config-fault.ts';
import { refuseUnknown } from './unknown-names.ts';

/** An Android app that can use the passkeys of the relying party. */
export interface AndroidApp {
  /** The application id, such as `com.example.app`. */
  packageName: string;
  /** The SHA-256 fingerprints of its signing certificates: 32 hexadecimal pairs with colons, such as `14:6D:E9:…`. */
  sha256CertFingerprints: readonly string[];
}

/** The option `nativeApps`. */
export interface NativeAppOptions {
  /** The service also accepts passkeys from the origins of these apps (`android:apk-key-hash:…`). */
  android?: readonly AndroidApp[];
  /** Ids of iOS, iPadOS and macOS apps: the team id, a dot and the bundle id, such as `ABCDE12345.com.example.app`. */
  apple?: readonly string[];
}

/** The checked option `nativeApps`. Fingerprints are in upper case. */
export interface NativeApps {
  readonly android: readonly Readonly<AndroidApp>[];
  readonly apple: readonly string[];
}

const packageName = /^[a-z]\w*(?:\.[a-z]\w*)+$/i;
const fingerprint = /^[\dA-F]{2}(?::[\dA-F]{2}){31}$/;
const appleId = /^[A-Z\d]{10}\.[a-z\d-]+(?:\.[a-z\d-]+)*$/i;

/** Reads the option `nativeApps`. */
export function readNativeApps(faults: FaultList, given: NativeAppOptions = {}): NativeApps {
  const fault = (path: string, value: unknown, expected: string) =>
    faults.add(`nativeApps${path}`, typeof value === 'string' ? value : inspect(value), expected);
  refuseUnknown(faults, 'nativeApps', given, ['android', 'apple']);
  const list = <Item>(name: keyof NativeAppOptions, items: readonly Item[] = []): readonly Item[] => {
    if (Array.isArray(items)) return items;
    fault(`.${name}`, items, 'a list');
    return [];
  };

  const android = list('android', given.android).map((app, n) => {
    // Callers in JavaScript can pass any value.
    const { packageName: name, sha256CertFingerprints: prints } = (app ?? {}) as Partial<AndroidApp>;
    if (typeof name !== 'string' || !packageName.test(name))
      fault(`.android[${n}].packageName`, name, 'an application id, such as com.example.app');
    const upper = Array.isArray(prints) ? prints.map((print) => `${print}`.toUpperCase()) : [];
    if (upper.length === 0 || !upper.every((print) => fingerprint.test(print)))
      fault(
        `.android[${n}].sha256CertFingerprints`,
        prints,
        'one or more SHA-256 fingerprints, each 32 hexadecimal pairs with colons, as keytool prints them',
      );
    return { packageName: `${name}`, sha256CertFingerprints: upper };
  });
  const apple = list('apple', given.apple);
  for (const [n, app] of apple.entries())
    if (typeof app !== 'string' || !appleId.test(app))
      fault(
        `.apple[${n}]`,
        app,
        'a team id of 10 characters, a dot and a bundle id: ABCDE12345.com.example.app',
      );
  return { android, apple };
}

/** The origin in the client data of an Android app. It contains the SHA-256 fingerprint of the signing certificate. */
export const androidOrigin = /^android:apk-key-hash:[\w-]{43}$/;

/** Returns the origins of these Android apps. */
export const originsOfApps = ({ android }: NativeApps): string[] =>
  android.flatMap(({ sha256CertFingerprints }) =>
    sha256CertFingerprints.map((print) => {
      const hash = Buffer.from(print.replaceAll(':', ''), 'hex').toString('base64url');
      return `android:apk-key-hash:${hash}`;
    }),
  );
