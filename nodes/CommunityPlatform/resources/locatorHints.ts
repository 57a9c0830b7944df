import type { IParameterBuilderHint } from 'n8n-workflow';
import { propertyHint } from '../../shared/builder/hints';

const OF_A_USER =
	"Mode 'id' with the msid of a user, such as 42.a1b2c3. Get it from an item by an expression: $json.msid behind a user operation, $json.user.msid behind the Community Platform Trigger. A name or an email address is not accepted. Use mode 'list' only with a value that the list gave.";
const OF_ANYTHING_ELSE =
	"Mode 'name' with a name as people know it, also out of a table by an expression; mode 'id' with an ID out of another item. Use mode 'list' only with a value that the list gave.";

/**
 * What n8n's AI Builder is told of a locator: which of its modes to choose, and what to give.
 *
 * @param listMethod the method behind its list
 */
export function locatorHint(listMethod: string): IParameterBuilderHint {
	return propertyHint(listMethod === 'searchUsers' ? OF_A_USER : OF_ANYTHING_ELSE);
}
