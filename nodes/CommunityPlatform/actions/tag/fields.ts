import { normalized, trimmed } from '../../../shared/text';
import { badValue, nameText } from '../../../shared/values';
import { textField } from '../common';
import { rules, type Field, type Convert } from '../field';

/** Reads the name of a tag. A hash sign alone is refused, because a search for it finds every tag. */
export const tagName: Convert = (value, label) => {
	const name = nameText(value, label) as string;
	if (/^[\s#]*$/.test(name)) {
		throw badValue(
			label,
			'contains only a hash sign (#)',
			`Enter a name such as HowTo in '${label}'.`,
		);
	}
	return name;
};

// Case counts, because the community displays the name as it was entered.
function shown(name: unknown): string {
	return normalized(trimmed(trimmed(name).replace(/^#/, '')));
}

export const name = textField('Name', 'name', 'name', {
	required: true,
	placeholder: 'e.g. HowTo',
	description: 'Unique name of the tag, like a hashtag',
	[rules]: {
		convert: tagName,
		// The API derives `name` from it (docs/decisions.md, A13).
		valueToPreserve: ({ display_name: shownAs, name: stored }) => shownAs || stored,
		isSame: (a, b) => shown(a) === shown(b),
	},
});

/** The other fields of a tag, in alphabetical order of their labels. */
export const optionalFields: Field[] = [
	{
		displayName: 'Background Color',
		name: 'backColor',
		type: 'color',
		default: '#ffffff',
		// Like the default, because a model may take it over.
		placeholder: 'e.g. #ffffff',
		description: 'Background color as a hex code',
		routing: { send: { type: 'body', property: 'back_color' } },
	},
	textField('Description', 'description', 'description', {
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Guides and instructions',
		description: 'What the tag is for',
	}),
	textField('Image URL', 'image', 'image', {
		placeholder: 'e.g. https://example.com/howto.png',
		description: 'URL of an image for the tag',
	}),
	textField('Open Graph Description', 'ogDescription', 'og_description', {
		placeholder: 'e.g. All guides of our community',
		description: 'Description in link previews',
	}),
	textField('Open Graph Image URL', 'ogImage', 'og_image', {
		placeholder: 'e.g. https://example.com/preview.png',
		description: 'URL of the image in link previews',
	}),
	textField('Open Graph Title', 'ogTitle', 'og_title', {
		placeholder: 'e.g. How-to guides',
		description: 'Title in link previews',
	}),
	{
		displayName: 'Text Color',
		name: 'textColor',
		type: 'color',
		default: '#330000',
		placeholder: 'e.g. #330000',
		description: 'Text color as a hex code',
		routing: { send: { type: 'body', property: 'text_color' } },
	},
];
