/**
 * A walk through a command line, one simple command after the other: where it stands (shell-place.ts),
 * what starts others, and what it does not know. What interpreters, build tools and programs that were
 * there before do by themselves is not seen. It never fails.
 */
import type { ChangeKind } from './authority.ts';
import { fileDeeds, operands, startedIn, valuesOf, type FileDeed } from './file-deeds.ts';
import { forgeDeeds, gitDeeds, published, type GitDeeds } from './git-deeds.ts';
import { resolvePath } from './paths.ts';
import { printed, roots } from './shell-output.ts';
import type { Deed, Place, Shared } from './shell-place.ts';
import { UNKNOWN, word, type Source, type Word } from './shell-word.ts';
import { KEYWORDS, readCommands, settings, type SimpleCommand } from './shell-words.ts';

const DEPTH_MAX = 6;
/** Starters: their short options that take a word, and how many words stand before the command. */
const STARTERS: ReadonlyMap<string, readonly [string, number]> = new Map(
  (
    'env:uCS sudo:ughpCDTR doas:uC nice:n ionice:np timeout:sk:1 stdbuf:ioe unshare:SGR setsid nohup ' +
    'exec:a command builtin time:fo chrt:TPD:1 setpriv taskset::1 flock:wEc:1 su:csgGu:9 sg:c:9 ' +
    'runuser:cugG:9 script:cEIOB:9 chroot::1 strace:oeEpsuPa ltrace:oeupsa watch:n gosu::1 ' +
    'su-exec::1 setarch nsenter:tSG busybox toybox parallel:jNnI xvfb-run:nse unbuffer caffeinate:tw'
  )
    .split(' ')
    .map((one) => one.split(':'))
    .map(([name = '', letters = '', before = '0']) => [name, [letters || '-', Number(before)]]),
);
/** Variables that name a program, or where others read or write. */
const STARTING =
  /^(GIT_(?!(AUTHOR|COMMITTER)_|(TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT)$)\w*|EDITOR|VISUAL|(MAN)?PAGER|(BASH_)?ENV|(LD|DYLD)_\w+|PROMPT_COMMAND|CDPATH|LESS(OPEN|CLOSE)|SSH_ASKPASS|(SHELL|BASH)OPTS|BASH_FUNC.*)$/;
const HARMLESS = /^(|\d|cat|less|more|true|false|:|no|never|\.|(\.\/)?\.git)$/;
const SETTERS = /^(read|mapfile|readarray|getopts|unset|declare|local|typeset)$/;
const CLOSERS = /^(fi|done|esac|\})$/;

export class Walk {
  readonly #at: Place;
  readonly #shared: Shared;
  readonly #depth: number;
  #one: SimpleCommand = { assigned: [], words: [], redirections: [], before: '', after: '' };
  /** What comes on its stdin; undefined where it is not known. */
  #input: string | undefined;

  constructor(at: Place, shared: Shared, depth: number) {
    this.#at = at;
    this.#shared = shared;
    this.#depth = depth;
  }

