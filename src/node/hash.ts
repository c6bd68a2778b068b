import { createHash } from 'node:crypto';
import type { Hash } from '../core/ports/hash.ts';

export const sha256: Hash = (data) => createHash('sha256').update(data).digest('hex');
