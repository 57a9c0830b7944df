import { it, vi } from 'vitest';

// What the unit tests use of `jest` has the same names there.
Object.assign(globalThis, { jest: vi });
Object.assign(it, { failing: it.fails });
