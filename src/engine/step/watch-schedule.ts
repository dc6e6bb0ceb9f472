/**
 * When a watch takes its next step: the changes that were seen, and the one timer that it rests by. What
 * the times mean is in core (watch-clock.ts).
 */
import { nextLookAt, rung, type Rings } from '../core/decide/watch-clock.ts';

/** A tree so large that a look takes long is not looked at all the time. */
const REST_FOR_LOOK = 4;

export class Looks {
  readonly #now_ms: () => number;
  readonly #interval_least_ms: number;
  #interval_ms: number;
  #rested_ms = 0;
  #not_before_ms = 0;
  #due_ms = Infinity;
  #rings: Rings | undefined;
  #at_once = false;
  #wake: () => void = () => undefined;

  constructor(now_ms: () => number, interval_ms: number) {
    this.#now_ms = now_ms;
    this.#interval_least_ms = interval_ms;
    this.#interval_ms = interval_ms;
  }

  ring(): void {
    this.#rings = rung(this.#rings, this.#now_ms());
    this.#wake();
  }

  /** There is more to do already. */
  atOnce(): void {
    this.#at_once = true;
    this.#wake();
  }

  /** A step ended and left nothing to do before `due_ms`; after a fault of the whole step not before a time. */
  rest(not_before_ms: number, due_ms: number): void {
    this.#rested_ms = this.#now_ms();
    this.#due_ms = due_ms;
    this.#not_before_ms = not_before_ms;
    this.#wake();
  }

  /** A look begins, and ends when what it answers is called. */
  begin(): { readonly at_ms: number; end(): void } {
    const at_ms = this.#now_ms();
    this.#rings = undefined;
    this.#at_once = false;
    this.#due_ms = Infinity;
    const end = (): void => {
      this.#rested_ms = this.#now_ms();
      const long_ms = REST_FOR_LOOK * (this.#rested_ms - at_ms);
      this.#interval_ms = Math.max(this.#interval_least_ms, long_ms);
    };
    return { at_ms, end };
  }

  /** Until it is time for the next look; each change sets that time again. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((done) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#wake = () => undefined;
        done();
      };
      const look = (): void => {
        clearTimeout(timer);
        const left_ms = this.#leftMs();
        if (left_ms <= 0 || signal.aborted) end();
        else timer = setTimeout(look, left_ms);
      };
      this.#wake = look;
      signal.addEventListener('abort', end);
      look();
    });
  }

  #leftMs(): number {
    if (this.#at_once) return 0;
    const at = nextLookAt(this.#rested_ms, this.#interval_ms, this.#rings, this.#not_before_ms);
    return Math.min(at, this.#due_ms) - this.#now_ms();
  }
}
