/** trust: a person allows what this workspace names to be started; it is shown first. */
import { openQuestion, trust, trustFolder, whyNever } from '../../trust/trust.ts';
import { EXIT } from '../terminal/frame.ts';
import { refuse, verb, type Verb } from '../terminal/verb-context.ts';

export const runs = {
  trust: verb(doTrust),
};

async function doTrust(verb: Verb, flags: { readonly dryRun?: boolean }): Promise<void> {
  const { out, ws } = verb;
  const never = whyNever(ws);
  if (never !== undefined) refuse(verb, [never]);
  const { allGrants, printQuestion } = await import('../terminal/ask-trust.ts');
  const all = allGrants(ws);
  const question = openQuestion(ws, all);
  const { root } = ws.layout;
  const grants = all.map(({ what, words }) => ({ what, words }));
  const noted = question?.changed ?? [];
  const changed = noted.map(({ path, task, attempt }) => ({ path, task, attempt }));
  const isAsked = question !== undefined && flags.dryRun !== true && verb.ask !== undefined;
  if (question === undefined) out.print('It is trusted, and nothing has changed since.');
  else printQuestion(verb, question);
  const agreed = isAsked ? await verb.ask.yes('Do you trust it?') : flags.dryRun !== true;
  if (agreed) trust(ws, all, question?.changed);
  const trusted = question === undefined || agreed;
  out.data({ v: 1, event: 'trusted', root, trusted, grants, changed });
  if (question !== undefined && agreed) out.print(`Trusted. Kept in ${trustFolder(ws)}`);
  if (!trusted && flags.dryRun !== true) verb.frame.code = EXIT.people;
}
