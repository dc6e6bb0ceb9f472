/** The tools of an agent inside its attempt: each writes one file on its desk, whole or not at all. */
import { join } from 'node:path';
import { questionsText, resultText, statusText } from '../core/desk-texts.ts';
import type { DeskInput } from '../core/tools.ts';
import { nonce } from '../../process/nonce.ts';
import { put as putFile } from '../../task/store/disk/put.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { Refused } from './tasks.ts';

export function deskOf({
  CONTRACTS_OUT: desk,
  CONTRACTS_TASK: task = '',
}: Readonly<Record<string, string | undefined>>) {
  const put = (name: string, text: string, next: string): Promise<object> => {
    if (desk === undefined || desk === '') {
      const message = 'this attempt has no desk';
      return Promise.reject(new Refused({ code: 'inside_attempt', message }));
    }
    // A look meanwhile must not see half of it.
    putFile({ disk: realDisk, unique: nonce }, join(desk, name), Buffer.from(text), {
      durable: false,
    });
    return Promise.resolve({ id: task, state: 'in_progress', next });
  };
  return {
    ask_question: (asked: DeskInput<'ask_question'>) =>
      put(
        'questions.md',
        questionsText(task, asked),
        'stop now: you are called again with the answers',
      ),
    report_status: (status: DeskInput<'report_status'>) =>
      put('status.md', statusText(task, status), 'go on'),
    submit_result: (result: DeskInput<'submit_result'>) =>
      put('result.md', resultText(task, result), 'stop now: what you handed in is checked'),
  };
}
