// What every replay loads once its board is drawn, in one script: the verification, and what only a service can answer.

import { asking } from './asking.js';
import { Record } from './requests/record.js';

export const rest = { asking, Record };
