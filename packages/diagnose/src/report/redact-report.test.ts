import { expect, it } from 'vitest';
import { redactReport } from './redact-report.ts';

it.each([
  ['write to joe.doe+x@mail.example.com please', 'write to [mail address] please'],
  ['from 203.0.113.7 to 127.0.0.1', 'from [IP address] to 127.0.0.1'],
  ['host 2001:db8:0:1:2:3:4:5 down', 'host [IP address] down'],
  ['API_KEY=abcdef1234567890', 'API_KEY=[redacted]'],
  ['version 1.2.3 at 12:30:15, user@host, a.b@c', 'version 1.2.3 at 12:30:15, user@host, a.b@c'],
  ['at save@https://example.com/app.js:12:5', 'at save@https://example.com/app.js:12:5'],
])('DX-1 takes personal data out of %s', (text, clean) => {
  expect(redactReport(text)).toBe(clean);
});
