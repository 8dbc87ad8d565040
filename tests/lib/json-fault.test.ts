import { expect, test } from 'bun:test'
import { jsonFault } from '#lib/request/json-fault.ts'

test('valid JSON has no syntax error', () => {
  for (const text of ['{}', ' [1, -2.5e3, "a\\u00e9", true, null, {"a": []}]\n', '"x"', '0'])
    expect([text, jsonFault(text)]).toEqual([text, null])
})

test.each([
  ['{\n  "a": 1,\n  "b": oops\n}', 3, 'oops'],
  ['{"a": 1,}', 1, '}'],
  ['{\n"a": [1, 2\n}', 3, '}'],
  ['{"a": 1} x', 1, 'x'],
  ['// no\n{}', 1, '/'],
  ['{"a"\n\n1}', 3, '1'],
  ['[01]', 1, '1'],
  ["{'a': 1}", 1, "'"],
  ['{"a": "one\ntwo"}', 1, '"'],
])('IDN-34 %j: syntax error is reported with its line and the text at that position', (text, line, word) => {
  expect(jsonFault(text)).toBe(`Unexpected ${word} on line ${line}.`)
})

test('IDN-34 JSON that ends too early is reported as such', () => {
  expect(jsonFault('{\n"a": [')).toBe('Unexpected end of JSON on line 2.')
  expect(jsonFault('')).toBe('Unexpected end of JSON on line 1.')
})

test('deeply nested text, long text and text with long words are rejected with a short message', () => {
  expect(jsonFault('['.repeat(90_000))).toBe('Must be valid JSON.')
  expect(jsonFault(`[${'1,'.repeat(60_000)}`)).toBe('Must be valid JSON.')
  expect(jsonFault('x'.repeat(90_000))).toBe(`Unexpected ${'x'.repeat(40)} on line 1.`)
})
