import { catalogue } from '../catalogue.ts';
import { command } from '../command.ts';
import { sharedFlags } from '../help.ts';
import { print, printJson } from '../output.ts';
import { UsageError } from '../usage-error.ts';

const options = Object.keys(sharedFlags).map((flag) => `--${flag}`);
const firsts = [...new Set(catalogue.map(({ name }) => name.split(' ')[0] ?? ''))];
const secondsOf = (first: string) =>
  catalogue.flatMap(({ name }) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : []));
const groups = firsts.filter((first) => secondsOf(first).length > 0);
const bash = () => `
_latchkey() {
  local candidates="${options.join(' ')}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    candidates="${firsts.join(' ')} --help --version"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case \${COMP_WORDS[1]} in
${groups.map((group) => `      ${group}) candidates="${secondsOf(group).join(' ')} $candidates" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _latchkey latchkey`;

const zsh = () => `
#compdef latchkey
autoload -U +X bashcompinit && bashcompinit${bash()}`;

const fish = () =>
  [
    ...groups.map((group) => `complete -c latchkey -f -n __fish_use_subcommand -a ${group}`),
    ...catalogue.map(({ name, summary }) => {
      const [first, second] = name.split(' ');
      const condition = second ? `'__fish_seen_subcommand_from ${first}'` : '__fish_use_subcommand';
      const description = summary.replaceAll("'", "\\'");
      return `complete -c latchkey -f -n ${condition} -a ${second ?? first} -d '${description}'`;
    }),
    ...Object.entries(sharedFlags).map(
      ([flag, { about }]) => `complete -c latchkey -l ${flag} -d '${about}'`,
    ),
  ].join('\n');

const scripts = new Map(Object.entries({ bash, zsh, fish }));

const completion = command({
  args: '<shell>',
  note: `The shell is bash, zsh or fish. To load the script:
  bash: source <(latchkey completion bash)
  zsh:  source <(latchkey completion zsh)
  fish: latchkey completion fish | source`,
  async run({ args: [shell = ''], json }) {
    const script = scripts.get(shell)?.().trim();
    if (script === undefined) throw new UsageError(`Unknown shell "${shell}". Expected bash, zsh or fish.`);
    return json ? printJson({ shell, script }) : print(script);
  },
});

export const commands = { '': completion };