  /** What it prints, where that is known. */
  run(text: Source): string | undefined {
    let all: string | undefined = '';
    let piped: string | undefined;
    for (const one of readCommands(text, this.#at.variables, (inner) => this.#again(inner))) {
      if (this.#shared.left-- <= 0) return undefined;
      this.#one = one;
      const input = one.input?.text ?? (one.before === '|' ? piped : undefined);
      this.#input = one.from !== undefined || input?.includes(UNKNOWN) === true ? undefined : input;
      const said = this.#command(one);
      if (one.after === '|') piped = said;
      else all = all === undefined || said === undefined ? undefined : `${all}${said}\n`;
      this.#at.passed(one.after);
    }
    return all?.trimEnd();
  }

  /** In a shell of its own, or in this one. */
  #again(text: Source, at = this.#at.copy()): string | undefined {
    if (this.#depth >= DEPTH_MAX) return this.#unknown('the command is nested too deeply');
    return new Walk(at, this.#shared, this.#depth + 1).run(text);
  }

  #unknown(why: string): undefined {
    this.#did({ kind: 'unknown', why });
  }

  #did(deed: Deed): void {
    this.#shared.deeds.push(deed);
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
    const { cwds } = this.#at;
    const said = this.#program(this.#afterKeywords(one.words));
    const isApart = one.before === '|' || /^[|&]$/.test(one.after);
    if (isApart && /^(cd|pushd|popd)$/.test(one.words[0]?.text ?? '')) this.#at.cwds = cwds;
    for (const { op, target } of one.redirections) {
      this.#change(op === '>>' ? 'append' : 'write', target, op === '>' ? said : undefined);
    }
    return one.redirections.length === 0 ? said : '';
  }

  /** What a program would take from it: another program, or a place. */
  #setting(name: string, value: string): void {
    const isTrust = name === 'CONTRACTS_TRUST';
    if (isTrust) this.#did({ kind: 'verb', words: ['--trust'], cwd: this.#at.cwds[0] });
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

  #paths(text: string): string[] {
    const from = text.startsWith('/') ? ['/'] : this.#at.cwds;
    return from.map((cwd) => resolvePath(cwd, text));
  }

