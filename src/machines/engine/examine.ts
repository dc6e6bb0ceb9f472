/**
 * Examines the queues that this workspace names, for `doctor`: whether they answer, what waits there, who works. Asks
 * nothing for a workspace that nobody trusts: an address could carry variables to a stranger.
 */
import { filledUrl } from '../../clients/adapters/queue.ts';
import { many } from '../../task/core/base/plural.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';
import { Fault, problem, wordsOf, type Problem } from '../../task/core/model/problem.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Examined } from '../../workspace/tasks/capability.ts';
import { jobsQueue, workerSchema } from '../core/job.ts';
import { refusedLogin } from './patiently.ts';
import { openQueue, type JobQueue } from './queue.ts';

const LIMIT_MS = 3000;
const ALIVE_MS = 30_000;

interface Named {
  readonly adapter: string;
  readonly url: string;
  readonly agent: string;
  readonly labels: readonly string[];
}

export async function examine(ws: Workspace): Promise<readonly Examined[]> {
  const named = Object.entries(ws.config.adapters).flatMap(([adapter, one]): readonly Named[] => {
    const { type, url = '', agent = '', labels = [] } = one;
    return type === 'queue' ? [{ adapter, url, agent, labels: labels.toSorted() }] : [];
  });
  if (named.length === 0 || whyUntrusted(ws) === undefined)
    return Promise.all(named.map((one) => examined(ws, one)));
  const means = 'not asked: nobody trusts this workspace yet';
  const abilities = named.map(({ adapter: name }) => ({ name, holds: false, means }));
  return [{ problems: [], abilities }];
}

/** The first error of a connection ends it, and so does a server that does not answer. */
async function examined(ws: Workspace, named: Named): Promise<Examined> {
  let queue: JobQueue | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(reject, LIMIT_MS, new Error(`no answer within ${LIMIT_MS / 1000} s`));
      const ask = async (): Promise<Examined> => {
        queue = await openQueue(filledUrl(named.url, ws.env), reject, { limit_ms: LIMIT_MS });
        return found(queue, named);
      };
      ask().then(resolve, reject);
    });
  } catch (thrown) {
    const error = refusedLogin(named.url, thrown) ?? thrown;
    const isFault = error instanceof Fault;
    const message = wordsOf(error).replace(/\.$/, '');
    const means = isFault ? message : `${placeOf(named)} does not answer: ${message}`;
    const fix = isFault ? error.fix : 'Start it, or mend its url in .contracts/config.yaml';
    const abilities = [{ name: named.adapter, holds: false, means }];
    return { problems: [warning(named, means, fix)], abilities };
  } finally {
    clearTimeout(timer);
    await queue?.engine.close().catch(() => undefined);
  }
}

/** The address without who may enter. */
const placeOf = ({ url }: Named): string => url.replace(/\/\/.*@/, '//').replace(/\?.*/, '');
/** As a worker takes it: a password that was written into it is left to a variable. */
const loginOf = ({ url }: Named): string =>
  url
    .replace(/\/\/([^:/]*):(?!\$\{\w+\}@).*@/, '//$1:${QUEUE_PASSWORD}@')
    .replace(/([?&]password=)[^&]*/, '$1${QUEUE_PASSWORD}');
const onOf = (labels: readonly string[]): string =>
  labels.length === 0 ? '' : ` on ${labels.join(', ')}`;

function warning({ adapter }: Named, words: string, fix: string): Problem {
  const message = `adapter ${adapter}: ${words}`;
  return problem({ code: 'environment', severity: 'warning', file: '.', message, fix });
}

async function found(queue: JobQueue, named: Named): Promise<Examined> {
  const { adapter, agent, labels } = named;
  const { oldest_ms, ...jobs } = await queue.depth(jobsQueue(agent, labels));
  const now_ms = await queue.engine.now();
  const policy = (await queue.engine.policy?.()) ?? 'noeviction';
  const age = (at_ms: number): number => Math.max(0, Math.round((now_ms - at_ms) / 1000));
  const workers = (await queue.workers()).flatMap((one) => {
    const { data } = workerSchema().safeParse(one);
    return data === undefined || now_ms - data.seen_ms > ALIVE_MS ? [] : data;
  });
  const able = workers.filter(
    (one) => one.agents.includes(agent) && labels.every((label) => one.labels.includes(label)),
  );
  const at_work = Math.min(
    jobs.active,
    able.reduce((all, one) => all + one.busy, 0),
  );
  const gone = jobs.active - at_work;
  const flags = labels.length === 0 ? '' : ` --labels ${labels.join(',')}`;
  const start = `contracts worker --queue ${shellWord(loginOf(named))} --key owners.pem --agent ${shellWord(agent)}${flags}`;
  const lacks = `no worker for ${agent}${onOf(labels)} is alive`;
  const full = `maxmemory-policy of its Redis is ${policy}, so jobs can be lost`;
  const old = oldest_ms === undefined ? {} : { oldest_seconds: age(oldest_ms) };
  const since = oldest_ms === undefined ? '' : `, the oldest for ${age(oldest_ms)} s`;
  const means = `${placeOf(named)} answers: ${many(jobs.waiting, 'job')} waiting${since}; ${at_work} being done${gone > 0 ? `, and ${gone} of a worker that is gone` : ''}`;
  return {
    problems: [
      ...(able.length > 0 ? [] : [warning(named, lacks, `Start one on another machine: ${start}`)]),
      ...(policy === 'noeviction' ? [] : [warning(named, full, EVICTS)]),
    ],
    abilities: [
      { name: adapter, holds: true, means, facts: { agent, labels, ...jobs, ...old } },
      ...workers.map(({ seen_ms, ...facts }) => ({
        name: 'worker',
        holds: true,
        means: `${facts.name}: ${facts.agents.join(', ')}${onOf(facts.labels)}; ${facts.busy} of ${many(facts.slots, 'slot')} busy, seen ${age(seen_ms)} s ago`,
        facts: { ...facts, seen_seconds: age(seen_ms) },
      })),
    ],
  };
}

const EVICTS = 'Set it: redis-cli config set maxmemory-policy noeviction, and in redis.conf';
