/**
 * The sections of NIST SP 800-63B-4 (July 2025) with requirements for a verifier or a CSP at AAL2, and the
 * number of these requirements in docs/security/nist-800-63b-4.md. A requirement is a sentence with a
 * mandatory statement. A section about an authenticator that Latchkey does not have, or about the internals
 * of devices, counts as one requirement.
 *
 * The source is https://pages.nist.gov/800-63-4/sp800-63b.html (26 August 2025).
 */
const counts: Readonly<Record<string, number>> = {
  '2.2.1': 2,
  '2.2.2': 7,
  '2.2.3': 2,
  '2.4.1': 1,
  '2.4.2': 2,
  '2.4.3': 4,
  '2.4.4': 1,
  '3.1.1.1': 3,
  '3.1.1.2': 22,
  '3.1.2.1': 4,
  '3.1.2.2': 7,
  '3.1.3': 1,
  '3.1.4': 1,
  '3.1.5': 1,
  '3.1.6.2': 5,
  '3.1.7.1': 1,
  '3.1.7.2': 1,
  '3.1.7.3': 1,
  '3.2.1': 2,
  '3.2.2': 6,
  '3.2.3': 1,
  '3.2.4': 1,
  '3.2.5': 3,
  '3.2.5.1': 1,
  '3.2.5.2': 3,
  '3.2.6': 1,
  '3.2.8': 2,
  '3.2.9': 1,
  '3.2.10': 1,
  '3.2.11': 1,
  '3.2.12': 1,
  '3.2.13': 1,
  '4.1': 5,
  '4.1.2.1': 3,
  '4.1.2.2': 1,
  '4.1.3': 2,
  '4.2.1': 2,
  '4.2.1.1': 6,
  '4.2.1.2': 5,
  '4.2.1.3': 1,
  '4.2.1.4': 1,
  '4.2.2.1': 1,
  '4.2.2.2': 1,
  '4.2.3': 1,
  '4.3': 2,
  '4.4': 2,
  '4.5': 2,
  '4.6': 4,
  '5.1': 15,
  '5.1.1': 4,
  '5.1.2': 1,
  '5.2': 6,
  '5.3': 1,
  'B.2': 4,
  'B.3': 4,
};

/** Each requirement, such as `2.2.1-1`. */
export const nistRequirements: readonly string[] = Object.entries(counts).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `${section}-${index + 1}`),
);
