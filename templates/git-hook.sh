#!/bin/sh
# Every hook of git in one call of an agent (docs/security.md#hooks-of-git). It refuses what the agent has no permission
# for, in the repository of the workspace alone, and then runs the hook that the repository's own settings name. It
# refuses where it cannot decide.
hook=${0##*/}
unset CDPATH

note() { # verdict, words: a line for the runner, for as long as the log is small
  words=$(printf %s "$2" | tr -d '\000-\037\177"\\')
  [ "$(wc -c <"$log" || echo 0)" -gt 1000000 ] ||
    printf '{"client":"git","tool":"%s","verdict":"%s","why":"%s"}\n' "$hook" "$1" "$words" >>"$log"
} 2>/dev/null

refuse() {
  note deny "$1"
  printf '%s\n' "$begin$1$end" >&2
  exit 1
}

has() { case " $may " in *" $1 "*) ;; *) return 1 ;; esac; }
needs() { has "$1" || refuse "git $1: this agent may $words_may"; }

folder() ([ -n "$1" ] && cd "$1" 2>/dev/null && pwd -P)

# The folder or the address that a remote leads to, from a folder.
goal() (
  cd "$2" 2>/dev/null || exit
  path=${1#file://}
  # shellcheck disable=SC2046
  unset $(git rev-parse --local-env-vars)
  common=$(cd "$path" 2>/dev/null && git rev-parse --git-common-dir) || { echo "$path" && exit; }
  cd "$path" && folder "$common"
)

# The subcommand of the git that calls this hook; nothing where it cannot be read.
caller() {
  { tr '\n\0' ' \n' <"/proc/$PPID/cmdline" || ps -o args= -p "$PPID" | tr ' ' '\n'; } 2>/dev/null | {
    read -r sub
    case ${sub##*/} in git-*) sub=${sub##*/git-} ;; *) sub= ;; esac
    while [ -z "$sub" ] && read -r word; do
      case $word in
        -[cC] | --git-dir | --work-tree | --namespace | --config-env | --attr-source | --super-prefix | --shallow-file) read -r word ;;
        -*) ;;
        *) sub=$word ;;
      esac
    done
    git --list-cmds=builtins | grep -qx -e "$sub" || { other=$(git config --get "alias.$sub") && sub=${other%% *}; }
    echo "$sub"
  }
}

# What moves HEAD or a branch.
moves() {
  case $sub in
    commit | cherry-pick | revert | am) [ -e "$(git rev-parse --git-path MERGE_HEAD)" ] && echo merge || echo commit ;;
    merge | pull) echo merge ;;
    *) echo branch ;;
  esac
}

judge() { # old value, new value, ref
  case $2 in
    ref:*) [ "$2" != "ref:$(git symbolic-ref -q "$3")" ] || return 0 ;;
    *[!0]*) [ "$1" != "$2" ] || return 0 ;; # the values of a deletion may both be zero
  esac
  case $sub:$3 in
    pack-refs:*) ;; # stores refs in another way, and moves none
    push:refs/remotes/*) has push || note evaded "git push: pushed to ${3#refs/remotes/} past the hook of git" ;;
    *:[A-Z]*_HEAD | *:AUTO_MERGE | *:refs/remotes/* | *:refs/prefetch/* | *:refs/rewritten/* | fetch:refs/tags/*) ;;
    *:refs/tags/*) needs tag ;;
    *:refs/stash) needs stash ;;
    *:refs/notes/*) needs commit ;;
    rebase:*) [ "$2" = "$(git rev-parse -q --verify "$3")" ] || needs rebase ;; # an abort moves nothing
    *:HEAD | *:refs/heads/*) needs "$(moves)" ;;
    *) needs branch ;;
  esac
}

# A repository that git init or clone is making is none yet.
here=$(folder "$(git rev-parse --git-common-dir 2>/dev/null || echo "${GIT_DIR:-.git}")")
case $here in
  "$common" | "$common"/*)
    [ -s "$log" ] && grep -q '"verdict":"hooked"' "$log" || note hooked ''
    case $hook in
      pre-push) needs push ;;
      pre-rebase) needs rebase ;;
      post-checkout)
        # Before 2.46 git asks no hook whether it may check out another branch: that is only seen.
        moved=$([ "$3" = 1 ] && git log -g -1 --format=%gs HEAD | sed -n 's/^checkout: moving from //p' | grep -v '^\(.*\) to \1$')
        case $3:$(caller):$moved in
          1:checkout:?* | 1:switch:?*) has branch || note evaded "git branch: checked out another branch, from $moved" ;;
          1:worktree:*) has branch || note evaded "git branch: checked out a branch in a worktree of its own" ;;
        esac
        ;;
    esac
    ;;
  '') refuse "git: in which repository this is could not be read" ;;
  *)
    # A repository that it made itself; but a push into that of the workspace, or to a remote of it.
    if [ "$hook" = pre-push ]; then
      to=$(goal "$2" .)
      [ "$to" != "$common" ] || needs push
      git --git-dir="$common" remote -v | cut -f 2- | while read -r url; do
        [ "$to" != "$(goal "${url% (*}" "$root")" ] || exit 1
      done || needs push
    fi
    common=
    ;;
esac

input=
if [ "$hook:$1" = reference-transaction:prepared ] && [ -n "$common" ]; then
  input=$(cat)
  sub=$(caller)
  while read -r old new ref; do
    judge "$old" "$new" "$ref"
  done <<LINES
$input
LINES
fi

# From here as if ours had never been set.
unset "GIT_CONFIG_KEY_$at" "GIT_CONFIG_VALUE_$at"
if [ "$GIT_CONFIG_COUNT" != "$((at + 1))" ]; then
  export "GIT_CONFIG_KEY_$at=contracts.none" "GIT_CONFIG_VALUE_$at="
elif [ "$at" = 0 ]; then
  unset GIT_CONFIG_COUNT
else
  export "GIT_CONFIG_COUNT=$at"
fi
own=$(git rev-parse --git-path hooks)/$hook
if [ ! -f "$own" ] || [ ! -x "$own" ] || [ "$own" = "$0" ]; then exit 0; fi
[ -n "$input" ] || exec "$own" "$@"
printf '%s\n' "$input" | "$own" "$@"
