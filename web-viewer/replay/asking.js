// What every replay asks a service for once its board is drawn, in one script: the verification, and what only a service can answer.

import { Record } from './requests/record.js';
import { served } from './served.js';

export const asking = { Record, served };
