/** Collects the effects of a command line. What existing programs do inside is not seen. */
import type { ChangeKind } from '../../task/core/model/permissions.ts';
import {
  fileEffects,
  isKnown,
  operands,
  startedIn,
  valuesOf,
  type FileEffect,
} from './file-effects.ts';
import { forgeEffects, gitEffects, published, type GitEffects } from './git-operations.ts';
import { resolvePath } from '../../task/core/base/paths.ts';
import { printed, roots } from './shell-output.ts';
import type { ShellEffect, Place, Shared } from './shell-place.ts';
import { UNKNOWN, word, type Source, type Word } from './shell-word.ts';
import { KEYWORDS, readCommands, settings, type SimpleCommand } from './shell-words.ts';

const DEPTH_MAX = 6;
/** Programs that start the program among their arguments. */
const STARTERS = new Set(
  (
    'env sudo doas nice ionice timeout stdbuf unshare setsid nohup exec command builtin time chrt ' +
    'setpriv taskset flock setarch busybox toybox xvfb-run unbuffer caffeinate'
  ).split(' '),
);
/** Their options that run a text, or change the folder. */
const ASIDE = /^(-[a-zA-Z]*[CDRScw]|--(chd|spl|com|wd|roo).*)$/;
/** Programs that start it internally, from a text, or in another place. */
const HIDING =
  /^(su|sg|runuser|script|chroot|watch|gosu|su-exec|nsenter|parallel|strace|ltrace|alias|ld\b.*\.so.*)$/;
const SHELL = /^(ba|da|z|k|a|mk|fi)?sh$/;
const FORGE = /^(gh|glab|hub|tea)$/;
/** Known beside the programs that change files. */
const STARTED = /^(git|xargs|contracts.*|gem|twine|vsce|eval|\.|source|cd|pushd|popd|trap)$/;
/** Variables that name a program, or where others read or write. */
const STARTING =
  /^(GIT_(?!(AUTHOR|COMMITTER)_|(TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT)$)\w*|EDITOR|VISUAL|(MAN)?PAGER|(BASH_)?ENV|(LD|DYLD)_\w+|PROMPT_COMMAND|CDPATH|LESS(OPEN|CLOSE)|SSH_ASKPASS|(SHELL|BASH)OPTS|BASH_FUNC.*)$/;
const HARMLESS = /^(|\d|cat|less|more|true|false|:|no|never|\.|(\.\/)?\.git)$/;
/** The runner gives its hooks of git by these: a git without them would call none. */
const OF_HOOKS = /^GIT_CONFIG_(COUNT|KEY_|VALUE_|PARAMETERS)/;
const KEEP = 'a git without the settings that the runner gave it runs no hooks; leave them';
/** Words of `env` that empty the environment, or take one of these out of it. */
const DROPS = /^(-|-[a-zA-Z0]*i[a-zA-Z0]*|--ignore.*|(-[a-zA-Z0]*u|--unset=)?GIT_CONFIG_\w+)$/;
const SETTERS = /^(read|mapfile|readarray|getopts|unset|declare|local|typeset)$/;
const CLOSERS = /^(fi|done|esac|\})$/;

export class Walk {
  readonly #at: Place;
  readonly #shared: Shared;
  readonly #depth: number;
  #one: SimpleCommand = { assigned: [], words: [], redirections: [], before: '', after: '' };
  /** Its stdin; undefined where it is not known. */
  #input: string | undefined;

  constructor(at: Place, shared: Shared, depth: number) {
    this.#at = at;
    this.#shared = shared;
    this.#depth = depth;
  }

  /** Returns what it prints, where that is known. */
  run(text: Source): string | undefined {
    let all: string | undefined = '';
    let piped: string | undefined;
    for (const one of readCommands(text, this.#at.variables, (inner) => this.#again(inner))) {
      if (this.#shared.left-- <= 0) return undefined;
      this.#one = one;
      const input = one.input?.text ?? (one.before === '|' ? piped : undefined);
      this.#input = one.from !== undefined || input?.includes(UNKNOWN) === true ? undefined : input;
      const output = this.#command(one);
      if (one.after === '|') piped = output;
      else all = all === undefined || output === undefined ? undefined : `${all}${output}\n`;
      this.#at.passed(one.after);
    }
    return all?.trimEnd();
  }

  /** In a subshell, or in this shell. */
  #again(text: Source, at = this.#at.copy()): string | undefined {
    if (this.#depth >= DEPTH_MAX) return this.#unknown('the command is nested too deeply');
    return new Walk(at, this.#shared, this.#depth + 1).run(text);
  }

  #unknown(why: string): undefined {
    this.#did({ kind: 'unknown', why });
  }

  #did(effect: ShellEffect): void {
    this.#shared.effects.push(effect);
  }

  #text({ text, known }: Word, who: string, at = this.#at.copy()): string | undefined {
    if (known) return this.#again(text, at);
    return this.#unknown(`what ${who} runs is not known before it runs; write the command itself`);
  }

