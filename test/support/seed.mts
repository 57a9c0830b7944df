import fc from 'fast-check';

// In CI, properties try the same values each time, so that a change does not fail for something that it did not
// touch. Everywhere else they try new ones.
if (process.env.CI) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });
