import { describe, expect, it } from 'vitest';
import { FORMS } from './grammar.ts';
import { parseRequest } from './parse-request.ts';

describe('IDE-28 the offline grammar', () => {
  for (const form of FORMS) {
    it.each(form.examples.map(([says, means]) => ({ says, means })))(
      `IDE-28 ${form.name}: $says`,
      ({ says, means }) => {
        expect(parseRequest(says)).toMatchObject(means);
      },
    );
  }
});
