/** The plain text of a content, without tags and repeated white space. */
export function plainText(content: string): string {
	return content
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}

/** The short excerpt of a content: the first 140 characters of its plain text. */
export function excerpt(content: string): string {
	const text = plainText(content);
	return text.length > 140 ? `${text.slice(0, 139)}…` : text;
}

/** The lowercase, hashtag-like form of a tag's display name. Empty if no character remains. */
export function hashtag(displayName: string): string {
	return displayName.replace(/[^\p{L}\p{N}_-]/gu, '').toLowerCase();
}