  #command(one: SimpleCommand): string | undefined {
    const set = settings(one);
    for (const { name, value } of [...one.assigned, ...set]) this.#setting(name, value.text);
    for (const { name, value } of set) this.#at.set(name, value.text, one.before);
    if (one.defines !== undefined) this.#shared.functions.set(one.defines.name, one.defines.body);
    const { cwd } = this.#at;
    const output = this.#program(this.#afterKeywords(one.words));
    const isApart = one.before === '|' || /^[|&]$/.test(one.after);
    if (isApart && /^(cd|pushd|popd)$/.test(one.words[0]?.text ?? '')) this.#at.cwd = cwd;
    for (const { op, target } of one.redirections) {
      this.#change(op === '>>' ? 'append' : 'write', target);
    }
    return one.redirections.length === 0 ? output : '';
  }

  #setting(name: string, value: string): void {
    const isTrust = name === 'CONTRACTS_TRUST';
    if (isTrust) this.#did({ kind: 'verb', words: ['--trust'], cwd: this.#at.cwd });
    if (OF_HOOKS.test(name) && HARMLESS.test(value)) this.#unknown(KEEP);
    if (isTrust || !STARTING.test(name) || HARMLESS.test(value)) return;
    if (name.startsWith('GIT_')) this.#did({ kind: 'git', operation: 'config' });
    else this.#unknown(`${name} names what another program starts or reads; leave it out`);
  }

  #afterKeywords(words: readonly Word[]): readonly Word[] {
    const [{ text: name } = word(''), ...rest] = words;
    if (/^(if|while|until|for|select|case|\{)$/.test(name)) this.#at.open(name);
    if (/^(else|elif)$/.test(name)) this.#at.again();
    if (CLOSERS.test(name) && !this.#at.close()) {
      this.#unknown('a loop changes its folder for its next round; name whole paths');
    }
    if (/^(for|select|case)$/.test(name)) {
      if (name !== 'case' && rest[1]?.text === 'in')
        this.#at.loop(rest[0]?.text ?? '', rest.slice(2));
      return [];
    }
    return KEYWORDS.has(name) || CLOSERS.test(name) ? this.#afterKeywords(rest) : words;
  }

  #path(text = '.'): string | undefined {
    const from = text.startsWith('/') ? '/' : this.#at.cwd;
    return from === undefined ? undefined : resolvePath(from, text);
  }

  #isThere(text: string, what: RegExp): boolean {
    const { standing, folders } = this.#shared;
    const path = this.#path(text);
    if (path === undefined) return false;
    return what.test(folders.has(path) ? 'folder' : (standing.kind?.(path) ?? ''));
  }

  #isWritten(text: string): boolean {
    return this.#shared.written.has(this.#path(text) ?? text);
  }

  #change(change: ChangeKind | 'folder' | 'kept', { text, known }: Word): void {
    const shown = text.replaceAll(UNKNOWN, '…');
    const path = this.#path(text);
    if (!known) this.#unknown(`where ${shown} leads is not known before it runs; name the file`);
    else if (path === undefined)
      this.#unknown(`the folder of ${shown} is not known; name the whole path`);
    else if (change === 'folder') {
      this.#shared.folders.add(path);
      this.#did({ kind: change, path });
    } else if (text !== '') {
      if (/write|append/.test(change)) this.#shared.written.add(path);
      this.#did({ kind: 'change', change: change === 'kept' ? 'write' : change, path });
    }
  }

  #files(effects: readonly FileEffect[]): void {
    for (const { change, word: one, name: own = '' } of effects) {
      const isIn = change === 'into' && this.#isThere(one.text, /folder/);
      if (change === 'whole') this.#whole(one.text, this.#path());
      else if (change === 'into') this.#change('write', isIn ? word(`${one.text}/${own}`) : one);
      else this.#change(change, one);
    }
  }

  #whole(what: string, cwd = '/'): void {
    this.#did({ kind: 'whole', what, cwd });
  }

  #git(made: GitEffects): void {
    const { folder = '.', whole, unknown } = made;
    const cwd = folder.includes(UNKNOWN) ? undefined : this.#path(folder);
    for (const operation of made.operations) {
      this.#did({ kind: 'git', operation, ...(cwd === undefined ? {} : { cwd }) });
    }
    if (unknown !== undefined) this.#did({ kind: 'unknown_git', word: unknown });
    if (whole !== undefined) this.#whole(whole, cwd);
    const within = (text: string): Word => word(text.startsWith('/') ? text : `${folder}/${text}`);
    for (const text of made.written ?? []) this.#change('write', within(text));
    for (const text of made.removed ?? []) this.#change('delete', within(text));
  }

  #program(words: readonly Word[]): string | undefined {
    const [first, ...rest] = words;
    if (first === undefined) return '';
    const name = /[^/]*$/.exec(first.text)?.[0] ?? '';
    const texts = rest.map(({ text }) => text);
    const isAny = /^[\w.*-]*\*[\w.*-]*$/.test(first.text) || name.includes(UNKNOWN);
    if (isAny || (!first.known && !first.text.includes('/'))) {
      return this.#unknown('the program is not known before it runs; write its name');
    }
    const isSetter = SETTERS.test(name) || name === 'export';
    if (isSetter && texts.some((text) => OF_HOOKS.test(text))) this.#unknown(KEEP);
    const body = this.#shared.functions.get(first.text);
    if (body !== undefined) {
      const old = this.#at.positional(rest);
      const output = this.#again(body, this.#at);
      this.#at.positional(old);
      return output;
    }
    if (first.text.includes('/') && this.#isWritten(first.text)) return this.#script(first);
    if (HIDING.test(name))
      return this.#unknown(`${name} hides what runs; write the command itself`);
    const begin = STARTERS.has(name) ? rest.findIndex(begins) : -1;
    if (STARTERS.has(name)) this.#options(name, begin === -1 ? rest : rest.slice(0, begin));
    if (name === 'command' && /^-[vV]$/.test(texts[0] ?? '')) return texts[1];
    if (begin !== -1) {
      this.#files(fileEffects(name, rest.slice(0, begin + 1)));
      return this.#program(rest.slice(begin));
    }
    if (SHELL.test(name)) return this.#shell(rest);
    if (this.#builtin(name, rest)) return '';
    const own = ownWords(name, rest);
    const at = startedIn(name, rest);
    const [, dashed] = /\/git-core\/git-([\w-]+)$/.exec(first.text) ?? [];
    if (own !== undefined) this.#did({ kind: 'verb', words: own, cwd: this.#at.cwd });
    else if (name === 'git' || dashed !== undefined) {
      const line = dashed === undefined ? texts : [dashed, ...texts];
      this.#git(gitEffects(line, (path) => this.#isThere(path, /./)));
    } else if (FORGE.test(name)) this.#git(forgeEffects(texts));
    else if (published(name, texts)) this.#git({ operations: ['push'] });
    else if (name === 'find') this.#find(rest);
    else if (name === 'xargs') this.#xargs(rest);
    else if (at !== -1) return this.#program(rest.slice(at));
    this.#files(fileEffects(name, rest, this.#input));
    const output = printed(name, rest, this.#around());
    const isFolder = name === 'mktemp' && texts.some((text) => /^-[a-z]*d|^--dir/.test(text));
    if (name === 'mktemp') this.#change(isFolder ? 'folder' : 'write', word(output ?? UNKNOWN));
    return output;
  }

  #around() {
    const { cwd, variables } = this.#at;
    const { variables: given, cwd: start } = this.#shared.standing;
    const root = given['CONTRACTS_ROOT'] ?? start;
    const temporary = variables.get('TMPDIR') ?? '/tmp';
    return { cwd, root, temporary, input: this.#input };
  }

  #builtin(name: string, rest: readonly Word[]): boolean {
    const given = operands(rest, /^-[dpntuaNi]$/);
    const [first = word('')] = given;
    if (SETTERS.test(name)) {
      if (rest.some(({ text }) => /^-\w*n$/.test(text)) && !/^(read|unset)$/.test(name)) {
        this.#unknown(`${name} -n hides which variable is set`);
      }
      const value = name === 'read' && given.length === 1 ? this.#input?.trim() : undefined;
      for (const { text } of given)
        if (!text.includes('=')) this.#at.set(text, value, this.#one.before);
    } else if (/^(cd|pushd|popd)$/.test(name)) {
      const to = name === 'popd' ? word(UNKNOWN) : given.length === 0 ? undefined : first;
      this.#at.enter(to, this.#one.before, (path) => this.#isThere(path, /folder/));
    } else if (name === 'shift') this.#at.positional([], true);
    else if (name === 'eval') {
      this.#text(word(rest.map(({ text }) => text).join(' ')), name, this.#at);
    } else if (name === '.' || name === 'source') this.#script(first);
    else if (name === 'trap') {
      if (given.length > 1) this.#text(first, name);
    } else {
      if (name === 'set' && rest[0]?.text === '--') this.#at.positional(rest.slice(1));
      const [variable] = name === 'printf' ? valuesOf(rest.slice(0, 2), 'v') : [];
      if (variable !== undefined) this.#at.set(variable.text, undefined, this.#one.before);
      return false;
    }
    return true;
  }

  /** Options of a program that starts another one. */
  #options(name: string, options: readonly Word[]): void {
    if (options.some(({ text }) => ASIDE.test(text))) {
      this.#unknown(`${name} with this option hides what runs; write the command itself`);
    }
    if (name === 'env' && options.some(({ text }) => DROPS.test(text))) this.#unknown(KEEP);
    for (const { text } of options) {
      const [, variable, value = ''] = /^(\w+)=([^]*)$/.exec(text) ?? [];
      if (variable !== undefined) this.#setting(variable, value);
    }
  }

  #shell(rest: readonly Word[]): string | undefined {
    const given = operands(rest, /^([-+][oO]|--(rcfile|init-file))$/);
    const file = given.find(({ text }) => !/^\+\w+$/.test(text));
    const has = (letter: string): boolean =>
      rest.some(({ text }) => /^-[a-zA-Z]+$/.test(text) && text.includes(letter));
    if (has('c')) return file === undefined ? '' : this.#text(file, 'the shell');
    if (file !== undefined && !has('s')) return this.#script(file);
    const { before, input, from } = this.#one;
    if (before !== '|' && input === undefined && from === undefined) return '';
    return this.#unknown('what a shell reads is not followed; write the commands themselves');
  }

  /** An existing script is a program like any other; one that this command writes is not. */
  #script({ text }: Word): undefined {
    const isHidden = /^\/(dev|proc)\//.test(text) || this.#isWritten(text);
    if (isHidden || (/[*\uE000]/.test(text) && this.#shared.written.size > 0))
      this.#unknown(`what ${text.replaceAll(UNKNOWN, '…')} holds is not known before it runs`);
  }

  #find(rest: readonly Word[]): void {
    const found = roots(rest).map((root) => word(`${root.replace(/(.)\/+$/, '$1')}/*`));
    for (const [at, { text }] of rest.entries()) {
      if (text === '-delete') for (const one of found) this.#change('delete', one);
      if (!/^-(exec|execdir|ok|okdir)$/.test(text)) continue;
      const end = rest.findIndex((one, i) => i > at && /^[;+]$/.test(one.text));
      this.#program(withItems(rest.slice(at + 1, end === -1 ? undefined : end), '{}', found));
    }
  }

  #xargs(rest: readonly Word[]): void {
    const begin = rest.findIndex(begins);
    const at = begin === -1 ? rest.length : begin;
    const options = rest.slice(0, at);
    const has = (flag: RegExp): boolean => options.some(({ text }) => flag.test(text));
    const input = has(/^(-a|--arg-file)/) ? undefined : this.#input;
    const items = (input ?? UNKNOWN)
      .split(has(/^(-0|-d|--null|--delimiter)/) ? '\n' : /\s+/)
      .map(word);
    const sign = valuesOf(options, 'I', '--replace')[0]?.text ?? (has(/^-i$/) ? '{}' : undefined);
    const words = rest.slice(at);
    if (words.length === 0) return;
    this.#program(sign === undefined ? [...words, ...items] : withItems(words, sign, items));
  }
}

