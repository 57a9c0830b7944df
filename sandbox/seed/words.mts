/** Words for the seeded records. The names are common ones. */

const listed = (text: string) => text.split(',').map((word) => word.trim());

export const FIRST_NAMES = listed(`
	Ada, Aisha, Amara, Anders, Anika, Bianca, Bruno, Camila, Chidi, Clara, Dario, Elif, Emeka,
	Fatima, Felix, Freya, Gita, Hana, Hugo, Ines, Ivan, Jonas, Kaito, Keiko, Lars, Leila, Lucía,
	Malik, Mara, Mateo, Mei, Nadia, Nils, Noor, Olga, Omar, Paula, Priya, Quinn, Rafael, Rosa,
	Samir, Sofia, Tariq, Tomás, Uma, Viktor, Wanda, Yara, Zoë
`);

export const LAST_NAMES = listed(`
	Abara, Almeida, Andersen, Bauer, Becker, Castillo, Chen, Costa, Demir, Dubois, Eriksen, Ferrari,
	Fischer, Garcia, Gupta, Haddad, Hansen, Ibrahim, Ivanova, Jansen, Kaya, Kimura, Kowalski,
	Larsen, Lopez, Mbeki, Moreau, Moretti, Nakamura, Novak, Okafor, Oliveira, Park, Patel, Petrov,
	Ramos, Rossi, Sato, Schmidt, Silva, Singh, Tanaka, Torres, Varga, Weber, Yilmaz
`);

export const BOARD_TOPICS = listed(`
	Announcements, Introductions, Questions and Answers, Ideas, Show and Tell, Events,
	Release Notes, Tutorials, Integrations, Templates, Careers, Off Topic, Feedback, Beta Program,
	Community Guidelines, Customer Stories, Data and Reports, Design, Mobile Apps, Automation,
	Security, Accessibility, Translations, Mentoring, Book Club, Local Meetups
`);

/** Combined with the topics; the first set of boards has no suffix. */
export const BOARD_GROUPS = ['', 'for Beginners', 'for Experts', 'in Europe', 'in the Americas'];

export const TAG_SUBJECTS = listed(`
	Release, Onboarding, Automation, Billing, Design, Mobile, Security, Events, Templates, Reports,
	Search, Import, Export, Roles, Notifications, Webhooks, Performance, Translations,
	Accessibility, Community
`);
export const TAG_ASPECTS = ['', 'Notes', 'Howto', 'Ideas', 'Questions', 'Tips', 'Beta', '-faq'];

export const HEADLINES = [
	'How do you welcome new members?',
	'Our plan for the next quarter',
	'Tips for moderating a busy board',
	'What changed this week',
	'Looking for feedback on the new layout',
	'Sharing my setup for weekly reports',
	'Meetup notes and slides',
	'A short guide to writing good questions',
	'Which integrations do you rely on?',
	'Call for volunteers',
];

export const SENTENCES = [
	'We have tried this for a month and the replies became friendlier.',
	'The steps are short, and each of them can be undone.',
	'Please add your own experience below.',
	'There is a template you can copy.',
	'I would start small and grow from there.',
	'Thanks to everybody who helped to test it.',
	'Does this also work on a phone?',
	'The recording will follow tomorrow.',
	'Here is what we learned along the way.',
	'It took us about an hour from start to end.',
];
