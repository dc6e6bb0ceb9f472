/** Before each test file: what it makes is its own, and goes with it, however long the disk takes. */
import { afterAll } from 'vitest';
import { sealFile } from './sealed-folder.ts';

afterAll(sealFile(), 0);
