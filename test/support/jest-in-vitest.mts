import { vi } from 'vitest';

// What the unit tests use of `jest` has the same names there.
Object.assign(globalThis, { jest: vi });
