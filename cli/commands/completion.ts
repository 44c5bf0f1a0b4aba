import { catalogue } from '../catalogue.ts';
import type { Command } from '../command.ts';
import { print, printJson } from '../output.ts';
import { UsageError } from '../usage-error.ts';

const options = ['--json', '--help'];
const firsts = [...new Set(catalogue.map(({ name }) => name.split(' ')[0] ?? ''))];
const secondsOf = (first: string) =>
  catalogue.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1] ?? '');
const groups = firsts.filter((first) => secondsOf(first).length > 0);

const bash = () => `
_latchkey() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${firsts.join(' ')} --help --version"
  else
    words="${options.join(' ')}"
    if [ "$COMP_CWORD" -eq 2 ]; then
      case \${COMP_WORDS[1]} in
${groups.map((group) => `        ${group}) words="${secondsOf(group).join(' ')} $words" ;;`).join('\n')}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _latchkey latchkey`;

const zsh = () => `
#compdef latchkey
_latchkey() {
  if (( CURRENT == 2 )); then
    compadd -- ${firsts.join(' ')} --help --version
  else
    if (( CURRENT == 3 )); then
      case $words[2] in
${groups.map((group) => `        ${group}) compadd -- ${secondsOf(group).join(' ')} ;;`).join('\n')}
      esac
    fi
    compadd -- ${options.join(' ')}
  fi
}
compdef _latchkey latchkey`;

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
const fish = () =>
  catalogue
    .map(({ name, summary }) => {
      const [first = '', second] = name.split(' ');
      return second === undefined
        ? `complete -c latchkey -f -n __fish_use_subcommand -a ${first} -d ${quoted(summary)}`
        : `complete -c latchkey -f -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(summary)}`;
    })
    .concat(
      groups.map((group) => `complete -c latchkey -f -n __fish_use_subcommand -a ${group}`),
      'complete -c latchkey -l json -d "Print for programs"',
      'complete -c latchkey -l help -d "Say how it is used"',
    )
    .join('\n');

const scripts: Record<string, () => string> = { bash, zsh, fish };

/** A script for the shell to source: `source <(latchkey completion bash)`. */
export const completion: Command = {
  usage: 'bash|zsh|fish',
  words: [1, 1],
  async run({ words: [shell = ''], json }) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell]?.().trim() : undefined;
    if (script === undefined) throw new UsageError(`Expected bash, zsh or fish, not \`${shell}\`.`);
    if (json) printJson({ shell, script });
    else print(script);
    return undefined;
  },
};
