// Finds phrases that are hard to read, and suggests plain words.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sentencesOf } from './sentences.mjs';

/** The phrases, with the plain words to use instead. */
const forbidden = [
  [/\bwho(m|so)?ever\b/i, 'user, caller, anyone'],
  [/\bof (theirs|his|hers|whom|whose)\b/i, '"their …", "whose …" after a noun'],
  [/\b(there|where|here)(of|by|upon|in|with)\b(?!\s*\()/i, 'a plain preposition'],
  [/\b(is|are|was|were) not there\b/i, 'does not exist, is missing, was not found'],
  [/\bthat there (is|are)\b/i, '"every …", "all …"'],
  [/\b(nobody|nothing|none|no one) (may|is|has|can|shall|else)\b/i, 'name the user, value or rule'],
  [/\b(somebody|nobody)\b/i, 'a user, a caller, no user'],
  [/\bfor ever\b/i, 'permanently, never expires'],
  [/\bbe it\b/i, 'whether'],
  [/\bin place of\b/i, 'instead of'],
  [/\bas it stands\b/i, 'now, unchanged'],
  [/\blets? \w+ by\b/i, 'allows, accepts'],
  [/\b(is|are|was|were|being|been) told\b/i, 'learns, is reported, is notified'],
  [/\bstands? (in|at|by)\b/i, 'is in, is stored in'],
  [/\b(save|but) for\b(?! later)/i, 'except'],
  [/\b(shall|ought)\b/i, 'must, should'],
  [/\bis (no|not a) business of\b/i, 'does not belong to'],
  [/\bat hand\b/i, 'available, current'],
  [/\bby way of\b/i, 'through, with'],
  [/\bof its own accord\b/i, 'automatically'],
  [/\bin vain\b/i, 'without effect'],
  [/\bonce and for all\b/i, 'permanently'],
];

const readable = /\.(ts|tsx|mjs|js|md|html|css|sql|yml|yaml|conf|service|example|sh)$|Caddyfile|Dockerfile/;
// Files that are not checked: this file, which quotes the phrases, and licenses.
const skipped = /^(scripts\/check-words\.mjs|package-lock\.json|LICENSE|.*licenses.*)$/i;

/** Files in which the words are data, such as reserved usernames. */
const allowed = new Map([['src/users/rules.ts', 'nobody']]);

const paths = process.argv.slice(2);
const listed = execFileSync('git', ['ls-files', ...paths], { encoding: 'utf8' })
  .trim()
  .split('\n');
let found = 0;
for (const path of listed.filter((path) => readable.test(path) && !skipped.test(path))) {
  // Parsing takes long, so only files that contain a phrase are parsed.
  const source = readFileSync(path, 'utf8');
  if (!forbidden.some(([phrase]) => phrase.test(source))) continue;
  for (const { line, text } of sentencesOf(path)) {
    for (const [phrase, instead] of forbidden) {
      const match = phrase.exec(text);
      if (!match || match[0] === allowed.get(path)) continue;
      found += 1;
      const at = line + text.slice(0, match.index).split('\n').length - 1;
      console.log(`${path}:${at} "${match[0]}": write ${instead}`);
    }
  }
}
if (found > 0) {
  console.error(`\n${found} phrases to rewrite. CONTRIBUTING.md says how this project writes.`);
  process.exit(1);
}
