// Prints as JSON the system calls of list, step and check after one change, by verb and number of tasks, and
// those of a call of an agent, for a test. V8 gets no threads, so that the count is the same on each machine. Arguments: a folder, numbers.
import { callsAfterChange } from './looks.mjs';
import { settleEnvironment } from './measure.mjs';
import { countOfCalls, FSYNCS } from './runs.mjs';
import { roomsIn } from './rooms.mjs';

settleEnvironment();
const [folder, ...sizes] = process.argv.slice(2);
const room = roomsIn(folder);
const calls = ['list', 'step', 'check'].map((verb) => [
  verb,
  Object.fromEntries(
    sizes.map((tasks) => [
      tasks,
      callsAfterChange(room(tasks, Number(tasks)), verb, ['--single-threaded']),
    ]),
  ),
]);
const call = { fsyncs: countOfCalls(folder, FSYNCS).ratio, calls: countOfCalls(folder, []).ratio };
console.log(JSON.stringify({ ...Object.fromEntries(calls), call }));
