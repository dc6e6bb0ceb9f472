/**
 * The scripts that teach a shell to complete our words: each calls `contracts complete --` with the
 * words as they are typed and offers the lines that come back. The words are passed on as arguments
 * and never evaluated: what stands half typed on a command line must not run at a Tab.
 */

export type Shell = 'bash' | 'zsh' | 'fish';

const BASH = `# contracts: completion for bash. In ~/.bashrc: source <(contracts completion bash)
_contracts_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(command contracts complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
}
complete -F _contracts_complete contracts
`;

const ZSH = `#compdef contracts
# contracts: completion for zsh. In ~/.zshrc: source <(contracts completion zsh)
_contracts() {
  local line files=0
  local -a values texts
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      files=1
    else
      values+=("\${line%%$'\\t'*}")
      texts+=("\${line/$'\\t'/  -- }")
    fi
  done < <(command contracts complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)
  if (( files )); then
    _files
  elif (( \${#values} )); then
    compadd -l -d texts -a values
  fi
}
if [[ \${funcstack[1]} == _contracts ]]; then
  _contracts "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i }
  compdef _contracts contracts
fi
`;

const FISH = `# contracts: completion for fish. In config.fish: contracts completion fish | source
function __contracts_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l lines (command contracts complete -- $words[2..-1] "$last" 2>/dev/null </dev/null)
    if contains -- ':files' $lines
        __fish_complete_path "$last"
    else
        printf '%s\\n' $lines
    end
end
complete -c contracts -f -a '(__contracts_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