/** The word begins the command that such a program starts. */
function begins({ text, known }: Word): boolean {
  const name = /[^/]*$/.exec(text)?.[0] ?? '';
  if (/^(-|\w+=)/.test(text)) return false;
  const isOne = isKnown(name) || STARTERS.has(name) || text.includes('/') || !known;
  return isOne || [HIDING, SHELL, FORGE, STARTED].some((names) => names.test(name));
}

/** The arguments of `contracts`, also behind npx and the like; undefined for any other program. */
function ownWords(name: string, rest: readonly Word[]): readonly string[] | undefined {
  const texts = rest.map(({ text }) => text);
  const isOwn = (text = ''): boolean => /(^|\/)contracts(\.cjs|@[\w.-]+)?$/.test(text);
  if (isOwn(name)) return texts;
  const [first] = /^(npx|bunx|node|bun|tsx)$/.test(name) ? operands(rest) : [];
  return isOwn(first?.text) ? texts.slice(texts.indexOf(first?.text ?? '') + 1) : undefined;
}

/** A word that is the sign becomes all items; within another word only a single item is known. */
function withItems(words: readonly Word[], sign: string, items: readonly Word[]): readonly Word[] {
  const only = items.length === 1 ? items[0]?.text : undefined;
  return words.flatMap((one) =>
    one.text === sign ? items : [word(one.text.replaceAll(sign, only ?? UNKNOWN))],
  );
}
