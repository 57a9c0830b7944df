import fc from 'fast-check';

// Where a change is judged, properties try the same values each time, so that a change is never turned
// down for something it did not touch. Everywhere else they try new ones.
if (process.env.CI) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });
