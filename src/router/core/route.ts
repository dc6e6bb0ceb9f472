/**
 * What a message is: a request for a workflow, a team or a squad, or nothing of the kind. Only a person's
 * message is looked at, and none while a plan is being worked on. Pure.
 */
import type { SquadChoice } from '../../squads/core/squad-inference.ts';
import { DEFAULT_SQUAD } from '../../squads/core/squad.ts';
import { FIRST_MIN, SURE_MIN } from '../../teams/core/teams.ts';
import {
  heaviest,
  weigh,
  wordingOf,
  type Terms,
  type Wording,
} from '../../task/core/base/wording.ts';
import type { RouterData } from './router-lines.ts';

export type Decision = Omit<RouterData<'route'>, 'v' | 'event' | 'does'>;

/** English and Korean. */
export interface Words {
  /** By the name of the workflow. */
  readonly workflows: ReadonlyMap<string, Terms>;
  /** Several agents are asked for. */
  readonly several: Terms;
  /** Nothing is asked for. */
  readonly small_talk: Terms;
  /** A small change in one place, which no workflow is for. */
  readonly trivial: Terms;
}

/** Asked only where it is needed. */
export interface Known {
  readonly words: Words;
  readonly team: (wording: Wording) => ReturnType<typeof heaviest>;
  readonly squad: () => SquadChoice;
  readonly agentOf: (kind: 'workflow' | 'team' | 'squad', name: string) => string | undefined;
  /** A plan that is being worked on. */
  readonly busy: () => string | undefined;
}

export const USER = 'user';
export const TEXT_CHARS_MAX = 20_000;
/** So many points of team words ask for several agents. */
const TEAM_MIN = 4;
/** A message with fewer points is no request for a workflow. */
const WORKFLOW_MIN = 3;

function passed(reason: string, more: Partial<Decision> = {}): Decision {
  return {
    should_route: false,
    workflow: null,
    squad: null,
    preset: null,
    agent: null,
    confidence: 0,
    reason,
    handler: 'direct',
    safety_check: 'PASSED',
    next: '',
    ...more,
  };
}

export function route(text: string, source: string, known: Known): Decision {
  if (source !== USER) {
    const reason = `a message from ${source}, not from the user`;
    return passed(reason, { handler: 'pass_through', safety_check: 'AGENT_SOURCE' });
  }
  const busy = known.busy();
  if (busy !== undefined) {
    const next = `contracts plan status ${busy}`;
    const reason = `the plan ${busy} is being worked on`;
    return passed(reason, { handler: 'plan', safety_check: 'ACTIVE_PLAN', next });
  }
  const wording = wordingOf(text);
  const why = whyNot(text, wording, known.words);
  if (why !== undefined) return passed(why);
  const team = known.team(wording);
  const best = heaviest(known.words.workflows, wording);
  const isFirst = team.score >= FIRST_MIN && best.score < team.score;
  const name = team.name === 'implementation' ? 'build' : team.name;
  const hasOwn = known.words.workflows.has(name);
  const workflow = isFirst && hasOwn && best.name !== name ? { ...team, name } : best;
  const choice = known.squad();
  const isNone = workflow.score < WORKFLOW_MIN;
  const isSeveral = weigh(known.words.several, wording).score >= TEAM_MIN && team.score > 0;
  const isOther = choice.how === 'inferred' && choice.name !== DEFAULT_SQUAD;
  const quoted = `'${text.replace(/\s+/g, ' ').replaceAll("'", String.raw`'\''`)}'`;
  const of = (handler: 'workflow' | 'team' | 'squad', found: typeof team, next: string) =>
    passed(`${handler} ${found.name}: ${found.words.slice(0, 5).join(', ')}`, {
      should_route: true,
      squad: choice.name,
      agent: known.agentOf(handler, found.name) ?? null,
      confidence: found.confidence,
      handler,
      next,
    });
  // What no workflow is for, such as a search for weak spots, is a team's work, however it is asked for.
  if (isSeveral || (isFirst && !hasOwn) || (isNone && team.confidence >= SURE_MIN)) {
    const next = `contracts team start ${team.name} ${quoted}`;
    return { ...of('team', team, next), preset: team.name };
  }
  const ofSquad = `contracts plan new ${quoted} --squad ${choice.name}`;
  if (isNone && isOther) {
    return of('squad', { ...choice, words: [choice.why], score: 0 }, ofSquad);
  }
  if (isNone) return passed('no word asks for a workflow or a team');
  const next = `contracts plan new --workflow ${workflow.name} ${quoted}`;
  const isTheirs = isOther && workflow.name === 'build';
  return { ...of('workflow', workflow, isTheirs ? ofSquad : next), workflow: workflow.name };
}

/** A question that is answered in a sentence, whatever it names. */
const ASKED =
  /^(?:(?:hey|hi|so|and|btw|quick question|just wondering)[,:]?\s+)?(?:what(?:'?s| is| are| was| does| port| version)|which|when|who|where|is |are |did |does |do you|has |have you|how (?:far|many|much|long|big|old|often|is|was|did)|any (?:news|progress|update))/i;
const ASKED_KO =
  /(?:뭐(?:였지|예요|야|지|에요)|인가요|어디까지|언제(?:야|예요|인가요|쯤)?|몇\s?(?:개|시|명|번|퍼센트)|됐어\??$|됬어\??$|되었나요|됐나요|끝났|뭔가요|무엇인가요|얼마나|누구|어때|나요|까요|을까|습니까)/;
const REQUESTED =
  /\b(?:please|pls|plz|can you|could you|would you|can we|could (?:a|several|we|some)|i want|i(?:'d| would) like|i need|we need|need|let'?s|help me|have (?:a|several|some|multiple|three|two|four|five)|get |put |find out|figure|fix|review|set up)\b/i;
const REQUESTED_KO =
  /(?:해\s?줘|해\s?주|주세요|주실|줄래|부탁|하자|할까|바랍니다|필요|싶|봐\s?줘|줘|주면|시켜|합시다|가자|해봐|해라|하라)/;

function whyNot(text: string, wording: Wording, words: Words): string | undefined {
  const sum = (terms: Terms): number => weigh(terms, wording).score;
  const requests = REQUESTED.test(text) || REQUESTED_KO.test(text);
  const asks = ASKED.test(text) || (ASKED_KO.test(text) && !REQUESTED_KO.test(text));
  if (text === '') return 'the message is empty';
  if (sum(words.small_talk) >= 3 && !(requests && text.length > 80)) return 'small talk';
  const isSeveral = sum(words.several) >= TEAM_MIN;
  if (asks && !(isSeveral ? text.length > 60 : requests && text.length > 120))
    return 'a question, not a request for work';
  if (sum(words.trivial) >= 3 && !isSeveral && text.length < 160) {
    return 'a small change in one place';
  }
  return undefined;
}
