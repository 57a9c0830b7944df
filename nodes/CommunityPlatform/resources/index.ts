import type { INodeProperties } from 'n8n-workflow';
import * as board from './board';
import * as comment from './comment';
import { listingFields, optionsField, simplifyField } from './common';
import * as post from './post';
import * as reply from './reply';
import * as role from './role';
import * as tag from './tag';
import * as user from './user';

const resources = [board, comment, post, reply, role, tag, user];
const fields = resources.flatMap((resource) => resource.fields);
const isCollection = ({ type }: INodeProperties) => type === 'collection';

/** All parameters below the resource: what is needed first, then what can be added. */
export const resourceProperties: INodeProperties[] = [
	...resources.map(({ operation }) => operation),
	...fields.filter((field) => !isCollection(field)),
	...listingFields,
	simplifyField,
	...fields.filter(isCollection),
	optionsField,
];
