import type { IParameterBuilderHint } from 'n8n-workflow';
import { propertyHint } from '../../shared/builder/hints';

const MSID =
	"mode 'id' with the msid of a user, such as 42.a1b2c3. Get it from an item by an expression: $json.msid behind a user operation, $json.user.msid behind the Community Platform Trigger. A name or an email address is not accepted. Use mode 'list' only with a value that the list gave.";
const OF_A_USER = `Give ${MSID}`;
const OF_AN_AUTHOR = `Leave it at its default to write in the name of the owner of the API key. For another author, give ${MSID}`;
const OF_ANYTHING_ELSE =
	"Give mode 'name' with a name as people know it, also out of a table by an expression; or mode 'id' with an ID out of another item. Use mode 'list' only with a value that the list gave.";
const SPECIAL: Record<string, string> = { searchUsers: OF_A_USER, searchAuthors: OF_AN_AUTHOR };

/**
 * The hint that n8n's AI Builder gets about a locator: which mode to choose, and what to enter.
 *
 * @param listMethod the method behind its list
 */
export function locatorHint(listMethod: string): IParameterBuilderHint {
	return propertyHint(SPECIAL[listMethod] ?? OF_ANYTHING_ELSE);
}