  #isThere(text: string, what: RegExp): boolean {
    const { standing, folders } = this.#shared;
    const kindOf = (path: string): string =>
      folders.has(path) ? 'folder' : (standing.kind?.(path) ?? '');
    return this.#paths(text).some((path) => what.test(kindOf(path)));
  }

  /** `said`: what the file then holds. */
  #change(change: ChangeKind | 'folder' | 'kept', { text, known }: Word, said?: string): void {
    const shown = text.replaceAll(UNKNOWN, '…');
    const paths = this.#paths(text);
    if (!known) this.#unknown(`where ${shown} leads is not known before it runs; name the file`);
    else if (paths.length === 0)
      this.#unknown(`the folder of ${shown} is not known; name the whole path`);
    for (const path of known && text !== '' ? paths : []) {
      if (change === 'folder') this.#shared.folders.add(path);
      else if (/write|append/.test(change)) this.#shared.written.set(path, said);
      this.#did(
        change === 'folder'
          ? { kind: change, path }
          : { kind: 'change', change: change === 'kept' ? 'write' : change, path },
      );
    }
  }

  #files(deeds: readonly FileDeed[]): void {
    for (const { change, word: one, name: own = '' } of deeds) {
      const isIn = change === 'into' && this.#isThere(one.text, /folder/);
      if (change === 'whole') this.#whole(one.text, this.#paths('.'));
      else if (change === 'into') this.#change('write', isIn ? word(`${one.text}/${own}`) : one);
      else this.#change(change, one);
    }
  }

  #whole(what: string, cwds: readonly string[]): void {
    for (const cwd of cwds.length === 0 ? ['/'] : cwds) this.#did({ kind: 'whole', what, cwd });
  }

  #git(made: GitDeeds): void {
    const { folder = '.', whole, unknown } = made;
    const cwds = folder.includes(UNKNOWN) ? [] : this.#paths(folder);
    for (const operation of made.operations) {
      if (cwds.length === 0) this.#did({ kind: 'git', operation });
      for (const cwd of cwds) this.#did({ kind: 'git', operation, cwd });
    }
    if (unknown !== undefined) this.#did({ kind: 'unknown_git', word: unknown });
    if (whole !== undefined) this.#whole(whole, cwds);
    const within = (text: string): Word => word(text.startsWith('/') ? text : `${folder}/${text}`);
    for (const text of made.written ?? []) this.#change('write', within(text));
    for (const text of made.removed ?? []) this.#change('delete', within(text));
  }

  #program(words: readonly Word[]): string | undefined {
    const [first, ...rest] = words;
    if (first === undefined) return '';
    const name = /[^/]*$/.exec(first.text)?.[0] ?? '';
    const texts = rest.map(({ text }) => text);
    if (!first.known && (name.includes(UNKNOWN) || !first.text.includes('/'))) {
      return this.#unknown('the program is not known before it runs; write its name');
    }
    const body = this.#shared.functions.get(first.text);
    if (body !== undefined) {
      const old = this.#at.positional(rest);
      const said = this.#again(body, this.#at);
      this.#at.positional(old);
      return said;
    }
    const { written } = this.#shared;
    if (first.text.includes('/') && this.#paths(first.text).some((path) => written.has(path))) {
      return this.#script(first);
    }
    if (/^ld(-[\w.-]*)?\.so[\d.]*$/.test(name)) return this.#program(operands(rest));
    if (STARTERS.has(name)) return this.#started(name, rest);
    if (/^(ba|da|z|k|a|mk|fi)?sh$/.test(name)) return this.#shell(rest);
    if (this.#builtin(name, rest)) return '';
    const own = ownWords(name, rest);
    const at = startedIn(name, rest);
    if (own !== undefined) this.#did({ kind: 'verb', words: own, cwd: this.#at.cwds[0] });
    else if (name === 'git') this.#git(gitDeeds(texts, (path) => this.#isThere(path, /./)));
    else if (/^(gh|glab|hub|tea)$/.test(name)) this.#git(forgeDeeds(texts));
    else if (published(name, texts)) this.#git({ operations: ['push'] });
    else if (name === 'find') this.#find(rest);
    else if (name === 'xargs') this.#xargs(rest);
    else if (at !== -1) return this.#program(rest.slice(at));
    this.#files(fileDeeds(name, rest, this.#input));
    const said = printed(name, rest, this.#around());
    const isFolder = name === 'mktemp' && texts.some((text) => /^-[a-z]*d|^--dir/.test(text));
    if (name === 'mktemp') this.#change(isFolder ? 'folder' : 'write', word(said ?? UNKNOWN));
    return said;
  }

  #around() {
    const { cwds, variables } = this.#at;
    const { variables: given, cwd } = this.#shared.standing;
    const root = given['CONTRACTS_ROOT'] ?? cwd;
    const temporary = variables.get('TMPDIR') ?? '/tmp';
    return { cwd: cwds.length === 1 ? cwds[0] : undefined, root, temporary, input: this.#input };
  }

  /** True when it is one. */
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
    } else if (name === 'cd' || name === 'pushd') {
      if (name === 'pushd') this.#at.push();
      const to = given.length === 0 ? undefined : first;
      this.#at.enter(to, this.#one.before, (path) => this.#isThere(path, /folder/));
    } else if (name === 'popd') this.#at.pop();
    else if (name === 'shift') this.#at.positional([], true);
    else if (name === 'eval') {
      this.#text(word(rest.map(({ text }) => text).join(' ')), name, this.#at);
    } else if (name === '.' || name === 'source') this.#script(first);
    else if (name === 'trap') {
      if (given.length > 1) this.#text(first, name);
    } else if (name === 'alias') {
      if (first.text.includes('='))
        this.#unknown('an alias hides what runs; write the command itself');
    } else {
      if (name === 'set' && rest[0]?.text === '--') this.#at.positional(rest.slice(1));
      const [variable] = name === 'printf' ? valuesOf(rest.slice(0, 2), 'v') : [];
      if (variable !== undefined) this.#at.set(variable.text, undefined, this.#one.before);
      return false;
    }
    return true;
  }

  #started(name: string, rest: readonly Word[]): string | undefined {
    const [letters, before] = STARTERS.get(name) ?? ['-', 0];
    const takes = new RegExp(`^-[a-zA-Z]*[${letters}]$`);
    if (name === 'script')
      this.#change('write', operands(rest, takes).at(-1) ?? word('typescript'));
    const [text] = letters.includes('c') ? valuesOf(rest, 'c', '--command') : [];
    if (text !== undefined) return this.#text(text, name);
    const isOption = ({ text: one }: Word, i: number): boolean =>
      one.startsWith('-') ||
      takes.test(rest[i - 1]?.text ?? '') ||
      (name === 'env' && /^\w+=/.test(one));
    const end = rest.findIndex((one, i) => !isOption(one, i));
    const options = end === -1 ? rest : rest.slice(0, end);
    const words = end === -1 ? [] : rest.slice(end + before);
    for (const one of options) {
      const [, variable, value = ''] = /^(\w+)=([^]*)$/.exec(one.text) ?? [];
      if (variable !== undefined) this.#setting(variable, value);
    }
    const joined = [...(name === 'env' ? valuesOf(options, 'S', '--split-string') : []), ...words];
    if (joined.length > words.length || name === 'watch') {
      return this.#text(word(joined.map((one) => one.text).join(' ')), name);
    }
    if (name === 'command' && /^-[vV]$/.test(rest[0]?.text ?? '')) return words[0]?.text;
    const [folder] = name === 'env' ? valuesOf(options, 'C', '--chdir') : [];
    const { cwds } = this.#at;
    if (folder !== undefined) this.#at.cwds = folder.known ? this.#paths(folder.text) : [];
    const said = this.#program(words);
    if (folder !== undefined) this.#at.cwds = cwds;
    return said;
  }

  #shell(rest: readonly Word[]): string | undefined {
    const given = operands(rest, /^([-+][oO]|--(rcfile|init-file))$/);
    const file = given.find(({ text }) => !/^\+\w+$/.test(text));
    const has = (letter: string): boolean =>
      rest.some(({ text }) => /^-[a-zA-Z]+$/.test(text) && text.includes(letter));
    if (has('c')) return file === undefined ? '' : this.#text(file, 'the shell');
    const script = file === undefined || has('s') ? this.#one.from : file;
    if (script !== undefined) return this.#script(script);
    if (this.#one.before !== '|' && this.#one.input === undefined) return '';
    return this.#text(word(this.#input ?? UNKNOWN), 'the shell');
  }

  /** One that was there before is a program like any other; one that this command writes is not. */
  #script(file: Word): string | undefined {
    const { written } = this.#shared;
    const isHidden =
      /^\/(dev|proc)\//.test(file.text) || (/[*\uE000]/.test(file.text) && written.size > 0);
    const path = this.#paths(file.text).find((one) => written.has(one));
    if (path === undefined && !isHidden) return undefined;
    const text = path === undefined || isHidden ? UNKNOWN : (written.get(path) ?? UNKNOWN);
    return /^#!(?!.*sh\b)/.test(text) ? undefined : this.#text(word(text), file.text);
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
    const takes = /^(-[InPLdEsa]|--(max-args|max-procs|replace|delimiter|arg-file))$/;
    const [start] = operands(rest, takes);
    const at = start === undefined ? rest.length : rest.indexOf(start);
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

/** What `contracts` is asked for, also behind what starts it; undefined for any other program. */
function ownWords(name: string, rest: readonly Word[]): readonly string[] | undefined {
  const texts = rest.map(({ text }) => text);
  const isOwn = (text = ''): boolean => /(^|\/)contracts(\.cjs|@[\w.-]+)?$/.test(text);
  if (isOwn(name)) return texts;
  const [first] = /^(npx|bunx|node|bun|tsx)$/.test(name) ? operands(rest) : [];
  return isOwn(first?.text) ? texts.slice(texts.indexOf(first?.text ?? '') + 1) : undefined;
}

/** A word that is the sign becomes all of them; within another one only a single one is known. */
function withItems(words: readonly Word[], sign: string, items: readonly Word[]): readonly Word[] {
  const only = items.length === 1 ? items[0]?.text : undefined;
  return words.flatMap((one) =>
    one.text === sign ? items : [word(one.text.replaceAll(sign, only ?? UNKNOWN))],
  );
}
