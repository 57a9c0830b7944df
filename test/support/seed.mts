import fc from 'fast-check';

// In CI, properties use the same values each time, so that a change does not fail because of unrelated code. Otherwise
// they use new ones.
if (process.env.CI) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });
